"""Runs a benchmark's custom_tabulate.py on results, with our module under the names that it imports."""

import importlib.util
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(here, "scripts"), os.path.join(here, "stub")]
spec = importlib.util.spec_from_file_location("custom_tabulate", os.path.join(here, "scripts", sys.argv[1]))
module = importlib.util.module_from_spec(spec)
sys.modules["custom_tabulate"] = module
spec.loader.exec_module(module)
module.main(["autogenbench tabulate"] + sys.argv[2:])
