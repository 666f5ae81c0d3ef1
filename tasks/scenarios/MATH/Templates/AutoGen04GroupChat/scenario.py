"""A solver, a critic and a computer in a group chat, and an agent that checks the answer. AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.conditions import TextMentionTermination

import team
from checking import checked
from problem import CRITIC, END, INSTRUCTION, task


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Writes programs and gives the answer. Speaks first.", client)
    critic = team.thinker("critic", CRITIC, "Says which step is wrong or missing.", client)
    end = TextMentionTermination(END, sources=["assistant"])
    names = ["assistant", "critic", "computer"]
    said = await team.talk(team.group([assistant, critic, team.computer()], end, client), task(), names)
    await checked([message.to_text() for message in said if message.source == "assistant"], client)
    await client.close()


asyncio.run(main())
