"""Makes the numbers that differences across benchmarks are held against, with SciPy and statsmodels alone.

    python make.py > numbers.json

Score intervals of paired shares (Tango 1998): the likelihood of the three kinds of pairs is maximized by a general optimizer
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


def interval(won, lost, n):
    z = stats.norm.ppf(0.975)

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
        none = sum(w * w * p / n for w, n, p in parts)
        some = sum(w * w * (p - d * d) / n for w, n, p in parts)
        return za * math.sqrt(none) + zb * math.sqrt(max(some, 0)) - d

    return optimize.brentq(lacks, 0, 1, xtol=1e-14)


counts = [(12, 2, 50), (0, 5, 20), (0, 0, 15), (8, 8, 91), (17, 5, 91), (90, 60, 1306), (1, 0, 10)]
effects = [([0.05, -0.02, 0.11], [0.0012, 0.0001, 0.0009]), ([0.1, 0.1, 0.1], [0.01, 0.02, 0.03]), ([0.2, -0.1], [0.001, 0.004])]
many = [91, 1306, 3641]
powers = [[(1, 91, 0.19)]]
for psi in (0.1, 0.2, 0.3):
    powers.append([(n / sum(many), n, psi) for n in many])
    powers.append([(1 / 3, n, psi) for n in many])
print(
    json.dumps(
        {
            "made": f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}; tests/across/make.py",
            "intervals": [{"won": w, "lost": l, "items": n, "interval": interval(w, l, n)} for w, l, n in counts],
            "heterogeneity": [
                {"effects": e, "variances": v, "q": float((r := combine_effects(numpy.array(e), numpy.array(v))).q), "i2": float(r.i2), "p": float(stats.chi2.sf(r.q, len(e) - 1))}
                for e, v in effects
            ],
            "detectable": [{"parts": p, "difference": detectable(p)} for p in powers],
        },
        indent=1,
    )
)
