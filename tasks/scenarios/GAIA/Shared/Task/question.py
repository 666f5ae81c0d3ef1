"""The question, how its answer is to be written, and the answer that was given."""

import re

FILE_NAME = "__FILE_NAME__"
END = "FINAL ANSWER:"
INSTRUCTION = (
    "You answer a question exactly. Where it helps, write one whole Python program in a block of code: it is run in the folder "
    "of the attached file, and you are told what it prints. Write nothing else beside a program, and wait for its output. When "
    "you know the answer, give it behind the words " + END + " on the last line, and no code with it. The answer is a number "
    "in digits, without a comma and without a unit that is not asked for, or as few words as possible, without an article and "
    "without an abbreviation, or a list of these with commas between them."
)
CRITIC = (
    "You read how others answer a question. Name in a few sentences what they overlook or have not shown yet, or say that the "
    "answer can be given. You write no code and give no answer."
)


def task():
    """What the agents are asked."""
    with open("prompt.txt", encoding="utf-8") as file:
        question = file.read().strip()
    return question + ("\n\nThe attached file is " + FILE_NAME + "." if FILE_NAME else "")


def tell(said):
    """Prints the last answer among texts, for the readers of the log."""
    found = [answer for text in said for answer in re.findall(END + r"(.*)", text or "")]
    if found:
        print("\n%s %s" % (END, found[-1].strip()))
