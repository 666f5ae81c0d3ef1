"""Agents of AutoGen 0.2: those that ask the model of OAI_CONFIG_LIST, one that runs code, and a group."""

from autogen import AssistantAgent, GroupChat, GroupChatManager, UserProxyAgent, config_list_from_json
from testbed_utils import default_llm_config

# Without a price the library warns at each call; what calls cost is counted by the gateway.
_ENTRIES = [{"price": [0, 0], **entry} for entry in config_list_from_json("OAI_CONFIG_LIST")]
MODEL = default_llm_config(_ENTRIES)
ROUNDS = 20
WHO = "You lead a conversation among these agents:\n{roles}\nName who speaks next, with one of {agentlist} and no other word."
NEXT = "Who speaks next? Answer with one of {agentlist} and no other word."


def thinker(name, instruction, description, **more):
    """An agent that answers with what the model says."""
    return AssistantAgent(name, system_message=instruction, description=description, llm_config=MODEL, **more)


def computer(is_over):
    """An agent that runs the code it is sent in coding/, and stops at a message that ends the work."""
    return UserProxyAgent(
        "computer",
        human_input_mode="NEVER",
        max_consecutive_auto_reply=ROUNDS // 2,
        is_termination_msg=is_over,
        default_auto_reply="There was no code in that. Write a block of code, or finish as you were told.",
        code_execution_config={"work_dir": "coding", "use_docker": False, "timeout": 60, "last_n_messages": "auto"},
        description="Runs the last block of code and tells what it printed.",
    )


def group(agents, is_over):
    """Who leads agents through a conversation: the model chooses who speaks next."""
    chat = GroupChat(
        agents=agents,
        messages=[],
        max_round=ROUNDS,
        speaker_selection_method="auto",
        allow_repeat_speaker=False,
        select_speaker_message_template=WHO,
        select_speaker_prompt_template=NEXT,
    )
    return GroupChatManager(groupchat=chat, llm_config=MODEL, is_termination_msg=is_over)
