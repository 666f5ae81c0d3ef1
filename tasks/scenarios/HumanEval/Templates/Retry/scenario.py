"""Lets a model complete a function, and tells it what the tests say until they pass or its tries are used up."""

import json

from ask import ask
from problem import INSTRUCTION, Tests, is_over, task

messages = [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": task()}]
tests = Tests()
said = ""
while not is_over(said):
    answer = ask(messages)
    messages.append({"role": "assistant", "content": answer})
    print("assistant (to tests):\n\n%s\n" % answer)
    said = tests.answer([answer])
    messages.append({"role": "user", "content": said})
    print("tests (to assistant):\n\n%s\n" % said)
    with open("assistant_messages.json", "w", encoding="utf-8") as file:
        json.dump({"tests": messages}, file, indent=4, ensure_ascii=False)
