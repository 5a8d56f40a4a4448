"""A member of an archive: left out by its name alone, or read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textclust.text.names import hidden_part, is_plain, points_outside, readable

__all__ = ["Member"]


class Member(NamedTuple):
    """One member on its way out of an archive: a folder, a file with data, or left out.

    `relative` marks a name given as `./name`: the archive was made inside its folder.
    """

    name: str
    data: bytes | None = None
    reason: str | None = None
    is_folder: bool = False
    outside: bool = False
    relative: bool = False

    @classmethod
    def named(cls, raw: bytes, is_folder: bool = False, data: bytes | None = None) -> Member:
        """A member, left out if its name is a reason to; `data` is kept otherwise."""
        if is_plain(raw):
            return cls(raw.decode("ascii"), data, None, is_folder)
        name = readable(raw)
        if points_outside(name):
            return cls(name, reason="points outside the archive", outside=True)
        inner = "/".join([part for part in name.split("/") if part not in ("", ".")])
        if not inner and not is_folder:
            return cls(name, reason="without a name", outside=True)
        relative = name.startswith("./") or name == "."
        if hidden := hidden_part(inner):
            return cls(hidden, reason="hidden", is_folder=is_folder, relative=relative)
        return cls(inner, data, is_folder=is_folder, relative=relative)

    @classmethod
    def all_named(cls, files: Sequence[tuple[bytes, bytes]]) -> list[Member]:
        """Members with these names and contents; plain names are checked all at once."""
        if is_plain(b"/".join([raw for raw, _ in files])):  # as a path is, whose parts all are
            return [cls(raw.decode("ascii"), data) for raw, data in files]
        return [cls.named(raw, data=data) for raw, data in files]

    @property
    def is_wanted(self) -> bool:
        """Whether it is a file that is to be read."""
        return self.reason is None and not self.is_folder

    def left_out(self, reason: str) -> Member:
        """The same member, not to be read."""
        return Member(self.name, reason=reason, relative=self.relative)

    def with_data(self, data: bytes) -> Member:
        """The same member with its content."""
        return Member(self.name, data, relative=self.relative)
