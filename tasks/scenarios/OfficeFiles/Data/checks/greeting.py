"""Whether the greeting is there, letter for letter."""

with open("greeting.txt", encoding="utf-8") as file:
    said = file.read()
assert said.rstrip("\n") == "안녕하세요, 세계", said
print("ALL TESTS PASSED !#!#")
