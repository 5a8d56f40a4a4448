"""Models damaged in their fields, arrays and archives, with checksums that fit."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from zipfile import BadZipFile

from tests.result import damage
from tests.result.test_damage import ASKED, clustered
from tests.torture.trials import Trial, torture

UNREADABLE = (
    *(ValueError, LookupError, TypeError, RecursionError, OSError, AttributeError, EOFError),
    *(BadZipFile, RuntimeError, NotImplementedError, SyntaxError),
)
Damages = Iterator[tuple[str, damage.Model]]


@cache
def model(name: str) -> damage.Model:
    with tempfile.TemporaryDirectory(prefix="textclust-torture-") as place:
        return damage.Model.read(clustered(name).save(Path(place) / "model"))


@torture("damaged models", quick=130, share=2.0)
def damaged_models(trial: Trial) -> None:
    """A clustering, or a ModelError in one line."""
    damaged = cache(lambda: made(trial.rng.choice(sorted(ASKED)), trial.seed))
    files = {each: trial.given(each, partial(part, damaged, each)) for each in damage.FILES}
    damage.prove(damage.Model(files), trial.place / "m")


def part(damaged: Callable[[], damage.Model], name: str, _: Random) -> bytes:
    return damaged().files[name]


def made(name: str, seed: str) -> damage.Model:
    """A model with one or two things wrong."""
    rng, found = Random(seed), model(name)
    for _ in range(rng.choice([1, 1, 2])):
        try:
            found = rng.choices([of_fields, of_arrays, of_flips, of_archive], [6, 6, 4, 1])[0](
                rng, found
            )
        except UNREADABLE:
            break  # the first damage left nothing to damage
    return found


def of_fields(rng: Random, found: damage.Model) -> damage.Model:
    content = found.content
    path = rng.choice(list(damage.places(content)))
    if rng.random() < 0.15:
        return found.with_content(damage.changed(content, path, remove=True))
    other = damage.at(content, rng.choice(list(damage.places(content))))
    return found.with_content(damage.changed(content, path, rng.choice([*damage.WRONG, other])))


def of_arrays(rng: Random, found: damage.Model) -> damage.Model:
    arrays = found.arrays
    name = rng.choice(sorted(arrays))
    values = arrays.pop(name)
    if rng.random() < 0.2:
        header = rng.choice(list(damage.headers(values)))
        return found.with_arrays(arrays, **{name: header + values.tobytes()})
    wrong = rng.choice(list(damage.forms(values)))[1]
    return found.with_arrays({**arrays, name: wrong})


def of_flips(rng: Random, found: damage.Model) -> damage.Model:
    return any_of(rng, lambda: damage.flips(found, 1, rng.randrange(1 << 30)), 2)


def of_archive(rng: Random, found: damage.Model) -> damage.Model:
    return any_of(rng, lambda: damage.of_archive(found), 16)


def any_of(rng: Random, damages: Callable[[], Damages], count: int) -> damage.Model:
    """One of the first damages."""
    return next(islice(damages(), rng.randrange(count), None))[1]
