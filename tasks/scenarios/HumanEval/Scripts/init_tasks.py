"""Makes the full set of tasks from OpenAI's published problems, for every template.

Reads Downloads/HumanEval.jsonl.gz or Downloads/HumanEval.jsonl; fetches the former when there is neither.
"""

import gzip
import json
import os
import sys
import urllib.request

URL = "https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz"
HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARK = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import make_tasks  # noqa: E402


def problems():
    downloads = os.path.join(BENCHMARK, "Downloads")
    plain, packed = (os.path.join(downloads, name) for name in ("HumanEval.jsonl", "HumanEval.jsonl.gz"))
    if not os.path.isfile(plain) and not os.path.isfile(packed):
        os.makedirs(downloads, exist_ok=True)
        print("Fetching " + URL)
        with urllib.request.urlopen(URL, timeout=300) as answer:
            content = answer.read()
        with open(packed, "wb") as file:
            file.write(content)
    opened = open(plain, encoding="utf-8") if os.path.isfile(plain) else gzip.open(packed, "rt", encoding="utf-8")
    with opened:
        return [json.loads(line) for line in opened if line.strip()]


def main():
    tasks = []
    for problem in problems():
        entry = problem["entry_point"]
        substitutions = {
            "problem.py": {"__ENTRY_POINT__": entry},
            "prompt.txt": {"__PROMPT__": problem["prompt"]},
            "coding/my_tests.py": {"__TEST__": problem["test"], "__ENTRY_POINT__": entry},
        }
        tasks.append({"id": problem["task_id"].replace("/", "_"), "substitutions": substitutions})
    make_tasks.write("human_eval_full", tasks)


if __name__ == "__main__":
    main()
