"""Asks the model that OAI_CONFIG_LIST names, with Python's standard library alone.

OAI_CONFIG_LIST holds a JSON list of {"model", "base_url", "api_key"}, or the name of a file with one; the first entry
counts. The server speaks Chat Completions.
"""

import json
import os
import sys
import urllib.error
import urllib.request


def _fail(why):
    print("The model cannot be asked: " + why)
    sys.exit(1)


def _entry():
    text = os.environ.get("OAI_CONFIG_LIST", "").strip()
    if not text:
        _fail("OAI_CONFIG_LIST is not set; name a model configuration with --config")
    if os.path.isfile(text):
        with open(text, encoding="utf-8") as file:
            text = file.read()
    try:
        return json.loads(text)[0]
    except (ValueError, LookupError) as error:
        _fail("OAI_CONFIG_LIST is no JSON list with an entry: " + str(error))


def ask(messages):
    """The model's answer to a conversation, as text."""
    entry = _entry()
    url = (entry.get("base_url") or "https://api.openai.com/v1").rstrip("/") + "/chat/completions"
    body = json.dumps({"model": entry["model"], "messages": messages}).encode("utf-8")
    headers = {"Content-Type": "application/json"}
    if entry.get("api_key"):
        headers["Authorization"] = "Bearer " + entry["api_key"]
    request = urllib.request.Request(url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            said = json.load(answer)
        return said["choices"][0]["message"]["content"] or ""
    except urllib.error.HTTPError as error:
        _fail("the server answered HTTP %d: %s" % (error.code, error.read(500).decode("utf-8", "replace")))
    except (OSError, ValueError, LookupError, TypeError) as error:
        _fail(str(error))
