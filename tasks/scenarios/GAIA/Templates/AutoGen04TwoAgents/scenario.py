"""One agent answers a question, another runs its code. AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.conditions import TextMentionTermination

import team
from question import END, INSTRUCTION, task, tell


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Answers the question.", client)
    end = TextMentionTermination(END, sources=["assistant"])
    names = ["assistant", "computer"]
    said = await team.talk(team.pair([assistant, team.computer()], end), task(), names)
    await client.close()
    tell(message.to_text() for message in said if message.source == "assistant")


asyncio.run(main())
