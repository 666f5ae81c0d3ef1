"""The tests as an agent of AutoGen 0.2."""

from autogen import Agent, ConversableAgent

from problem import Tests, is_over


def tester():
    """An agent that answers with what the tests say to the code it is sent."""
    agent = ConversableAgent(
        "tests",
        human_input_mode="NEVER",
        llm_config=False,
        code_execution_config=False,
        description="Runs the tests on the last function and tells what they say.",
    )
    tests = Tests()

    def reply(recipient, messages=None, sender=None, config=None):
        said = [message.get("content") or "" for message in messages if message.get("name") != "tests"]
        return True, tests.answer(said)

    agent.register_reply([Agent, None], reply)
    return agent


def ends(message):
    """Whether a message is the last that the tests say."""
    return message.get("name", "tests") == "tests" and is_over(message.get("content") or "")
