"""Tests solution.py, and prints the word it is given when they pass."""

import sys
import traceback

_token = sys.argv.pop()

__TEST__

try:
    from solution import __ENTRY_POINT__ as _candidate

    check(_candidate)
except BaseException:
    traceback.print_exc(limit=4)
    sys.exit(1)
print(_token)
