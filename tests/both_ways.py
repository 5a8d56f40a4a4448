"""The same fit with the native core and without it, on random matrices of odd scales.

A case is a number: `fit_both(n)` draws data and a method from it, and says how the two fits differ.
Run as a module it goes through many: `python -m tests.both_ways 0 1000`.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

import textclust as tc
from textclust import native

DISTORTIONS = ("euclidean", "cosine", "kl", "i-divergence", "itakura-saito")
INITS = ("auto", "random", "k-means++", "farthest", "latent")
FARTHEST = 5  # of 12 cases, the one that was found to differ most


@dataclass(frozen=True)
class Case:
    """One fit: an estimator by name and parameters, rows, and what is known of them."""

    name: str
    parameters: dict[str, Any]
    X: Any
    known: dict[str, Any]

    def fit(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator = getattr(tc, self.name)(**self.parameters)
            return estimator.fit(self.X, **self.known)

    def __str__(self) -> str:
        kind = "sparse" if sp.issparse(self.X) else "dense"
        return f"{self.name}({self.parameters}) on {self.X.shape} {kind} {self.X.dtype}"


def rows(rng: np.random.Generator, n: int, d: int, dtype: type, dense: bool) -> Any:
    """Counts in a scale of their own, that of columns or rows now and then."""
    table = rng.poisson(1.0, (n, d)) * (rng.random((n, d)) < rng.choice([0.1, 0.3, 0.9]))
    table[np.arange(n), rng.integers(d, size=n)] += 1
    table = table * 10.0 ** rng.integers(-6, 7)
    match rng.integers(5):
        case 0:
            table = table * 10.0 ** rng.uniform(-4, 4, d)
        case 1:
            table = table * 10.0 ** rng.uniform(-4, 4, (n, 1))
        case 2:
            table = table * rng.uniform(0.5, 2.0, (n, d))
        case 3:
            table = table / np.linalg.norm(table, axis=1, keepdims=True)
    table = table.astype(dtype)
    return table if dense else sp.csr_array(table)


def drawn(number: int) -> Case:
    """The case of this number."""
    rng = np.random.default_rng(number)
    n, d = int(rng.integers(12, 400)), int(10 ** rng.uniform(0.5, 3.0))
    k = int(rng.integers(1, min(40, n // 2)))
    dtype = np.float64 if rng.random() < 0.6 else np.float32
    X = rows(rng, n, d, dtype, dense=rng.random() < 0.2)
    seed = {"random_state": int(rng.integers(1000))}
    if number % 12 < FARTHEST:
        asked = {"distortion": "euclidean", "init": "farthest", "n_init": 1}
        return Case("KMeans", {"n_clusters": k, **asked, **seed}, X, {})
    distortion = {"distortion": str(rng.choice(DISTORTIONS))}
    pairs = rng.integers(n, size=(12, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]].tolist()
    links = {"constraints": tc.Constraints(pairs[:6], pairs[6:])}
    truth = np.where(rng.random(n) < 0.3, rng.integers(k, size=n), -1)
    truth[rng.choice(n, k, replace=False)] = np.arange(k)
    labels = {"y": truth}
    few = {"n_init": 2}
    kinds: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("KMeans", {**distortion, "init": str(rng.choice(INITS)), **few}, {}),
        ("SphericalKMeans", few, {}),
        ("SeededKMeans", {**distortion, **few}, labels),
        ("ConstrainedKMeans", {**distortion, **few}, labels),
        ("PCKMeans", few, links),
        ("HMRFKMeans", {**distortion, **few, "inference": str(rng.choice(["icm", "bp"]))}, links),
        ("HMRFKMeans", {"learn": True, **few}, links),
        ("MKMeans", few, {}),
        ("MPCKMeans", {**few, "metric": str(rng.choice(["global", "local"]))}, links),
        ("GuidedClustering", {}, {**labels, **links}),
        ("SSKernelKMeans", few, links),
        ("OverlappingKMeans", few, {}),
        ("VonMisesFisherMixture", few, {}),
        ("HAC", {}, {}),
    ]
    name, parameters, known = kinds[int(rng.integers(len(kinds)))]
    if name != "HAC":
        parameters = {**parameters, **seed}
    return Case(name, {"n_clusters": k, **parameters}, X, known)


def fit_both(number: int) -> str | None:
    """How the fits of a case differ; None where they are the same."""
    case = drawn(number)
    found = [_attempt(case)]
    with native.without():
        found.append(_attempt(case))
    (one, energy), (other, reference) = found
    if isinstance(one, str) or isinstance(other, str):
        return None if str(one) == str(other) else f"{case}: {one} and {other}"
    if np.array_equal(one, other):
        return None
    changed = int((one != other).sum())
    return f"{case}: {changed} labels; {energy} and {reference}"


def _attempt(case: Case) -> tuple[Any, float]:
    try:
        fitted = case.fit()
    except ValueError as error:  # an InputError is one
        return str(error), 0.0
    return np.asarray(fitted.labels_), float(getattr(fitted, "objective_", 0.0))


def main(first: str, last: str) -> None:
    """Print every case that differs, and how many did."""
    differing = 0
    for number in range(int(first), int(last)):
        found = fit_both(number)
        if found is not None:
            differing += 1
            print(f"{number}: {found}", flush=True)
    print(f"{differing} of {int(last) - int(first)} differ")


if __name__ == "__main__":
    main(*sys.argv[1:])
