"""Files that are written again and again, but never over what a person has made of them.

`files.json` has the SHA-256 of every file as it was last written. Before files are replaced it gets
what stands there and what will, so that a process may be killed between any two of them; after it,
what stands there alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TypeGuard

from textclust.errors import InputError
from textclust.regular_files import parsed_json, read_regular
from textclust.writing import any_file, write_whole

__all__ = ["WrittenFiles"]

_RECORD = "files.json"
Sums = dict[str, list[str]]


class WrittenFiles:
    """The files of one folder, which is ours as long as this is used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write those that differ; an InputError for one that we did not write, before any."""
        known = self._known()
        new = {name: _sum(content) for name, content in files.items()}
        standing = {name: self._standing(name) for name in files}
        for name, found in standing.items():
            if found not in (None, new[name], *known.get(name, ())):
                raise InputError(
                    f"{self._folder / name}: changed since the workbench wrote it; "
                    "move it away, and it is written anew"
                )
        changed = [name for name in files if standing[name] != new[name]]
        if changed:
            both = {name: _both(standing[name], new[name]) for name in files}
            self._record({**known, **both})
            for name in changed:
                as_it_was = partial(_is_still, expected=standing[name])
                write_whole(self._folder / name, files[name], replaces=as_it_was)
        settled = {**known, **{name: [each] for name, each in new.items()}}
        if changed or settled != known:
            self._record(settled)

    def _standing(self, name: str) -> str | None:
        """The SHA-256 of what is there; None where nothing is."""
        try:
            return _sum_of_file(self._folder / name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(
                f"{self._folder / name}: cannot be read ({error.strerror or error}); move it away"
            ) from error

    def _known(self) -> Sums:
        """What may stand there by what was written, for each file."""
        place = self._folder / _RECORD
        try:
            content = parsed_json(read_regular(place))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise InputError(
                f"{place}: cannot be read ({error.strerror or error}); make it readable"
            ) from error
        except (ValueError, RecursionError):
            content = None
        known = content.get("files") if isinstance(content, dict) else None
        if not _are_sums(known):
            raise InputError(
                f"{place}: not as the workbench wrote it; move it and the tables beside it away"
            )
        return known

    def _record(self, sums: Sums) -> None:
        content = {"files": sums}
        text = json.dumps(content, indent=2, sort_keys=True) + "\n"
        write_whole(self._folder / _RECORD, text, replaces=any_file)


def _both(standing: str | None, new: str) -> list[str]:
    return list(dict.fromkeys([*([] if standing is None else [standing]), new]))


def _are_sums(known: object) -> TypeGuard[Sums]:
    return isinstance(known, dict) and all(
        isinstance(each, list) and all(isinstance(one, str) for one in each)
        for each in known.values()
    )


def _is_still(place: Path, expected: str | None) -> bool:
    """Whether a file is as it was before it is replaced."""
    return _sum_of_file(place) == expected


def _sum_of_file(place: Path) -> str:
    return _sum(place.read_bytes())


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
