"""An agent that answers a question, a critic and a computer in a group chat. AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.conditions import TextMentionTermination

import team
from question import CRITIC, END, INSTRUCTION, task, tell


async def main():
    client = team.model()
    assistant = team.thinker("assistant", INSTRUCTION, "Writes programs and gives the answer. Speaks first.", client)
    critic = team.thinker("critic", CRITIC, "Says what is overlooked.", client)
    end = TextMentionTermination(END, sources=["assistant"])
    names = ["assistant", "critic", "computer"]
    said = await team.talk(team.group([assistant, critic, team.computer()], end, client), task(), names)
    await client.close()
    tell(message.to_text() for message in said if message.source == "assistant")


asyncio.run(main())
