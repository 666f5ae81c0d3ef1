"""An agent that answers a question, a critic and a computer in a group chat. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from question import CRITIC, END, INSTRUCTION, task, tell


def ends(message):
    return message.get("name") == "assistant" and END in (message.get("content") or "")


init()
assistant = agents.thinker("assistant", INSTRUCTION, "Writes programs and gives the answer. Speaks first.")
critic = agents.thinker("critic", CRITIC, "Says what is overlooked.")
computer = agents.computer(ends)
manager = agents.group([assistant, critic, computer], ends)
try:
    computer.initiate_chat(manager, message=task())
finally:
    finalize([assistant, critic, computer, manager])
tell(message["content"] for message in assistant.chat_messages[manager] if ends(message))
