"""One agent does a job on files, another runs its code. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from work import END, INSTRUCTION, task, tell


def ends(message):
    return message.get("name") == "assistant" and END in (message.get("content") or "")


init()
assistant = agents.thinker("assistant", INSTRUCTION, "Does the job.")
computer = agents.computer(ends)
try:
    computer.initiate_chat(assistant, message=task())
finally:
    finalize([assistant, computer])
tell()
