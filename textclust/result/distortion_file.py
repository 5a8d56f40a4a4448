"""A distortion in a model file: its name and numbers as data, what it has learned as arrays."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from textclust import geometry
from textclust.geometry.affine import Array
from textclust.geometry.capabilities import mismatch
from textclust.result.fields import Field, Flag, Real, Sizes, maybe

__all__ = ["described", "distortion_of", "learned_arrays"]

_LEARNED = "distortion_"  # before the names of arrays
_ARRAY, _WITHIN = "Array", "Distortion"  # types of a distortion's fields, as they are declared,
_NUMBERS: dict[Any, Field] = {"float": Real(), "float | None": maybe(Real()), "bool": Flag()}


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
    kind = geometry.distortion_class(description["name"])
    types: dict[str, Any] = (
        {each.name: each.type for each in fields(kind)} if is_dataclass(kind) else {}
    )
    values: dict[str, Any] = {name: v for name, v in description.items() if name != "name"}
    for name, value in values.items():
        if types.get(name) == _WITHIN and isinstance(value, dict):
            values[name] = _made(value, {})
        elif types.get(name) in _NUMBERS:
            _NUMBERS[types[name]].check(value, name, Sizes())
        else:
            raise ValueError(f"{name} is nothing that {kind.name} has")
    if any(types.get(name) != _ARRAY for name in found):
        raise ValueError(f"an array is nothing that {kind.name} has")
    made: geometry.Distortion = kind(**values, **found)
    return made


def _fields(distortion: geometry.Distortion, *, learned: bool) -> dict[str, Any]:
    """What makes the distortion what it is: its numbers, or the arrays it has learned."""
    values: dict[str, Any] = vars(distortion) if is_dataclass(distortion) else {}
    return {name: v for name, v in values.items() if isinstance(v, np.ndarray) == learned}
