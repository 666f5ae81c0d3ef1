"""An agent that does a job on files, a critic and a computer in a group chat. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from work import CRITIC, END, INSTRUCTION, task, tell


def ends(message):
    return message.get("name") == "assistant" and END in (message.get("content") or "")


init()
assistant = agents.thinker("assistant", INSTRUCTION, "Writes programs and says when the job is done. Speaks first.")
critic = agents.thinker("critic", CRITIC, "Says what is not done.")
computer = agents.computer(ends)
manager = agents.group([assistant, critic, computer], ends)
try:
    computer.initiate_chat(manager, message=task())
finally:
    finalize([assistant, critic, computer, manager])
tell()
