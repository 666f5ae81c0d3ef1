"""The work on files in coding/, and the check of what became of them."""

import subprocess
import sys

import verdict

END = "TERMINATE"
INSTRUCTION = (
    "You do small jobs on files. Write one whole Python program in a block of code: it is run in the folder of the files, and "
    "you are told what it prints. Write nothing else beside a program, and wait for its output. Look at what the files hold "
    "before you change them. When the job is done and you have seen that it is, answer with the word " + END + " and no code."
)
CRITIC = (
    "You read how others do a job on files. Name in a few sentences what the job asks for and they have not done or not looked "
    "at, or say that it is done. You write no code."
)
# Read before the agents can change it.
with open("check.py", encoding="utf-8") as _file:
    _CHECK = _file.read()


def task():
    """What the agents are asked."""
    with open("prompt.txt", encoding="utf-8") as file:
        return file.read().strip()


def tell():
    """Runs check.py in coding/ and tells the verdict, which it prints if all is as it should be."""
    # -I: what agents leave there is not taken for a module of Python's own.
    try:
        ran = subprocess.run(
            [sys.executable, "-I", "-c", _CHECK],
            cwd="coding",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        print("check.py took longer than 60 seconds.")
        verdict.tell(False)
        return
    said = ran.stdout.decode("utf-8", "replace")
    passed = "%s %s" % (verdict.PASSED, verdict.MARKER)
    print("check.py:\n" + said.replace(passed, ""))
    verdict.tell(ran.returncode == 0 and said.rstrip().endswith(passed))
