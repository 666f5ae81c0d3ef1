"""One agent answers a question, another runs its code. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from question import END, INSTRUCTION, task, tell


def ends(message):
    return message.get("name") == "assistant" and END in (message.get("content") or "")


init()
assistant = agents.thinker("assistant", INSTRUCTION, "Answers the question.")
computer = agents.computer(ends)
try:
    computer.initiate_chat(assistant, message=task())
finally:
    finalize([assistant, computer])
tell(message["content"] for message in assistant.chat_messages[computer] if ends(message))
