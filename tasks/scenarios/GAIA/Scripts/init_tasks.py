"""Makes the full set of tasks from the data set gaia-benchmark/GAIA, for every template and level.

The data set is given to those who agreed to its terms at Hugging Face: this reads it with the user's own login, from
HF_TOKEN or from what `hf auth login` left. What is in Downloads/GAIA/2023 already is not fetched again.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARK = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import make_tasks  # noqa: E402

HUB = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
SET = "gaia-benchmark/GAIA"
SPLITS = ("validation", "test")
# It greets who sends answers in, and asks nothing.
WELCOME = "0-0-0-0-0"


def token():
    """The user's login, or nothing."""
    if os.environ.get("HF_TOKEN"):
        return os.environ["HF_TOKEN"].strip()
    home = os.environ.get("HF_HOME") or os.path.join(os.path.expanduser("~"), ".cache", "huggingface")
    path = os.environ.get("HF_TOKEN_PATH") or os.path.join(home, "token")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def fetch(name):
    """A file of the data set in Downloads/GAIA, or nothing where the set has none of that name."""
    path = os.path.join(BENCHMARK, "Downloads", "GAIA", *name.split("/"))
    if os.path.isfile(path):
        return path
    login = token()
    if not login:
        sys.exit(
            "GAIA is given to those who are logged in at Hugging Face: agree to the terms of %s there, then run "
            "`hf auth login` or set HF_TOKEN, and this script again." % SET
        )
    request = urllib.request.Request("%s/datasets/%s/resolve/main/%s" % (HUB, SET, urllib.parse.quote(name)))
    # Not sent on to the host that the files are handed out by.
    request.add_unredirected_header("Authorization", "Bearer " + login)
    print("Fetching " + name)
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            content = answer.read()
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        if error.code in (401, 403):
            sys.exit(
                "Hugging Face does not hand out %s to this login (HTTP %d): agree to the terms of %s there, and look whether "
                "the token may read data sets." % (name, error.code, SET)
            )
        sys.exit("%s cannot be fetched: HTTP %d" % (name, error.code))
    except OSError as error:
        sys.exit("%s cannot be fetched: %s" % (name, error))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # Under another name until it is whole.
    with open(path + ".part", "wb") as file:
        file.write(content)
    os.replace(path + ".part", path)
    return path


def questions(split):
    """The questions of a split, from the table in whichever form the data set has."""
    path = fetch("2023/%s/metadata.jsonl" % split)
    if path:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]
    path = fetch("2023/%s/metadata.parquet" % split)
    if not path:
        sys.exit("%s has no table of the split %s, neither as metadata.jsonl nor as metadata.parquet." % (SET, split))
    try:
        import pyarrow.parquet
    except ImportError:
        sys.exit("The table of %s is in Parquet: `pip install pyarrow`, then run this script again." % split)
    return pyarrow.parquet.read_table(path).to_pylist()


def task(split, question):
    """A question as a task, its attachment fetched."""
    made = {"id": question["task_id"]}
    name = os.path.basename(question.get("file_name") or "")
    if name:
        if not fetch("2023/%s/%s" % (split, name)):
            sys.exit("%s names the file %s, which the data set does not have." % (made["id"], name))
        made["attachments"] = [["../Downloads/GAIA/2023/%s/%s" % (split, name), "coding/" + name]]
    made["substitutions"] = {
        "question.py": {"__FILE_NAME__": name},
        "prompt.txt": {"__PROMPT__": question["Question"]},
        "expected_answer.txt": {"__EXPECTED_ANSWER__": question.get("Final answer") or ""},
    }
    return made


def main():
    for split in SPLITS:
        levels = {}
        for question in questions(split):
            if question["task_id"] != WELCOME:
                levels.setdefault(str(question["Level"]), []).append(task(split, question))
        for level, tasks in sorted(levels.items()):
            make_tasks.write("gaia_%s_level_%s_" % (split, level), tasks)


if __name__ == "__main__":
    main()
