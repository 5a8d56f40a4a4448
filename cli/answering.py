"""Who answers the questions of `textclust ask`: a person, the folders, or a program."""

from __future__ import annotations

import enum
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from textclust.active.oracles import Oracle as AnyOracle
    from textclust.text.documents import Documents

__all__ = ["Answering", "Oracle"]


class Oracle(enum.StrEnum):
    """Who answers instead of a person."""

    FOLDERS = "folders"


@dataclass(frozen=True)
class Answering:
    """The folders, a program with its arguments, or a person if neither."""

    folders: bool
    program: tuple[str, ...]
    timeout: float  # of the program, in seconds

    @classmethod
    def of(cls, oracle: Oracle | None, command: str | None, timeout: float) -> Self:
        """Who the options name; a command is split into words, and never read by a shell."""
        from textclust.errors import InputError

        if command is None:
            return cls(oracle is not None, (), timeout)
        if oracle is not None:
            raise InputError("--oracle and --oracle-command both answer; give one of them")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise InputError(f"--oracle-command {command}: {error}; check the quotes") from error
        if not words:
            raise InputError("--oracle-command names no program; give one, with its arguments")
        return cls(False, tuple(words), timeout)

    @property
    def by_person(self) -> bool:
        """Whether a person answers."""
        return not self.folders and not self.program

    @contextmanager
    def oracle(self, documents: Documents) -> Iterator[AnyOracle]:
        """The folders, or the program as long as the block lasts."""
        from textclust.active.program_oracle import ProgramOracle
        from textclust.errors import InputError

        labels = documents.labels
        if self.program:
            texts, ids = documents.texts, documents.ids
            with ProgramOracle(self.program, ids, texts, self.timeout) as program:
                yield program
        elif labels is None:
            raise InputError("there are no sub-folders to answer from; leave --oracle out")
        else:
            yield _SameFolder(labels)


@dataclass(frozen=True)
class _SameFolder:
    """Whether two documents are in one folder; None where one is in none."""

    labels: list[str | None]

    def __call__(self, i: int, j: int) -> bool | None:
        one, other = self.labels[i], self.labels[j]
        return None if one is None or other is None else one == other
