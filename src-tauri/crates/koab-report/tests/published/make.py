"""Makes figures.json: what the published evaluator gives for eight published runs, in figures and hashes alone.

Usage: make.py FOLDER, a folder that holds `expected.json` (scores, means and composites by the published evaluator) beside `logs/` and
`reports/` of the published repository, and `combined_expected.csv` by its combine script.
"""

import hashlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
root = pathlib.Path(sys.argv[1])


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


expected = json.loads((root / "expected.json").read_text())
levels = [f"L{number}" for number in range(1, 8)]
tasks = {level: sorted(next(iter(expected.values()))[level]) for level in levels}
models = {}
for model, figures in sorted(expected.items()):
    run = next((root / "logs/benchmark_results/by_model" / model).iterdir())
    report = root / "reports" / f"{model}_{run.name.split('_')[0]}"
    models[model] = {
        "run": run.name,
        "logs": {level: sha256(run / f"{level}.json") for level in levels},
        "report": {name: sha256(report / name) for name in ("evaluation_report.json", "evaluation_summary.csv", "evaluation_report.md")},
        # By level and metric: a score a task, in the order of `tasks`.
        "scores": {
            level: {
                metric: [figures[level][task][metric] for task in tasks[level]]
                for metric in figures[level][tasks[level][0]]
            }
            for level in levels
        },
        "means": {level: figures["averages"][level] for level in levels},
        "composites": figures["composite"],
    }
whole = {"tasks": tasks, "combined_csv": sha256(root / "combined_expected.csv"), "models": models}
lines = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace('"scores":', '\n"scores":').replace('"means":', '\n"means":')
(HERE / "figures.json").write_text(lines.replace('},"', '},\n"') + "\n")
