"""A coder, a reviewer and the tests complete a function in a group chat. AutoGen 0.4 and later."""

import asyncio

import team
from problem import INSTRUCTION, REVIEW, task
from tester import Tester, end


async def main():
    client = team.model()
    coder = team.thinker("coder", INSTRUCTION, "Writes the function. Speaks first, and after a failed test.", client)
    reviewer = team.thinker("reviewer", REVIEW, "Reads the function once before it is tested.", client)
    names = ["coder", "reviewer", "tests"]
    await team.talk(team.group([coder, reviewer, Tester()], end(), client), task(), names)
    await client.close()


asyncio.run(main())
