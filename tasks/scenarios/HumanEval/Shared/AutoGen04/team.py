"""Agents of AutoGen 0.4 and later: the model of OAI_CONFIG_LIST, one that runs code, conversations and their record."""

import json
import os
import sys

from autogen_agentchat.agents import AssistantAgent, CodeExecutorAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.messages import BaseChatMessage
from autogen_agentchat.teams import RoundRobinGroupChat, SelectorGroupChat
from autogen_agentchat.ui import Console
from autogen_core.models import ModelInfo
from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor
from autogen_ext.models.openai import OpenAIChatCompletionClient

ROUNDS = 20
WHO = (
    "You lead a conversation among these agents:\n{roles}\n\nSo far:\n{history}\n\n"
    "Who speaks next? Answer with one of {participants} and no other word."
)


def model():
    """The first entry of OAI_CONFIG_LIST, which is a JSON list or the name of a file with one."""
    text = os.environ.get("OAI_CONFIG_LIST", "").strip()
    if not text:
        sys.exit("OAI_CONFIG_LIST is not set; name a model with --model, or a model configuration with --config")
    if os.path.isfile(text):
        with open(text, encoding="utf-8") as file:
            text = file.read()
    entry = json.loads(text)[0]
    info = ModelInfo(
        vision=False, function_calling=True, json_output=True, family="unknown", structured_output=True
    )
    given = {name: entry[name] for name in ("api_key", "base_url") if entry.get(name)}
    return OpenAIChatCompletionClient(model=entry["model"], model_info=info, timeout=180, **given)


def thinker(name, instruction, description, client):
    """An agent that answers with what the model says."""
    return AssistantAgent(name, client, system_message=instruction, description=description)


def computer():
    """An agent that runs the code it is sent in coding/."""
    return CodeExecutorAgent(
        "computer",
        LocalCommandLineCodeExecutor(work_dir="coding", timeout=60),
        description="Runs the last block of code and tells what it printed.",
    )


def pair(agents, end):
    """Agents that speak in turn until the end."""
    return RoundRobinGroupChat(agents, termination_condition=end | MaxMessageTermination(ROUNDS))


def group(agents, end, client):
    """Agents of which the model chooses who speaks next, until the end."""
    return SelectorGroupChat(
        agents,
        client,
        termination_condition=end | MaxMessageTermination(ROUNDS),
        selector_prompt=WHO,
        allow_repeated_speaker=False,
    )


async def talk(team, task, names):
    """Has agents talk about a task, and prints and keeps what they say, also where the talk breaks off: their messages."""
    said = []

    async def heard():
        async for message in team.run_stream(task=task):
            if isinstance(message, BaseChatMessage):
                said.append(message)
            yield message

    try:
        result = await Console(heard())
        print("ended:", result.stop_reason)
    finally:
        save(said, names)
    return said


def save(messages, names):
    """Writes <name>_messages.json for each agent, in the form that AutoGen 0.2 led to.

    Two agents have each other as partners, those of a group the group.
    """
    said = [(message.source, message.to_text()) for message in messages]
    for name in names:
        others = [other for other in names if other != name]
        other = others[0] if len(names) == 2 else "chat_manager"
        told = [
            {"content": text, "role": "assistant" if source == name else "user", "name": source}
            for source, text in said
        ]
        with open(name + "_messages.json", "w", encoding="utf-8") as file:
            json.dump({other: told}, file, indent=4, ensure_ascii=False)
