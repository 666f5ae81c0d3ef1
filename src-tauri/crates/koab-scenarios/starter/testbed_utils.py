"""What scenarios written for AutoGen 0.1 and 0.2 call: init() first, finalize(agents) last.

Everything here works without AutoGen, too, so that a scenario can be tried without it.
"""

import datetime
import json
import re

try:
    import autogen
except ImportError:
    autogen = None

TIMESTAMP = "timestamp.txt"
_telemetry = False


def _version():
    """The library's version as a comparable tuple: betas come before their release."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)(?:b(\d+))?", getattr(autogen, "__version__", "") or "")
    if not found:
        return None
    major, minor, patch, beta = found.groups()
    return int(major), int(minor), int(patch), int(beta) if beta else 10**6


def init():
    """Notes time and library version, and begins to record model calls where the library can."""
    global _telemetry
    with open(TIMESTAMP, "a", encoding="utf-8") as out:
        out.write("Timestamp: " + datetime.datetime.now().isoformat() + "\n")
        if autogen is not None:
            out.write("pyautogen version: " + str(getattr(autogen, "__version__", "unknown")) + "\n")
    if autogen is None:
        return
    if hasattr(autogen, "runtime_logging"):
        try:
            autogen.runtime_logging.start(config={"dbname": "telemetry.db"})
            _telemetry = True
        except Exception as error:
            print("Model calls are not recorded:", error)
    elif hasattr(autogen, "ChatCompletion"):
        autogen.ChatCompletion.start_logging(compact=False)


def finalize(agents):
    """Writes each agent's conversations to <name>_messages.json."""
    for agent in agents:
        messages = {}
        for other, said in (getattr(agent, "chat_messages", None) or {}).items():
            messages[getattr(other, "name", str(other))] = said
        with open(agent.name + "_messages.json", "w", encoding="utf-8") as out:
            json.dump(messages, out, indent=4, default=str)
    if _telemetry:
        autogen.runtime_logging.stop()
    elif hasattr(autogen, "ChatCompletion") and getattr(autogen.ChatCompletion, "logged_history", None) is not None:
        with open("completion_log.json", "w", encoding="utf-8") as out:
            json.dump(autogen.ChatCompletion.logged_history, out, indent=4, default=str)
        autogen.ChatCompletion.stop_logging()


def default_llm_config(config_list, timeout=180):
    """A model configuration without response caching, as this version of the library spells it."""
    config = {"config_list": config_list}
    version = _version()
    if version is not None and version < (0, 2, 0, 1):
        config.update(request_timeout=timeout, use_cache=False)
    elif version is not None and version < (0, 2, 0, 4):
        config.update(timeout=timeout, cache=None)
    else:
        config.update(timeout=timeout, cache_seed=None)
    return config
