"""Makes the numbers that the item-response model is held against, with SciPy's general optimizer and integrator alone.

    python make.py > rasch.json

Answers are made up. Fitted is the largest posterior density of a Rasch model with abilities of spread 1 around 0 and difficulties
of spread 2 around their own mean; the chances of items integrate over each difficulty's posterior with the abilities as fitted.
"""

import json
import sys

import numpy
import scipy
from scipy import integrate, optimize
from scipy.special import expit

rng = numpy.random.default_rng(21)
models, items = 5, 12
true = expit(rng.normal(0, 1, (models, 1)) - rng.normal(-1, 2, (1, items)))
solved = (rng.random((models, items)) < true).astype(float)
seen = numpy.ones((models, items), bool)
seen[1, 3] = False
answers = [True, False, True, None, None, True, None, None, None, None, None, None]


def unlikely(x):
    a, b = x[:models], x[models:]
    p = expit(a[:, None] - b[None, :])
    likely = numpy.where(solved == 1, numpy.log(p), numpy.log1p(-p))
    return -(likely[seen].sum() - (a**2).sum() / 2 - ((b - b.mean()) ** 2).sum() / 8)


fit = optimize.minimize(unlikely, numpy.zeros(models + items), method="BFGS", options={"gtol": 1e-9, "maxiter": 10_000}).x
abilities, difficulties = fit[:models], fit[models:]
middle = difficulties.mean()


def chance(item, ability):
    """Of a model of some ability, over all difficulties that the answers leave open."""

    def density(b):
        p = expit(abilities - b)
        likely = numpy.where(solved[:, item] == 1, p, 1 - p)[seen[:, item]].prod()
        return likely * numpy.exp(-(((b - middle) / 2) ** 2) / 2)

    whole = integrate.quad(density, middle - 16, middle + 16, epsabs=1e-13)[0]
    return integrate.quad(lambda b: density(b) * expit(ability - b), middle - 16, middle + 16, epsabs=1e-13)[0] / whole


grid = numpy.linspace(-6, 6, 121)
table = numpy.array([[chance(item, ability) for ability in grid] for item in range(items)])
weight = numpy.exp(-(grid**2) / 2)
for item, answer in enumerate(answers):
    if answer is not None:
        weight *= table[item] if answer else 1 - table[item]
weight /= weight.sum()
rest = table[[item for item, answer in enumerate(answers) if answer is None]]
mean = weight @ rest.sum(0)
variance = weight @ (rest * (1 - rest)).sum(0) + weight @ (rest.sum(0) - mean) ** 2
print(
    json.dumps(
        {
            "made": f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, SciPy {scipy.__version__}; tests/adaptive/make.py",
            "solved": [[bool(one) if known else None for one, known in zip(row, of)] for row, of in zip(solved, seen)],
            "abilities": abilities.tolist(),
            "difficulties": difficulties.tolist(),
            "answers": answers,
            "rest_mean": float(mean),
            "rest_variance": float(variance),
        },
        indent=1,
    )
)
