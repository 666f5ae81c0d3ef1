"""Whether the two tables were joined, and those they were made of are as they were."""

import csv


def rows(name):
    with open(name, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


assert rows("joined.csv") == [["id", "name", "paid"], ["1", "김하늘", ""], ["2", "이바다", "yes"], ["3", "박나무", "no"]]
assert rows("members.csv")[1] == ["3", "박나무"] and len(rows("fees.csv")) == 4
print("ALL TESTS PASSED !#!#")
