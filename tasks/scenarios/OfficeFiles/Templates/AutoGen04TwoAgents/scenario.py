"""One agent does a job on files, another runs its code. AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.conditions import TextMentionTermination

import team
from work import END, INSTRUCTION, task, tell


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Does the job.", client)
    end = TextMentionTermination(END, sources=["assistant"])
    names = ["assistant", "computer"]
    await team.talk(team.pair([assistant, team.computer()], end), task(), names)
    await client.close()
    tell()


asyncio.run(main())
