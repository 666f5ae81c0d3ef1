"""Asks a model one question and compares its answer with the expected one."""

import json

from ask import ask

with open("prompt.txt", encoding="utf-8") as file:
    prompt = file.read().strip()
with open("expected_answer.txt", encoding="utf-8") as file:
    expected = file.read().strip()
messages = [{"role": "user", "content": prompt}]
answer = ask(messages).strip().replace("\n", " ")
messages.append({"role": "assistant", "content": answer})
with open("assistant_messages.json", "w", encoding="utf-8") as file:
    json.dump({"user": messages}, file, indent=4, ensure_ascii=False)
print("FINAL ANSWER:", answer.replace("!#!#", ""))
if answer.rstrip(".").casefold() == expected.casefold():
    print("ALL TESTS PASSED !#!#")
else:
    print("SOME TESTS FAILED - TRY AGAIN !#!#")
