"""Adds two numbers: the smallest scenario there is. A file as template becomes scenario.py."""

found = __A__ + __B__
print("__A__ + __B__ =", found)
print("FINAL ANSWER:", found)
print("ALL TESTS PASSED !#!#" if found == __EXPECTED__ else "SOME TESTS FAILED - TRY AGAIN !#!#")
