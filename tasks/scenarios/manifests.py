"""Writes the MANIFEST.json of every benchmark here, with hashes. Run it after changing a file."""

import hashlib
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
MADE = {"MANIFEST.json", "__pycache__", "Downloads", "Results", "results"}
for name in json.loads((HERE / "MANIFEST.json").read_text())["scenarios"]:
    folder = HERE / name
    files = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not MADE & set(path.relative_to(folder).parts)
    )
    hashes = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}
    manifest = {"files": {file: file for file in files}, "hashes": hashes}
    (folder / "MANIFEST.json").write_text(json.dumps(manifest, indent=2) + "\n")
