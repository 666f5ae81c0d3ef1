"""The problem, how its answer is to be written, and what decides whether it is right: a checking agent."""

END = "FINAL ANSWER:"
INSTRUCTION = (
    "You solve a problem in mathematics. Where it helps, write one whole Python program in a block of code: it is run, and you "
    "are told what it prints. Write nothing else beside a program, and wait for its output. When you know the answer, give it "
    "behind the words " + END + " on the last line, and no code with it."
)
CRITIC = (
    "You read how others solve a problem in mathematics. Name in a few sentences the step that is wrong or missing, or say "
    "that the answer can be given. You write no code and give no answer."
)
RIGHT = "The answer is correct."
NEARLY = "The answer is approximated but should be correct."
CHECK = (
    "You are given a problem, its expected answer and somebody's reply. Say in one sentence what the answer in the reply is and "
    "whether it has the expected one's value; how it is written does not matter. Then end with one of these sentences, as it "
    'stands: "' + RIGHT + '", "' + NEARLY + '", "The answer is incorrect.", "The reply contains no answer."'
)


def task():
    """What the agents are asked."""
    with open("prompt.txt", encoding="utf-8") as file:
        return file.read().strip()


def check(said):
    """What the checking agent is asked about the last of these texts."""
    with open("expected_answer.txt", encoding="utf-8") as file:
        expected = file.read().strip()
    replies = [text for text in said if text]
    reply = replies[-1] if replies else "(nothing)"
    return "Problem:\n%s\n\nExpected answer:\n%s\n\nReply:\n%s" % (task(), expected, reply)


def is_right(verdict):
    """Whether the checking agent calls the answer right."""
    return any(sentence.rstrip(".").lower() in (verdict or "").lower() for sentence in (RIGHT, NEARLY))
