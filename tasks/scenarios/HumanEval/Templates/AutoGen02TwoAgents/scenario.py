"""One agent completes a function, another tells it what the tests say. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from problem import INSTRUCTION, task
from tester import ends, tester

init()
assistant = agents.thinker("assistant", INSTRUCTION, "Writes the function.", is_termination_msg=ends)
tests = tester()
try:
    tests.initiate_chat(assistant, message=task())
finally:
    finalize([assistant, tests])
