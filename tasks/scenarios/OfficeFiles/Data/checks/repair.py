"""Whether the function is right now."""

import subprocess
import sys

# In a process of its own, since code that was written by others can end the one it runs in.
PROGRAM = "from middle import middle; a = [5, 1, 4]; print(middle(a), middle([4, 1, 3, 2]), middle([7]), a)"
ran = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
said = ran.stdout.decode("utf-8", "replace").strip()
assert said in ("4 2.5 7 [5, 1, 4]", "4 2.5 7.0 [5, 1, 4]", "4.0 2.5 7.0 [5, 1, 4]"), said
print("ALL TESTS PASSED !#!#")
