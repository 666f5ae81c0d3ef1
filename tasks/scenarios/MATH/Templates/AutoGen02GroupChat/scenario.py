"""A solver, a critic and a computer in a group chat, and an agent that checks the answer. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from checking import checked
from problem import CRITIC, END, INSTRUCTION, task


def ends(message):
    return message.get("name") == "assistant" and END in (message.get("content") or "")


init()
assistant = agents.thinker("assistant", INSTRUCTION, "Writes programs and gives the answer. Speaks first.")
critic = agents.thinker("critic", CRITIC, "Says which step is wrong or missing.")
computer = agents.computer(ends)
manager = agents.group([assistant, critic, computer], ends)
talked = [assistant, critic, computer, manager]
try:
    computer.initiate_chat(manager, message=task())
    said = [message["content"] for message in assistant.chat_messages[manager] if message.get("name") == "assistant"]
    talked += checked(said)
finally:
    finalize(talked)
