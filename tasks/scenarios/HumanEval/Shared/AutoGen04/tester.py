"""The tests as an agent of AutoGen 0.4 and later."""

import asyncio

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.conditions import TextMentionTermination
from autogen_agentchat.messages import TextMessage

from problem import LAST, Tests
from verdict import PASSED


class Tester(BaseChatAgent):
    """Answers with what the tests say to the code it is sent."""

    def __init__(self):
        super().__init__("tests", "Runs the tests on the last function and tells what they say.")
        self._tests = Tests()
        self._said = []

    @property
    def produced_message_types(self):
        return (TextMessage,)

    async def on_messages(self, messages, cancellation_token):
        self._said += [message.to_text() for message in messages]
        answer = await asyncio.to_thread(self._tests.answer, self._said)
        return Response(chat_message=TextMessage(content=answer, source=self.name))

    async def on_reset(self, cancellation_token):
        self._said.clear()


def end():
    """The last that the tests say."""
    return TextMentionTermination(PASSED, sources=["tests"]) | TextMentionTermination(LAST, sources=["tests"])
