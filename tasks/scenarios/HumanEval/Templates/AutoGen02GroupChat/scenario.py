"""A coder, a reviewer and the tests complete a function in a group chat. AutoGen 0.2."""

from testbed_utils import finalize, init

import agents
from problem import INSTRUCTION, REVIEW, task
from tester import ends, tester

init()
coder = agents.thinker("coder", INSTRUCTION, "Writes the function. Speaks first, and after a failed test.")
reviewer = agents.thinker("reviewer", REVIEW, "Reads the function once before it is tested.")
tests = tester()
manager = agents.group([coder, reviewer, tests], ends)
try:
    tests.initiate_chat(manager, message=task())
finally:
    finalize([coder, reviewer, tests, manager])
