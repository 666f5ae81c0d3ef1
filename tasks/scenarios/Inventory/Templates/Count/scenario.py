"""Counts what a stock list holds: a folder as template, an attachment, a script before the scenario and one after."""

import csv
import os

with open("coding/__FILE_NAME__", encoding="utf-8", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["place"] == "__PLACE__"]
total = sum(int(row["count"]) for row in rows)
with open("coding/report.txt", "w", encoding="utf-8") as file:
    file.writelines("%s: %s\n" % (row["item"], row["count"]) for row in rows)
with open("expected_answer.txt", encoding="utf-8") as file:
    expected = file.read().strip()
print("prepared:", os.path.isfile("prepared.txt"))
print("FINAL ANSWER:", total)
if str(total) == expected:
    print("ALL TESTS PASSED !#!#")
else:
    print("SOME TESTS FAILED - TRY AGAIN !#!#")
