"""Makes a scenario file for every template out of tasks.

A line of a .jsonl file in Data is a scenario without its template: "id", "substitutions" and, where it has any,
"attachments" as [file, target]. What all templates share lies in Shared/Task; a template whose name begins as another
folder of Shared is called gets that folder, too.
"""

import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARK = os.path.dirname(HERE)


def _parts(template):
    """The folders that make up a trial with this template."""
    shared = sorted(os.listdir(os.path.join(BENCHMARK, "Shared")))
    parts = ["../Shared/" + name for name in shared if name == "Task" or template.startswith(name)]
    # What the task has in common comes first, so that a template can have a file of its own in its place.
    parts.sort(key=lambda part: part != "../Shared/Task")
    return parts + ["../Templates/" + template]


def write(prefix, tasks):
    """Writes Tasks/<prefix>_<template>.jsonl for every template."""
    folder = os.path.join(BENCHMARK, "Tasks")
    os.makedirs(folder, exist_ok=True)
    for template in sorted(os.listdir(os.path.join(BENCHMARK, "Templates"))):
        name = prefix + "_" + "".join(template.split()) + ".jsonl"
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as out:
            for task in tasks:
                line = {"id": task["id"], "template": _parts(template) + task.get("attachments", [])}
                line["substitutions"] = task["substitutions"]
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
        print("Tasks/%s: %d tasks" % (name, len(tasks)))


def main():
    data = os.path.join(BENCHMARK, "Data")
    for name in sorted(os.listdir(data)):
        if name.endswith(".jsonl"):
            with open(os.path.join(data, name), encoding="utf-8") as file:
                write(name[: -len(".jsonl")], [json.loads(line) for line in file if line.strip()])


if __name__ == "__main__":
    main()
