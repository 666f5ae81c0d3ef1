"""A scorer of the benchmark's own: right only when the report is there as well."""

import os

from agbench.tabulate_cmd import default_tabulate


def scorer(folder):
    log = os.path.join(folder, "console_log.txt")
    if not os.path.isfile(log):
        return None
    with open(log, encoding="utf-8", errors="replace") as file:
        passed = "ALL TESTS PASSED !#!#" in file.read()
    return passed and os.path.isfile(os.path.join(folder, "coding", "report.txt"))


def main(args):
    default_tabulate(args, scorer=scorer)
