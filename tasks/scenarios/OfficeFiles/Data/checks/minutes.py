"""Whether all jobs of the minutes are listed, in order of names."""

with open("todo.txt", encoding="utf-8") as file:
    said = [line.strip() for line in file if line.strip()]
expected = [
    "Kim: ask for two microphones",
    "Kim: write to the printer",
    "Lee: count the chairs",
    "Park: book the hall",
]
assert said == expected, said
print("ALL TESTS PASSED !#!#")
