"""Whether the sums of each place are right."""

import json

with open("totals.json", encoding="utf-8") as file:
    said = json.load(file)
assert said == {"서울": 15000, "부산": 8000, "제주": 21000}, said
print("ALL TESTS PASSED !#!#")
