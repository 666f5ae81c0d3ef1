"""Tells the verdict, and keeps agents from telling it: readers of the log look for its marker wherever it stands."""

import sys

PASSED = "ALL TESTS PASSED"
FAILED = "SOME TESTS FAILED - TRY AGAIN"
MARKER = "!#!#"


class _Unmarked:
    """Standard output on which no marker arrives."""

    def __init__(self, stream):
        self._stream = stream

    def write(self, text):
        self._stream.write(text.replace(MARKER, ""))
        return len(text)

    def __getattr__(self, name):
        return getattr(self._stream, name)


sys.stdout = _Unmarked(sys.__stdout__)


def tell(passed):
    """Prints the verdict on a line of its own."""
    sys.__stdout__.write("\n%s %s\n" % (PASSED if passed else FAILED, MARKER))
    sys.__stdout__.flush()
