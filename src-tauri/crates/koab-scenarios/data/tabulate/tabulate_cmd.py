"""What a benchmark's own custom_tabulate.py finds in the place of the original's module: default_tabulate and its parts.

Everything here is the product's own and needs nothing but Python.
"""

import csv
import os
import re
import sys

PASSED = "ALL TESTS PASSED !#!#"
COMPLETE = "SCENARIO.PY COMPLETE !#!#"
CRASHED = "SCENARIO.PY EXITED WITH CODE:"
LOG = "console_log.txt"


def _log(folder):
    try:
        with open(os.path.join(folder, LOG), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def default_scorer(instance_dir, success_string=PASSED):
    """True where the log holds the marker, False where the scenario ended without it, None where nothing is known."""
    log = _log(instance_dir)
    if log is None:
        return None
    if success_string in log:
        return True
    return False if COMPLETE in log or CRASHED in log else None


def default_timer(instance_dir, timer_regex=r"RUNTIME:\s*([\d.]+) !#!#"):
    """Seconds that the scenario took, by its log."""
    found = re.search(timer_regex, _log(instance_dir) or "")
    return float(found.group(1)) if found else None


def _natural(name):
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", name)]


def _folders(folder):
    names = [name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name))]
    return sorted((name for name in names if name != "__pycache__" and not name.startswith(".")), key=_natural)


def _verdict(score):
    return score[0] if isinstance(score, (tuple, list)) and score else score


def _text(value):
    return "" if value is None else str(value)


def _columns(rows):
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for at, row in enumerate(rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if at == 0:
            print("  ".join("-" * width for width in widths))


def default_tabulate(args, scorer=default_scorer, timer=default_timer, exclude_dir_names=(), **_others):
    """Prints a table of the results in the last folder that `args` name; `--csv` prints values separated by commas."""
    as_csv = any(word in ("-c", "--csv") for word in args[1:])
    named = [word for word in args[1:] if not word.startswith("-")]
    if not named:
        print("default_tabulate: no folder of results is named", file=sys.stderr)
        sys.exit(2)
    base = named[0]
    found, trials = [], set()
    for task in _folders(base):
        if task in exclude_dir_names:
            continue
        cells = {}
        for name in _folders(os.path.join(base, task)):
            if not name.isdigit():
                continue
            folder = os.path.join(base, task, name)
            cells[int(name)] = (_verdict(scorer(folder)), timer(folder) if timer else None)
        trials.update(cells)
        found.append((task, cells))
    trials = sorted(trials)
    header = ["Task Id"]
    for trial in trials:
        header += ["Trial %d Success" % trial, "Trial %d Time" % trial]
    rows = []
    for task, cells in found:
        row = [task]
        for trial in trials:
            row += [_text(value) for value in cells.get(trial, (None, None))]
        rows.append(row)
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([header] + rows)
        return args, rows
    _columns([header] + rows)
    print()
    summary = [["", "Successes", "Failures", "Missing", "Total"]]
    for trial in trials:
        verdicts = [cells.get(trial, (None, None))[0] for _, cells in found]
        missing = sum(verdict is None for verdict in verdicts)
        passed = sum(verdict is not None and bool(verdict) for verdict in verdicts)
        counts = [passed, len(verdicts) - missing - passed, missing, len(verdicts)]
        summary.append(["Trial %d" % trial] + [str(count) for count in counts])
    _columns(summary)
    return args, rows
