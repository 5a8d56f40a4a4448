"""Document ids of two tables that should be the same: which differ, and what went wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

__all__ = ["MatchedIds", "match_ids"]

_FOLDERS = 3  # at most, that ids have more on one side than on the other
_ENOUGH = 0.5  # the share of unmatched ids that a slip must explain
_LONGEST = 60  # characters of an id that is shown


@dataclass(frozen=True)
class Side:
    """One of the two: what it is called, and the ids that only it has, in its order."""

    name: str
    only: list[str]

    @property
    def example(self) -> str:
        """One of them, for a message."""
        first = self.only[0]
        return repr(first if len(first) <= _LONGEST else f"{first[:_LONGEST]}...")


@dataclass(frozen=True)
class MatchedIds:
    """The ids that both have, and those that only one has."""

    both: list[str]
    left: Side
    right: Side

    def examples(self) -> str:
        """An unmatched id of each side that has one."""
        sides = [side for side in (self.left, self.right) if side.only]
        return ", ".join(f"{side.name} has e.g. {side.example}" for side in sides)

    def slip(self) -> str | None:
        """What most unmatched ids of one side lack, in words, if that is all that is wrong."""
        left, right = set(self.left.only), set(self.right.only)
        for without in _ways():
            for longer, shorter, ids, others in (
                (self.left, self.right, left, right),
                (self.right, self.left, right, left),
            ):
                mended = {without(name): name for name in longer.only}
                found = [name for short, name in mended.items() if short in others]
                if found and len(found) >= _ENOUGH * min(len(ids), len(others)):
                    return _in_words(longer.name, shorter.name, found, without)
        return None


def match_ids(
    left: Collection[str], right: Collection[str], left_name: str, right_name: str
) -> MatchedIds:
    """Compare the ids of two tables."""
    known, found = set(right), set(left)
    return MatchedIds(
        [name for name in left if name in known],
        Side(left_name, [name for name in left if name not in known]),
        Side(right_name, [name for name in right if name not in found]),
    )


@dataclass(frozen=True)
class _Without:
    """An id less some leading folders and, if wanted, its file extension."""

    folders: int
    extension: bool

    def __call__(self, name: str) -> str:
        parts = name.split("/")
        last = parts[-1]
        if self.extension and "." in last.lstrip("."):
            parts[-1] = last[: last.rindex(".")]
        return "/".join(parts[self.folders :]) if len(parts) > self.folders else name


def _ways() -> Iterator[_Without]:
    """The slips looked for, the simplest first."""
    for folders in range(_FOLDERS + 1):
        for extension in (False, True):
            if folders or extension:
                yield _Without(folders, extension)


def _in_words(longer: str, shorter: str, found: list[str], without: _Without) -> str:
    """What the ids of the longer side have that those of the shorter lack."""
    words = []
    if without.folders:
        starts = {"/".join(name.split("/")[: without.folders]) + "/" for name in found}
        more = f"{without.folders} leading folder{'s' if without.folders > 1 else ''}"
        words.append(f"start with {starts.pop()!r}" if len(starts) == 1 else f"have {more} more")
    if without.extension:
        ends = {"." + name.rsplit(".", 1)[-1] for name in found}
        words.append(f"end in {ends.pop()!r}" if len(ends) == 1 else "have a file extension")
    return f"the ids of {longer} {' and '.join(words)}, those of {shorter} do not"
