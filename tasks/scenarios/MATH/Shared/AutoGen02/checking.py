"""The agent that compares an answer with the expected one. AutoGen 0.2."""

from autogen import UserProxyAgent

import agents
from problem import CHECK, check, is_right
from verdict import tell


def checked(said):
    """Has the last of these texts checked and tells the verdict: the two agents that talked."""
    checker = agents.thinker("checker", CHECK, "Compares answers.")
    proxy = UserProxyAgent("checker_proxy", human_input_mode="NEVER", code_execution_config=False)
    proxy.initiate_chat(checker, message=check(said), max_turns=1)
    tell(is_right(proxy.last_message(checker)["content"]))
    return [checker, proxy]
