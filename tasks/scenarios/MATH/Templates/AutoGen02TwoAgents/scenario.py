"""One agent solves a problem, another runs its code, a third checks the answer. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from checking import checked
from problem import END, INSTRUCTION, task


def ends(message):
    return message.get("name") == "assistant" and END in (message.get("content") or "")


init()
assistant = agents.thinker("assistant", INSTRUCTION, "Solves the problem.")
computer = agents.computer(ends)
talked = [assistant, computer]
try:
    computer.initiate_chat(assistant, message=task())
    said = [message["content"] for message in assistant.chat_messages[computer] if message.get("name") == "assistant"]
    talked += checked(said)
finally:
    finalize(talked)
