"""Lets a model complete a function, and tells it what the tests say until they pass or its tries are used up."""

import json
import re
import secrets
import subprocess
import sys

from ask import ask

ENTRY_POINT = "__ENTRY_POINT__"
TRIES = 3
PASSED = "ALL TESTS PASSED !#!#"
FAILED = "SOME TESTS FAILED - TRY AGAIN !#!#"


def code_in(answer):
    """The longest block of code in an answer, or all of it where there is none."""
    blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", answer, re.DOTALL)
    return max(blocks, key=len) if blocks else answer


def check(code):
    """Runs the tests on a solution: whether they pass, and what they said."""
    with open("coding/solution.py", "w", encoding="utf-8") as file:
        file.write(code)
    # Code that ends early, or prints what passing looks like, does not know the token.
    token = secrets.token_hex(16)
    try:
        ran = subprocess.run(
            [sys.executable, "my_tests.py", token],
            cwd="coding",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        return False, "The tests took longer than 60 seconds."
    said = ran.stdout.decode("utf-8", "replace")
    passed = ran.returncode == 0 and said.rstrip().endswith(token)
    return passed, said.replace(token, "").replace(PASSED, "").strip()[-4000:]


def main():
    with open("prompt.txt", encoding="utf-8") as file:
        prompt = file.read()
    messages = [
        {
            "role": "system",
            "content": "You write Python. Answer with the whole function, its imports included, in one block of code.",
        },
        {"role": "user", "content": "Complete the function " + ENTRY_POINT + ":\n\n```python\n" + prompt + "\n```"},
    ]
    for number in range(1, TRIES + 1):
        answer = ask(messages)
        messages.append({"role": "assistant", "content": answer})
        print("assistant (to tests), try %d:\n\n%s\n" % (number, answer.replace(PASSED, "")))
        passed, said = check(code_in(answer))
        verdict = PASSED if passed else FAILED
        messages.append({"role": "user", "content": said + "\n" + verdict})
        print("tests (to assistant):\n\n%s\n%s\n" % (said, verdict))
        with open("assistant_messages.json", "w", encoding="utf-8") as file:
            json.dump({"tests": messages}, file, indent=4, ensure_ascii=False)
        if passed:
            return


main()
