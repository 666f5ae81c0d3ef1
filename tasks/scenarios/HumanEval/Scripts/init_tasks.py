"""Makes the full set of tasks from OpenAI's published problems, for every template.

Reads Downloads/HumanEval.jsonl.gz or Downloads/HumanEval.jsonl; fetches the former when there is neither.
"""

import gzip
import json
import os
import urllib.request

URL = "https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz"
HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARK = os.path.dirname(HERE)


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
    found = problems()
    tasks = os.path.join(BENCHMARK, "Tasks")
    os.makedirs(tasks, exist_ok=True)
    for template in sorted(os.listdir(os.path.join(BENCHMARK, "Templates"))):
        name = "human_eval_full_" + "".join(template.split()) + ".jsonl"
        with open(os.path.join(tasks, name), "w", encoding="utf-8") as out:
            for problem in found:
                entry = problem["entry_point"]
                task = {
                    "id": problem["task_id"].replace("/", "_"),
                    "template": "../Templates/" + template,
                    "substitutions": {
                        "scenario.py": {"__ENTRY_POINT__": entry},
                        "prompt.txt": {"__PROMPT__": problem["prompt"]},
                        "coding/my_tests.py": {"__TEST__": problem["test"], "__ENTRY_POINT__": entry},
                    },
                }
                out.write(json.dumps(task, ensure_ascii=False) + "\n")
        print("Tasks/%s: %d tasks" % (name, len(found)))


if __name__ == "__main__":
    main()
