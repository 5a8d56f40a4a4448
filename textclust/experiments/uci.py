"""The small tables of numbers from the UCI repository that the papers measure on."""

from __future__ import annotations

import csv
from dataclasses import dataclass

import numpy as np

from textclust import corpora
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels

__all__ = ["Data", "read"]


@dataclass(frozen=True)
class Data:
    """Points, and the class of each."""

    X: Array
    y: Array

    def sample(self, share: float, rng: np.random.Generator) -> Data:
        """A random share of the points."""
        rows = rng.choice(len(self.y), round(share * len(self.y)), replace=False)
        return self.at(np.sort(rows))

    def at(self, rows: Labels) -> Data:
        """Some of the points."""
        return Data(self.X[rows], self.y[rows])


def read(name: str, classes: tuple[str, ...] | None = None) -> Data:
    """A table uci/NAME.csv, whose last column is the class; some of the classes, or all."""
    places = [folder / "uci" / f"{name}.csv" for folder in corpora.data_folders()]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise InputError(
            f"{places[0]}: the table is not there; set TEXTCLUST_DATA to the folder of uci/"
        )
    with file.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    data = Data(np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows]))
    return data if classes is None else data.at(np.flatnonzero(np.isin(data.y, classes)))
