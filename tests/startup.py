"""What every dependency costs: python -m tests.startup prints the table of docs/dependencies.md.

Size is what the distribution itself puts on disk. Start-up is the CPU time of a new Python that
imports it, less that of one that imports nothing, and the least of several runs.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution

# Distributions and what is imported of them.
IMPORTED = {
    "click": "click",
    "joblib": "joblib",
    "nltk": "nltk.stem.snowball",
    "numpy": "numpy",
    "rich": "rich.table",
    "scikit-learn": "sklearn.base",
    "scipy": "scipy.sparse",
    "stop-words": "stop_words",
    "threadpoolctl": "threadpoolctl",
    "charset-normalizer": "charset_normalizer",
    "dask": "dask.array",
    "distributed": "distributed",
    "isal": "isal.igzip",
    "matplotlib": "matplotlib.figure",
    "openpyxl": "openpyxl",
    "pandas": "pandas",
    "platformdirs": "platformdirs",
    "pooch": "pooch",
    "pyarrow": "pyarrow.parquet",
    "pypdf": "pypdf",
    "starlette": "starlette.applications",
    "typer": "typer",
    "uvicorn": "uvicorn",
    "wordllama": "wordllama",
}
COMMANDS = {
    "textclust --help": ["-m", "textclust", "--help"],
    "textclust cluster --help": ["-m", "textclust", "cluster", "--help"],
}


def cpu(arguments, runs=7):
    """The CPU seconds of a new Python, at best."""
    least = float("inf")
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = min(least, spent)
    return least


def megabytes(name):
    """What a distribution puts on disk, compiled Python left out."""
    files = distribution(name).files or []
    sizes = [file.size or 0 for file in files if not file.name.endswith(".pyc")]
    return sum(sizes) / 1e6


def main():
    """Print a line for each."""
    nothing = cpu(["-c", "pass"])
    print(f"{'Python alone':24} {'':>9} {nothing:6.2f} s")
    for name, module in IMPORTED.items():
        try:
            size = megabytes(name)
        except PackageNotFoundError:
            print(f"{name:24} not installed")
            continue
        spent = cpu(["-c", f"import {module}"]) - nothing
        print(f"{name:24} {size:6.1f} MB {spent:6.2f} s")
    for shown, arguments in COMMANDS.items():
        print(f"{shown:24} {'':>9} {cpu(arguments) - nothing:6.2f} s")


if __name__ == "__main__":
    main()
