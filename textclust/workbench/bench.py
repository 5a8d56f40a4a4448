"""What a server of the workbench needs to know of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from textclust.errors import TextclustError

__all__ = ["Bench", "Busy", "Content", "Tell"]

Content = dict[str, object]
Tell = Callable[[str, object], None]


class Busy(TextclustError):  # noqa: N818 - a state, no fault
    """Something else is being computed, or what was asked for has been cancelled."""


class Bench(Protocol):
    """The workbench as its server sees it; every method may be called from any thread.

    An InputError says what cannot be, a `Busy` what cannot be now.
    """

    def collection(self) -> Content:
        """What does not change while the workbench is open."""
        ...

    def state(self) -> Content:
        """The clusters, and where each document is."""
        ...

    def documents(
        self,
        cluster: int | None,
        order: str,
        search: str | None,
        regex: bool,
        rows: list[int] | None,
        offset: int,
        limit: int,
    ) -> Content:
        """A list of documents."""
        ...

    def document(self, row: int) -> Content:
        """One document, and why it is where it is."""
        ...

    def act(self, action: Content) -> Content:
        """Do what a person asks for; it is in the journal when this returns."""
        ...

    def preview(self) -> Content:
        """What a refit would do."""
        ...

    def wizard(self, n: int) -> Content:
        """The most likely mistakes."""
        ...

    def questions(self, kind: str, n: int) -> Content:
        """The questions whose answers are worth most."""
        ...

    def split(self, cluster: int) -> Content:
        """How a cluster would fall in two."""
        ...

    def cancel(self) -> Content:
        """End a preview or refit that is under way."""
        ...

    def export(self, report: bool, model: bool) -> Content:
        """Write a report and a model into the project's folder."""
        ...

    def listen(self, tell: Tell) -> Callable[[], None]:
        """Tell of every event from now on; the function that is returned ends that."""
        ...
