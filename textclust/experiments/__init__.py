"""Experiments anyone can repeat: ``textclust reproduce NAME``.

An experiment is declared data (`declared.Experiment`) with one function for an independent part
of its work; a module here holds those that share such a function, in `EXPERIMENTS`.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from textclust.errors import InputError

if TYPE_CHECKING:
    from textclust.experiments.declared import Experiment
    from textclust.experiments.runner import Reproduction

__all__ = ["experiment", "experiments", "reproduce"]

_MODULES = (
    "adding",
    "certainty",
    "choosing",
    "consensus",
    "constraints",
    "defaults",
    "example_clusters",
    "example_folders",
    "hierarchy",
    "inference",
    "kernels",
    "learning",
    "months",
    "mpckmeans",
    "names",
    "newer",
    "noise",
    "outliers",
    "overlap",
    "partial",
    "questions",
    "rising",
    "seed_words",
    "seeding",
    "seeds",
    "select_k",
    "short_texts",
    "sizes",
    "stability",
    "starts",
    "supervision",
    "weighting",
    "words",
    "workbench",
)


@cache
def experiments() -> dict[str, Experiment]:
    """Every experiment by its name, in the order of the names."""
    modules = (import_module(f"textclust.experiments.{name}") for name in _MODULES)
    found = {each.name: each for module in modules for each in module.EXPERIMENTS}
    return {name: found[name] for name in sorted(found, key=_in_order)}


def experiment(name: str) -> Experiment:
    """The experiment of this name, its own or another it goes by."""
    every = experiments()
    known = {other: each for each in every.values() for other in (each.name, *each.also)}
    if name not in known:
        raise InputError(f"no experiment {name!r}; there are {', '.join(known)}")
    return known[name]


def reproduce(
    name: str,
    runs: int | None = None,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
) -> Reproduction:
    """Run an experiment in so many processes; what is done already in `out` is not done again."""
    from textclust.experiments.runner import perform

    place = None if out is None else Path(out)
    return perform(experiment(name), runs, jobs, place, tuple(experiments().values()))


def _in_order(name: str) -> tuple[bool, list[tuple[bool, int, str]]]:
    """Papers first, then experiments of our own; figure 4.4 before figure 4.13."""
    words = name.replace(".", "-").split("-")
    parts = [(not word.isdigit(), int(word) if word.isdigit() else 0, word) for word in words]
    return len(words) == 1, parts
