"""The agent that compares an answer with the expected one. AutoGen 0.4 and later."""

from autogen_agentchat.messages import TextMessage

import team
from problem import CHECK, check, is_right
from verdict import tell


async def checked(said, client):
    """Has the last of these texts checked, tells the verdict and writes checker_messages.json."""
    checker = team.thinker("checker", CHECK, "Compares answers.", client)
    asked = await checker.run(task=TextMessage(content=check(said), source="checker_proxy"))
    print("checker (to checker_proxy):", asked.messages[-1].to_text())
    team.save(asked.messages, ["checker", "checker_proxy"])
    tell(is_right(asked.messages[-1].to_text()))
