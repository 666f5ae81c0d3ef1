"""Runs a benchmark's own program and brings what it found into a form that koab reads.

original.sh runs the program, once for the category of this trial. It leaves two files of JSON lines somewhere below this
folder: one with a line for each item that was asked, which has its `id`, and one whose first line counts (`correct_count`,
`total_count`) and whose other lines are the items that are wrong, each with its `id`. Other programs write other forms: this
file is the one place that knows them. What it writes, answers.jsonl, is the form of `koab evaluate --answers`.
"""

import glob
import json
import subprocess
import sys

CATEGORY = "__CATEGORY__"


def _fail(why):
    print(why)
    print("SOME TESTS FAILED - TRY AGAIN !#!#")
    sys.exit(1)


def _lines(kind):
    name = "BFCL_v4_%s_%s.json" % (CATEGORY, kind)
    found = sorted(glob.glob("**/" + name, recursive=True))
    if len(found) != 1:
        _fail("%d files named %s lie below the trial's folder; one is wanted" % (len(found), name))
    with open(found[0], encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def _error_type(line):
    error = line.get("error")
    if isinstance(error, dict):
        error = error.get("error_type")
    return line.get("error_type") or (error if isinstance(error, str) else None)


ended = subprocess.call(["sh", "original.sh", CATEGORY])
if ended != 0:
    _fail("original.sh ended with code %d" % ended)
asked = [line["id"] for line in _lines("result")]
counts, *wrong = _lines("score")
wrong = {line["id"]: _error_type(line) for line in wrong}
counted = {"total_count": len(asked), "correct_count": len(asked) - len(wrong)}
for name, count in counted.items():
    if counts.get(name) != count:
        _fail("the program says %s %s, and its lines say %d" % (name, counts.get(name), count))
if len(set(asked)) != len(asked) or not set(wrong) <= set(asked):
    _fail("an item was asked twice, or is wrong and was never asked")
with open("answers.jsonl", "w", encoding="utf-8") as file:
    for item in asked:
        verdict = {"valid": item not in wrong, "error_type": wrong.get(item)}
        file.write(json.dumps({"id": item, "output": {"content": json.dumps(verdict)}}) + "\n")
print("%d of %d items are right" % (counted["correct_count"], len(asked)))
# The program has come to its end; how many items are right is no test of this scenario.
print("ALL TESTS PASSED !#!#")
