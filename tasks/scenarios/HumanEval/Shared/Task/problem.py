"""The function to be completed, what its tests say of an answer, and when there are no tries left."""

import re
import secrets
import subprocess
import sys

from verdict import FAILED, MARKER, PASSED, tell

ENTRY_POINT = "__ENTRY_POINT__"
TRIES = 3
LAST = "That was the last try."
INSTRUCTION = "You write Python. Answer with the whole function, its imports included, in one block of code."
REVIEW = "You review Python. Name what is wrong in the last function in a few sentences, or say that you found nothing."


def task():
    """What the agents are asked."""
    with open("prompt.txt", encoding="utf-8") as file:
        return "Complete the function %s:\n\n```python\n%s\n```" % (ENTRY_POINT, file.read())


def is_over(said):
    """Whether these words of the tests are their last."""
    return PASSED in said or LAST in said


class Tests:
    """The tests, which count the tries."""

    def __init__(self):
        self._tries = 0

    def answer(self, said):
        """What they say to the last of these texts that holds code."""
        self._tries += 1
        passed, output = _check(_code(said))
        tell(passed)
        words = [output, PASSED if passed else FAILED]
        if not passed and self._tries >= TRIES:
            words.append(LAST)
        return "\n".join(word for word in words if word)


def _code(said):
    """The longest block of code in the last text that has one, or the last text as it is."""
    for text in reversed(said):
        blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", text, re.DOTALL)
        if blocks:
            return max(blocks, key=len)
    return said[-1] if said else ""


def _check(code):
    """Runs the tests on a solution: whether they pass, and what they print."""
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
    return passed, said.replace(token, "").replace(MARKER, "").replace(PASSED, "").strip()[-4000:]
