"""Makes the numbers that the gate's boundaries are held against, with SciPy alone, and lists published ones.

    python make.py > boundaries.json

The boundaries follow from SciPy's multivariate normal distribution: the chance to have crossed none of the first k equals
one less what the spending function allows by then. Published ones: Lan-DeMets boundaries like O'Brien and Fleming's for a
two-sided level of 0.05, as in Proschan, Lan and Wittes, *Statistical Monitoring of Clinical Trials* (2006) and as gsDesign's
`sfLDOF` gives them with alpha 0.025.
"""

import json
import sys

import numpy
import scipy
from scipy import optimize, stats

PUBLISHED = {
    "2": [2.9626, 1.9686],
    "3": [3.7103, 2.5114, 1.9930],
    "4": [4.3326, 2.9631, 2.3590, 2.0141],
    "5": [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
}


def spent(alpha, t):
    return 2 - 2 * stats.norm.cdf(stats.norm.ppf(1 - alpha / 2) / numpy.sqrt(t))


def crossed_none(bounds, times, drift=0.0):
    times = numpy.array(times[: len(bounds)])
    mean = drift * numpy.sqrt(times)
    if len(bounds) == 1:
        return stats.norm.cdf(bounds[0] - mean[0])
    covariance = numpy.sqrt(numpy.minimum.outer(times, times) / numpy.maximum.outer(times, times))
    return stats.multivariate_normal.cdf(numpy.array(bounds), mean, covariance, maxpts=200_000, abseps=1e-8, releps=1e-8, rng=1)


def boundaries(alpha, times):
    bounds = []
    for k, t in enumerate(times):
        goal = 1 - spent(alpha, t)
        bounds.append(optimize.brentq(lambda c: crossed_none(bounds + [c], times) - goal, 0, 9, xtol=1e-6))
    return bounds


rows = []
for alpha, times in [(0.05, [0.5, 1]), (0.05, [0.25, 0.5, 1]), (0.05, [0.3, 0.35, 0.8, 1]), (0.025, [0.2, 0.4, 0.6, 0.8, 1])]:
    bounds = boundaries(alpha, times)
    rows.append(
        {
            "alpha": alpha,
            "shares": times,
            "boundaries": bounds,
            "power_at_2.6": 1 - float(crossed_none(bounds, times, 2.6)),
        }
    )
print(
    json.dumps(
        {
            "made": f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, SciPy {scipy.__version__}; tests/gate/make.py",
            "published": {"alpha": 0.025, "looks": PUBLISHED},
            "scipy": rows,
        },
        indent=1,
    )
)
