"""An agent that does a job on files, a critic and a computer in a group chat. AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.conditions import TextMentionTermination

import team
from work import CRITIC, END, INSTRUCTION, task, tell


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Writes programs and says when the job is done. Speaks first.", client)
    critic = team.thinker("critic", CRITIC, "Says what is not done.", client)
    end = TextMentionTermination(END, sources=["assistant"])
    names = ["assistant", "critic", "computer"]
    await team.talk(team.group([assistant, critic, team.computer()], end, client), task(), names)
    await client.close()
    tell()


asyncio.run(main())
