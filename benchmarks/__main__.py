"""make bench: textclust beside scikit-learn on the same data in one run, as ratios."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.feature_extraction.text import TfidfVectorizer

import textclust as tc
from textclust.experiments.collections import classes, collection


def seconds(work: Callable[[], Any]) -> float:
    """How long one call takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def compare(what: str, ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int) -> None:
    """Interleaved runs; the ratio of the medians and the spread of the single ratios."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(repeats)]
    mine, peer = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratios = sorted(b / a for a, b in pairs)
    print(
        f"{what}: textclust {mine:.3f} s, scikit-learn {peer:.3f} s, "
        f"{peer / mine:.2f} x as fast ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


def main() -> None:
    """Texts to matrix, and k-means from one start for the same number of iterations."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--collection", default="20newsgroups")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=20)
    options = parser.parse_args()

    documents = collection(options.collection)
    k = len(set(classes(documents)))
    print(f"{options.collection}: {len(documents)} documents, k = {k}")
    peer = TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95)
    compare(
        "texts to matrix",
        lambda: tc.TextVectorizer().fit_transform(documents.texts),
        lambda: peer.fit_transform(documents.texts),
        options.repeats,
    )
    X = tc.TextVectorizer().fit_transform(documents.texts)
    chosen = np.random.default_rng(0).choice(X.shape[0], k, replace=False)
    centres = np.asarray(X[chosen].todense())
    ours = tc.KMeans(k, init=centres, max_iter=options.iterations, tol=0.0, refine=False)
    theirs = PeerKMeans(k, init=centres, n_init=1, max_iter=options.iterations, tol=0.0)
    compare(
        f"{options.iterations} iterations",
        lambda: ours.fit(X),
        lambda: theirs.fit(X),
        options.repeats,
    )
    print(f"objective: textclust {ours.objective_:.2f}, scikit-learn {theirs.inertia_:.2f}")


if __name__ == "__main__":
    main()
