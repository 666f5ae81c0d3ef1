"""Makes the numbers that differences across benchmarks are held against, with SciPy and statsmodels alone.

    python make.py > numbers.json

Combined intervals (Yan, Su 2010): the strata's own intervals of fewer standard errors, read off such intervals in four rounds, added up by weight; of means, Agresti and
Min's (2005) as a t interval of the items with a half gained, a half lost and one that agrees. Tests: SciPy's permutation test of
paired samples, all signs. Score intervals of paired shares (Tango 1998): the likelihood of the three kinds of pairs is maximized by a general optimizer
under the restriction, and the ends are found by a general root finder.
"""

import json
import math
import sys

import numpy
import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats.meta_analysis import combine_effects


def restricted(won, lost, n, difference):
    """The share that only the first has, where likelihood is largest with this difference."""
    low, high = max(0.0, -difference), (1 - difference) / 2

    def unlikely(q):
        cells = [(won, q + difference), (lost, q), (n - won - lost, 1 - 2 * q - difference)]
        return -sum(count * math.log(max(share, 1e-300)) for count, share in cells if count)

    return optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-14}).x


Z = stats.norm.ppf(0.975)


def interval(won, lost, n, z=Z):

    def score(difference):
        q = restricted(won, lost, n, difference)
        variance = (2 * q + difference - difference**2) / n
        return ((won - lost) / n - difference) / math.sqrt(max(variance, 1e-300))

    seen = (won - lost) / n
    low = optimize.brentq(lambda d: score(d) - z, -1 + 1e-9, seen - 1e-9, xtol=1e-10) if seen > -1 else -1.0
    high = optimize.brentq(lambda d: score(d) + z, seen + 1e-9, 1 - 1e-9, xtol=1e-10) if seen < 1 else 1.0
    return [low, high]


def detectable(parts):
    """Power 0.8 at 0.05 two-sided: parts of (weight, items, discordance)."""
    za, zb = stats.norm.ppf(0.975), stats.norm.ppf(0.8)

    def lacks(d):
        whole = sum(w * w / n for w, n, p in parts)
        none = max(sum(w * w * p / n for w, n, p in parts), whole * d)
        some = none - whole * d * d
        return za * math.sqrt(none) + zb * math.sqrt(max(some, 0)) - d

    return optimize.brentq(lacks, 1e-6, 1, xtol=1e-14)


def means(differences, z):
    values = numpy.array([*differences, 1.0, -1.0, 0.0])
    weights = numpy.array([1.0] * len(differences) + [0.5, 0.5, 1.0])
    middle = numpy.average(values, weights=weights)
    spread = numpy.average((values - middle) ** 2, weights=weights)
    t = stats.t.ppf(stats.norm.cdf(z), len(differences) - 1)
    reach = t * math.sqrt(spread / weights.sum())
    return [max(middle - reach, -1.0), min(middle + reach, 1.0)]


def combined(strata, by):
    """Strata of (benchmark, won, lost, items) or (benchmark, differences)."""
    seen = [s[1] if len(s) == 2 else [1.0] * s[1] + [-1.0] * s[2] + [0.0] * (s[3] - s[1] - s[2]) for s in strata]
    names = sorted({s[0] for s in strata})
    every = sum(len(one) for one in seen)
    of = {name: sum(len(one) for s, one in zip(strata, seen) if s[0] == name) for name in names}
    weights = [len(one) / every if by == "item" else len(one) / of[s[0]] / len(names) for s, one in zip(strata, seen)]

    def interval_of(s, z):
        return means(s[1], z) if len(s) == 2 else interval(*s[1:], z)

    fewer = Z
    for _ in range(4):
        errors = [w * numpy.ptp(interval_of(s, fewer)) / (2 * fewer) for w, s in zip(weights, strata)]
        fewer = Z * numpy.linalg.norm(errors) / sum(errors)
    ends = [interval_of(s, fewer) for s in strata]
    shares = numpy.array([w / len(one) * d for w, one in zip(weights, seen) for d in one if d])
    # Differences of which each can have either sign: samples that change places.
    test = stats.permutation_test((shares, numpy.zeros(len(shares))), lambda x, y, axis: (x - y).sum(axis=axis), permutation_type="samples", n_resamples=numpy.inf, vectorized=True)
    return {
        "strata": [{"benchmark": s[0], "differences": s[1]} if len(s) == 2 else dict(zip(["benchmark", "won", "lost", "items"], s)) for s in strata],
        "weights": by,
        "difference": sum(w * numpy.mean(one) for w, one in zip(weights, seen)),
        "interval": [sum(w * end[side] for w, end in zip(weights, ends)) for side in (0, 1)],
        "p": float(test.pvalue),
    }


sets = [
    [("a", 4, 1, 13), ("a", 0, 0, 15), ("b", 5, 2, 60)],
    [("a", 10, 0, 10), ("b", 0, 3, 40)],
    [("a", 3, 0, 8), ("b", [0.25, 0.25, -0.5, 0.0, 0.5, 0.25, 0.25, 0.0])],
    [("a", [0.25] * 6), ("b", 2, 2, 20)],
]
counts = [(12, 2, 50), (0, 5, 20), (0, 0, 15), (8, 8, 91), (17, 5, 91), (90, 60, 1306), (1, 0, 10)]
effects = [([0.05, -0.02, 0.11], [0.0012, 0.0001, 0.0009]), ([0.1, 0.1, 0.1], [0.01, 0.02, 0.03]), ([0.2, -0.1], [0.001, 0.004])]
many = [91, 1306, 3641]
powers = [[(1, 91, 0.19)]]
for psi in (0.1, 0.2, 0.3):
    powers.append([(n / sum(many), n, psi) for n in many])
    powers.append([(1 / 3, n, psi) for n in many])
powers.append([(1, 91, 0.0)])
print(
    json.dumps(
        {
            "made": f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}; tests/across/make.py",
            "intervals": [{"won": w, "lost": l, "items": n, "interval": interval(w, l, n)} for w, l, n in counts],
            "heterogeneity": [
                {"effects": e, "variances": v, "q": float((r := combine_effects(numpy.array(e), numpy.array(v))).q), "i2": float(r.i2), "p": float(stats.chi2.sf(r.q, len(e) - 1))}
                for e, v in effects
            ],
            "combined": [combined(s, by) for s in sets for by in ("item", "benchmark")],
            "detectable": [{"parts": p, "difference": detectable(p)} for p in powers],
        },
        indent=1,
    )
)
