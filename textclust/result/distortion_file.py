"""A distortion in a model file: its name and numbers as data, what it has learned as arrays."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

import numpy as np

from textclust import geometry
from textclust.geometry.affine import Array
from textclust.geometry.capabilities import mismatch

__all__ = ["described", "distortion_of", "learned_arrays"]

_LEARNED = "distortion_"  # before the names of arrays


def described(distortion: geometry.Distortion) -> dict[str, object]:
    """The name of a distortion and its numbers; of one within another the same."""
    values = _fields(distortion, learned=False)
    return {
        "name": distortion.name,
        **{
            name: described(value) if isinstance(value, geometry.Distortion) else value
            for name, value in values.items()
        },
    }


def learned_arrays(distortion: geometry.Distortion) -> dict[str, Array]:
    """The arrays that it has learned, by their names in the file."""
    found = _fields(distortion, learned=True)
    return {_LEARNED + name: values for name, values in found.items()}


def distortion_of(description: dict[str, Any], arrays: dict[str, Array]) -> geometry.Distortion:
    """The distortion that was written so; a ValueError where it does not fit the prototypes."""
    names = [name for name in arrays if name.startswith(_LEARNED)]
    found = {name.removeprefix(_LEARNED): arrays[name] for name in names}
    distortion = _made(description, found)
    if (reason := mismatch(distortion, *arrays["prototypes"].shape)) is not None:
        raise ValueError(reason)
    return distortion


def _made(description: dict[str, Any], found: dict[str, Array]) -> geometry.Distortion:
    values: dict[str, Any] = {
        name: _made(value, {}) if isinstance(value, dict) else value
        for name, value in description.items()
    }
    kind = geometry.distortion_class(values.pop("name"))
    made: geometry.Distortion = kind(**values, **found)
    return made


def _fields(distortion: geometry.Distortion, *, learned: bool) -> dict[str, Any]:
    """What makes the distortion what it is: its numbers, or the arrays it has learned."""
    values: dict[str, Any] = vars(distortion) if is_dataclass(distortion) else {}
    return {name: v for name, v in values.items() if isinstance(v, np.ndarray) == learned}
