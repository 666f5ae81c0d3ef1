"""One agent solves a problem, another runs its code, a third checks the answer. AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.conditions import TextMentionTermination

import team
from checking import checked
from problem import END, INSTRUCTION, task


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Solves the problem.", client)
    end = TextMentionTermination(END, sources=["assistant"])
    names = ["assistant", "computer"]
    said = await team.talk(team.pair([assistant, team.computer()], end), task(), names)
    await checked([message.to_text() for message in said if message.source == "assistant"], client)
    await client.close()


asyncio.run(main())
