"""Must-links and cannot-links added one answer at a time: a union-find with cannot-links."""

from __future__ import annotations

__all__ = ["Groups"]


class Groups:
    """Groups of documents that belong together, and which groups do not.

    >>> groups = Groups()
    >>> groups.join(1, 2), groups.separate(2, 3)
    (None, None)
    >>> groups.same_group(1, 3), groups.same_group(1, 2), groups.same_group(1, 4)
    (False, True, None)
    """

    def __init__(self) -> None:
        self._head: dict[int, int] = {}  # of the group of each document
        self._members: dict[int, list[int]] = {}  # by head
        self._cannot_linked: dict[int, set[int]] = {}  # heads of groups, by head
        self._arrival: dict[int, int] = {}  # of the first of each group, by head

    @property
    def documents(self) -> list[int]:
        """All that are known, in the order in which they came up."""
        return list(self._head)

    def add(self, document: int) -> None:
        """Make a document known, alone in its group."""
        if document not in self._head:
            self._arrival[document] = len(self._head)
            self._head[document] = document
            self._members[document] = [document]
            self._cannot_linked[document] = set()

    def head(self, document: int) -> int:
        """The document that stands for the group of this one; itself where it is not known."""
        return self._head.get(document, document)

    def heads(self) -> list[int]:
        """One document for each group, the group that came up first before all others."""
        return sorted(self._members, key=self._arrival.__getitem__)

    def members(self, document: int) -> list[int]:
        """The group of a document, in no particular order."""
        return self._members.get(self.head(document), [document])

    def cannot_linked(self, document: int) -> set[int]:
        """The heads of the groups that have a cannot-link to the group of this document."""
        return self._cannot_linked.get(self.head(document), set())

    def same_group(self, one: int, other: int) -> bool | None:
        """Whether two documents belong together, as far as it follows from the answers."""
        head, second = self.head(one), self.head(other)
        if head == second:
            return True
        return False if second in self.cannot_linked(head) else None

    def join(self, one: int, other: int) -> None:
        """Two documents belong together, and so do their groups."""
        self.add(one)
        self.add(other)
        large, small = sorted((self.head(one), self.head(other)), key=self._size, reverse=True)
        if large == small:
            return
        for document in self._members[small]:
            self._head[document] = large
        self._members[large] += self._members.pop(small)
        self._arrival[large] = min(self._arrival[large], self._arrival.pop(small))
        for other_head in self._cannot_linked.pop(small):
            self._cannot_linked[other_head].discard(small)
            self._cannot_linked[other_head].add(large)
            self._cannot_linked[large].add(other_head)

    def separate(self, one: int, other: int) -> None:
        """Two documents do not belong together, and neither do their groups."""
        self.add(one)
        self.add(other)
        head, second = self.head(one), self.head(other)
        self._cannot_linked[head].add(second)
        self._cannot_linked[second].add(head)

    def _size(self, head: int) -> int:
        return len(self._members[head])
