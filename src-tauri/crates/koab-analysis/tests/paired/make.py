"""Makes the numbers that the paired tests are held against, with SciPy and statsmodels alone.

    python make.py > closed_forms.json                      # formulas, from made-up numbers
    python make.py ../../../../../../shared/parity > published.json   # the eight published reports

Nothing of this product is used: the scores are read from the reports' JSON here, and every number comes from a call of
SciPy, statsmodels or NumPy that is named beside it.
"""

import json
import math
import sys
from itertools import combinations, product
from pathlib import Path

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import tt_solve_power
from statsmodels.stats.proportion import proportion_confint

MADE = (
    f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, SciPy {scipy.__version__}, "
    f"statsmodels {statsmodels.__version__}; tests/paired/make.py"
)
LEVELS = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"]


def exact(lost, won):
    """Both libraries' exact McNemar p, which must agree."""
    n = lost + won
    if n == 0:
        return 1.0
    one = mcnemar([[0, lost], [won, 0]], exact=True).pvalue
    other = stats.binomtest(min(lost, won), n, 0.5).pvalue
    assert math.isclose(one, other, rel_tol=1e-10), (lost, won, one, other)
    return float(other)


def flips(differences):
    """p of the mean under every assignment of signs."""
    result = stats.permutation_test(
        (numpy.array(differences), numpy.zeros(len(differences))),
        lambda x, y, axis: numpy.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=numpy.inf,
        alternative="two-sided",
    )
    return float(result.pvalue)


def connor(b, c, n):
    """Tasks for McNemar's test with power 0.8 at 0.05 two-sided (Connor 1987), from the shares seen."""
    psi, delta = (b + c) / n, abs(b - c) / n
    za, zb = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    return float((za * math.sqrt(psi) + zb * math.sqrt(psi - delta**2)) ** 2 / delta**2)


def closed_forms():
    pairs = [(0, 0), (0, 1), (1, 0), (0, 5), (0, 6), (1, 8), (3, 9), (5, 5), (2, 12), (10, 25), (17, 40), (0, 40), (45, 46), (300, 380)]
    families = [
        [0.04],
        [0.01, 0.04, 0.03, 0.005],
        [0.5, 0.02, 0.02, 1.0, 0.0001, 0.3],
        [0.9, 0.8, 0.7],
    ]
    differences = [
        [0.5, -0.25, 0.75, 1.0, 0.5],
        [0.1, 0.2, 0.3, -0.1, 0.0, 0.0, 0.4, -0.2],
        [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [1 / 3, -1 / 3, 2 / 3, 1 / 7, -0.5, 0.25, 0.125, 0.9, -0.9, 0.4, 0.35, -0.05, 0.01],
    ]
    needed = [(2, 9, 91), (10, 18, 91), (30, 31, 91), (5, 12, 200)]
    sizes = [0.05, 0.1, 0.25, 0.5, 0.8]
    za, zb = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    return {
        "made": MADE,
        "mcnemar": {
            "call": "scipy.stats.binomtest(min(lost, won), lost + won, 0.5), equal to statsmodels mcnemar(exact=True)",
            "rows": [[b, c, exact(b, c)] for b, c in pairs],
        },
        "holm": {
            "call": "statsmodels multipletests(p, method='holm')",
            "rows": [{"p": p, "holm": multipletests(p, method="holm")[1].tolist()} for p in families],
        },
        "flips": {
            "call": "scipy.stats.permutation_test(permutation_type='samples', n_resamples=inf) of the mean difference",
            "rows": [{"differences": d, "p": flips(d)} for d in differences],
        },
        "needed_binary": {
            "call": "Connor's formula with scipy.stats.norm.ppf",
            "rows": [[b, c, n, connor(b, c, n)] for b, c, n in needed],
        },
        "needed_mean": {
            "call": "((norm.ppf(0.975) + norm.ppf(0.8)) / d)^2; beside it statsmodels tt_solve_power(d, alpha=0.05, power=0.8), "
            "which is a little more for its t distribution",
            "rows": [[d, float(((za + zb) / d) ** 2), float(tt_solve_power(d, alpha=0.05, power=0.8))] for d in sizes],
        },
    }


def scores(report, metric):
    found = {}
    for level in LEVELS:
        for task in report["by_level"][level]["task_evaluations"]:
            score = task["metrics"].get(metric)
            if score is not None:
                found[level, task["task_id"]] = score["score"]
    return found


def published(parity):
    names = sorted(path.name for path in (parity / "reports").iterdir())
    reports = [json.loads((parity / "reports" / name / "evaluation_report.json").read_text()) for name in names]
    success = [scores(report, "SR") for report in reports]
    pairs = []
    for i, j in combinations(range(len(names)), 2):
        assert success[i].keys() == success[j].keys() and len(success[i]) == 91
        lost = sum(success[i][task] > success[j][task] for task in success[i])
        won = sum(success[i][task] < success[j][task] for task in success[i])
        pairs.append([i, j, lost, won, exact(lost, won)])
    holm = multipletests([row[4] for row in pairs], method="holm")[1].tolist()
    wilson = []
    for i, of in enumerate(success):
        for level in [None, *LEVELS]:
            values = [value for (one, _), value in of.items() if level in (None, one)]
            low, high = proportion_confint(sum(values), len(values), method="wilson")
            wilson.append([i, level, int(sum(values)), len(values), float(low), float(high)])
    # Bootstraps with far more draws than the product makes, so that only its own chance parts the two.
    draws = 200_000
    random = numpy.random.default_rng(8)
    bootstrap = []
    for i, j in combinations(range(len(names)), 2):
        sums = numpy.zeros(draws)
        for level in LEVELS:
            d = numpy.array([success[j][t] - success[i][t] for t in success[i] if t[0] == level])
            sums += d[random.integers(0, len(d), (draws, len(d)))].sum(axis=1)
        means = sums / 91
        low, high = numpy.percentile(means, [2.5, 97.5])
        bootstrap.append([i, j, float(means.mean()), float(low), float(high), float(means.std(ddof=1))])
    coverage = []
    of = [scores(report, "Coverage") for report in reports]
    for i, j in combinations(range(len(names)), 2):
        d = [of[j][task] - of[i][task] for task in of[i]]
        coverage.append([i, j, float(numpy.mean(d)), flips(d)])
    return {
        "made": MADE,
        "reports": names,
        "pairs": {
            "call": "scipy.stats.binomtest, equal to statsmodels mcnemar(exact=True); Holm over the 28 by multipletests",
            "columns": ["first", "second", "only first solved", "only second solved", "p", "holm"],
            "rows": [[*row, adjusted] for row, adjusted in zip(pairs, holm)],
        },
        "wilson": {
            "call": "statsmodels proportion_confint(method='wilson') of SR; level null is all 91 tasks",
            "columns": ["report", "level", "solved", "tasks", "low", "high"],
            "rows": wilson,
        },
        "bootstrap": {
            "call": f"NumPy default_rng(8), {draws} draws of tasks within their level; numpy.percentile 2.5 and 97.5",
            "columns": ["first", "second", "mean", "low", "high", "standard error"],
            "rows": bootstrap,
        },
        "coverage": {
            "call": "L4 Coverage: numpy.mean of the differences, scipy.stats.permutation_test over all signs",
            "columns": ["first", "second", "difference", "p"],
            "rows": coverage,
        },
    }


if __name__ == "__main__":
    made = published(Path(sys.argv[1])) if len(sys.argv) > 1 else closed_forms()
    print(json.dumps(made, ensure_ascii=False, indent=1))
