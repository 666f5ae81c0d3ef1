"""Makes the numbers that the prediction-powered mean is held against, with `ppi_py` (package `ppi-python`) alone.

    python make.py > means.json
"""

import json
import sys
from importlib.metadata import version

import numpy
from ppi_py import classical_mean_ci, ppi_mean_ci, ppi_mean_pointestimate

rng = numpy.random.default_rng(20251219)
cases = []
for name, people, items, right, wrong, unequal in [
    ("a judge that is kind", 40, 160, 0.95, 0.35, False),
    ("a judge that says nothing", 40, 160, 0.5, 0.5, False),
    ("a judge that is always right", 50, 150, 1.0, 0.0, False),
    ("unequal chances", 60, 140, 0.9, 0.3, True),
]:
    said = (rng.random(items + people) < 0.7).astype(float)
    judged = (rng.random(items + people) < numpy.where(said == 1, right, wrong)).astype(float)
    chance = numpy.where(numpy.arange(items + people) % 2 == 0, 0.4, 0.2) if unequal else numpy.full(items + people, people / (items + people))
    asked = numpy.zeros(items + people, bool)
    asked[:people] = True
    y, f, u = said[asked], judged[asked], judged[~asked]
    w, wu = (1 / chance[asked], 1 / (1 - chance[~asked])) if unequal else (None, None)
    # The interval's own λ is the one to hold against; the mean is the middle of it.
    low, high = (float(end.item()) for end in ppi_mean_ci(y, f, u, alpha=0.05, w=w, w_unlabeled=wu))
    plain = [float(numpy.asarray(end).item()) for end in classical_mean_ci(y, w=w, alpha=0.05)]
    cases.append(
        {
            "name": name,
            "judged": judged.tolist(),
            "human": [float(one) if is_asked else None for one, is_asked in zip(said, asked)],
            "probability": chance.tolist(),
            "corrected": [low, high],
            "human_only": plain,
            "untuned_mean": float(numpy.asarray(ppi_mean_pointestimate(y, f, u, lam=1, w=w, w_unlabeled=wu)).item()),
        }
    )
print(
    json.dumps(
        {
            "made": f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, ppi-python {version('ppi-python')}; tests/ppi/make.py",
            "cases": cases,
        }
    )
)
