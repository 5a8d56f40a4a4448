"""Experiments anyone can repeat: ``textclust reproduce NAME``.

Each module holds one experiment: a function from a number of runs to a `Table`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from textclust.errors import InputError
from textclust.experiments.table import Table

__all__ = ["EXPERIMENTS", "Experiment", "reproduce"]


@dataclass(frozen=True)
class Experiment:
    """What an experiment shows, and how many runs it averages by default."""

    about: str
    runs: int


EXPERIMENTS = {
    "constraints": Experiment("what links between documents bring as they grow in number", 20),
    "defaults": Experiment("textclust cluster as it comes, beside scikit-learn", 10),
    "learning": Experiment("what learning the weights of terms brings on text", 5),
    "mpckmeans": Experiment("constraints, a learned metric, and both (Basu et al. 2003)", 5),
    "newer": Experiment("newer posts from labelled older ones (Gao et al. 2005, Table 3)", 3),
    "noise": Experiment("what wrong links do, and what a robust mode saves", 10),
    "partial": Experiment("labels that share few features (Gao et al. 2005, Table 2)", 20),
    "questions": Experiment("what well-chosen questions bring, beside random ones", 20),
    "seeds": Experiment("what seeds bring, and what wrong ones do", 5),
    "starts": Experiment("what each start and the first-variation search bring", 10),
    "weighting": Experiment("what pruning, damping and keeping quotes bring", 10),
}


def reproduce(name: str, runs: int | None = None) -> Table:
    """Run one experiment."""
    if name not in EXPERIMENTS:
        known = ", ".join(EXPERIMENTS)
        raise InputError(f"no experiment {name!r}; there are {known}")
    run: Callable[[int], Table] = import_module(f"textclust.experiments.{name}").run
    return run(EXPERIMENTS[name].runs if runs is None else runs)
