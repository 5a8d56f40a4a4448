"""What is kept of a failure: a folder with the inputs, and failure.json with the rest."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

from tests.torture.slices import Failed, Tried, one_worker
from tests.torture.trials import every
from tests.torture.worker import Order

FILE = "failure.json"


def keep(failure: Failed, inputs: Path, out: Path) -> Path:
    """Keep a failure, with the inputs of its try; the file that repeats it."""
    name = "-".join(failure.test.replace(":", " ").replace("/", " ").split())
    folder = out / "failures" / f"{name}-{failure.seed}-{failure.number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if inputs.is_dir():
        shutil.copytree(inputs, folder / "inputs")
    (folder / FILE).write_text(json.dumps(asdict(failure), indent=2) + "\n", encoding="utf-8")
    return folder / FILE


def again(path: Path) -> Tried:
    """Make a try that failed once more, with the inputs that were kept."""
    file = path / FILE if path.is_dir() else path
    failure = Failed(**json.loads(file.read_text(encoding="utf-8")))
    inputs = file.parent / "inputs"
    inputs.mkdir(exist_ok=True)
    order = Order(
        test=failure.test,
        seed=failure.seed,
        first=failure.number,
        seconds=0,
        tries=1,
        inputs=str(inputs.resolve()),
        kept=True,
    )
    return one_worker(every()[failure.test], order)
