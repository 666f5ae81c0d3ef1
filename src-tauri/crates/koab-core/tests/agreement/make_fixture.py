"""Makes values.json: random tables of answers with what other people's code says about their agreement.

python3 -m venv v && v/bin/pip install numpy scikit-learn statsmodels krippendorff && v/bin/python make_fixture.py > values.json

Cohen's kappa is scikit-learn's, Fleiss' is statsmodels', Krippendorff's alpha is that of the package `krippendorff`;
percent agreement is counted here. `null` is no answer in a table, and "cannot be computed" as a value.
"""

import itertools
import json
import random
import sys
import warnings

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

warnings.simplefilter("error")


def table(rng, columns, rows, answers, missing, noise):
    made = []
    for _ in range(rows):
        truth = rng.choice(answers)
        row = [rng.choice(answers) if rng.random() < noise else truth for _ in range(columns)]
        made.append([None if rng.random() < missing else answer for answer in row])
    return made


def value(compute):
    try:
        result = float(compute())
    except (ValueError, ZeroDivisionError, RuntimeWarning):
        return None
    return None if np.isnan(result) else result


def percent(rows):
    pairs = [pair for row in rows for pair in itertools.combinations([a for a in row if a is not None], 2)]
    return sum(a == b for a, b in pairs) / len(pairs)


def cohen(rows, i, j):
    both = [(row[i], row[j]) for row in rows if row[i] is not None and row[j] is not None]
    ones, others = zip(*both)
    return cohen_kappa_score(ones, others)


def fleiss(rows):
    whole = np.array([row for row in rows if None not in row])
    return fleiss_kappa(aggregate_raters(whole)[0])


def alpha(rows, level):
    data = np.array([[np.nan if a is None else a for a in row] for row in rows], dtype=float).T
    return krippendorff.alpha(reliability_data=data, level_of_measurement=level)


def main():
    rng = random.Random(20261121)
    cases = []
    for columns, answers, missing in itertools.product([2, 3, 5], [[0, 1], [1, 2, 3, 4, 5]], [0.0, 0.2]):
        for noise in [0.1, 0.5, 1.0]:
            rows = table(rng, columns, rng.randint(8, 40), answers, missing, noise)
            cases.append({
                "rows": rows,
                "percent": value(lambda: percent(rows)),
                "cohen": [value(lambda: cohen(rows, i, j)) for i, j in itertools.combinations(range(columns), 2)],
                "fleiss": value(lambda: fleiss(rows)) if columns > 2 else None,
                "nominal": value(lambda: alpha(rows, "nominal")),
                "ordinal": value(lambda: alpha(rows, "ordinal")),
            })
    lines = ",\n".join(json.dumps(case) for case in cases)
    sys.stdout.write(f"[\n{lines}\n]\n")


main()
