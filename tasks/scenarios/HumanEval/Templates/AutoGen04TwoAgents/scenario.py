"""One agent completes a function, another tells it what the tests say. AutoGen 0.4 and later."""

import asyncio

import team
from problem import INSTRUCTION, task
from tester import Tester, end


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Writes the function.", client)
    names = ["assistant", "tests"]
    await team.talk(team.pair([assistant, Tester()], end()), task(), names)
    await client.close()


asyncio.run(main())
