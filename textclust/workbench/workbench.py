"""The workbench: a collection, the journal of what a person says of it, and what to show."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from textclust.errors import InputError, OutputError
from textclust.progress import reporting
from textclust.report.palette import DARK, LIGHT
from textclust.result.clustering import Clustering
from textclust.supervision.links import Link
from textclust.workbench import content
from textclust.workbench.actions import Action, parse
from textclust.workbench.bench import Busy
from textclust.workbench.collection import Collection
from textclust.workbench.history import replayed
from textclust.workbench.kept_fits import KeptFits
from textclust.workbench.opening import first_state, opening, require_same
from textclust.workbench.project import Project, Tables
from textclust.workbench.questions import Questions
from textclust.workbench.refitting import Fit, refit, refitted
from textclust.workbench.state import State
from textclust.workbench.view import View
from textclust.workbench.wizard import Wizard

__all__ = ["Workbench"]

T = TypeVar("T")
Tell = Callable[[str, object], None]

_PREVIEWED = 500  # rows listed for each flow


class Workbench:
    """What the server and the page talk to; its methods may be called from several threads."""

    def __init__(
        self,
        collection: Collection,
        project: Project,
        k: int | str = "auto",
        random_state: int = 0,
        *,
        seeds: Mapping[str, str] | None = None,
        links: Sequence[Link[str]] | None = None,
        earlier: Clustering | None = None,
    ) -> None:
        self._collection, self.project = collection, project
        self._questions = Questions()
        self._listeners: list[Tell] = []
        self._acting, self._fitting = threading.Lock(), threading.Lock()
        self._cancelled = threading.Event()
        self._progress: dict[str, object] | None = None
        self._fit: tuple[State, Fit] | None = None  # what a refit of a state would be
        journal = project.journal
        given = k, random_state, seeds, links, earlier
        line, *lines = journal.actions or [opening(collection, *given)]
        require_same(collection, line, str(project.folder))
        first = first_state(collection, line)
        if not journal.actions:  # what was given can be used
            journal.append(line)
        self._kept = KeptFits(project.folder)
        self.history = replayed(first, lines, collection.rows, self._kept_or_refitted)
        self._first = self._view = View(collection, first)
        self._show()
        self._warning = self._write()

    def collection(self) -> dict[str, Any]:
        """What does not change while the workbench is open."""
        background = self._collection.background
        source = str(self._collection.documents.provenance.get("source", ""))
        return {
            "source": os.path.basename(os.path.normpath(source)) if source else "documents",
            "project": str(self.project.folder),
            "documents": len(self._collection),
            "ids": self._collection.documents.ids,
            "titles": self._collection.titles,
            "background": background
            and {"classes": [str(c) for c in background.classes], "documents": len(background)},
            "light": LIGHT,
            "dark": DARK,
        }

    def state(self) -> dict[str, Any]:
        """Where the work stands."""
        version = len(self.project.journal.actions)
        shown = content.state_content(self._view, self.history, version)
        return {**shown, "busy": self._progress, "warning": self._warning}

    def documents(
        self,
        cluster: int | None,
        order: str,
        search: str | None,
        regex: bool,
        rows: list[int] | None,
        offset: int,
        limit: int,
    ) -> dict[str, Any]:
        """A list of documents."""
        wanted = cluster, order, search, regex, rows, offset, limit
        return content.documents_content(self._view, *wanted)

    def document(self, row: int) -> dict[str, Any]:
        """One document with its text."""
        return content.document_content(self._view, row)

    def act(self, line: Mapping[str, object]) -> dict[str, Any]:
        """Take in an action: it is on disk when this returns."""
        action = parse(line, self._collection.rows)
        if not self._acting.acquire(blocking=False):
            raise Busy("a refit is under way; wait for it or cancel it")
        try:
            number = self._take(action, line)
        finally:
            self._acting.release()
        self._tell("state", {"version": number})
        return {"line": number, "state": self.state()}

    def preview(self) -> dict[str, Any]:
        """What a refit would do."""
        state = self.history.state
        fit = self._fit_of(state)
        after = refitted(state, fit)
        moved = np.flatnonzero(after.labels != state.labels)
        pairs = np.stack([state.labels[moved], after.labels[moved]], axis=1)
        flows, which, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        seen = View.after(self._collection, after, self._first)
        return {
            "moves": len(moved),
            "flows": [
                {
                    "from": int(flows[flow][0]),
                    "to": int(flows[flow][1]),
                    "count": int(counts[flow]),
                    "rows": moved[which.ravel() == flow][:_PREVIEWED].tolist(),
                }
                for flow in order
            ],
            "rows": moved.tolist(),
            "to": after.labels[moved].tolist(),
            "broken": [content.link_content(link) for link in seen.links if link.violated],
            "outcome": content.outcome_sentences(seen),
        }

    def wizard(self, n: int) -> dict[str, Any]:
        """The most likely mistakes."""
        return {"proposals": Wizard(self._view).proposals(n)}

    def questions(self, kind: str, n: int) -> dict[str, Any]:
        """The next questions of a kind."""
        return self._questions.next(self._view, kind, n)

    def split(self, cluster: int) -> dict[str, Any]:
        """How a cluster would fall in two."""
        halves = Wizard(self._view).halves(cluster)
        if halves is None:
            raise InputError(f"cluster {cluster} cannot be split: its documents are all alike")
        return {
            "rows": halves.rows.tolist(),
            "terms": list(halves.terms),
            "sizes": list(halves.sizes),
        }

    def cancel(self) -> dict[str, Any]:
        """End a preview or a refit that is under way."""
        self._cancelled.set()
        return {"cancelled": self._fitting.locked()}

    def export(self, report: bool, model: bool) -> dict[str, Any]:
        """Write the report and the model into the project's folder."""
        written = []
        if report:
            self._view.clustering.report(self.project.folder / "report.html")
            written.append("report.html")
        if model:
            self._view.clustering.save(self.project.folder / "model")
            written.append("model")
        return {"written": written}

    def listen(self, tell: Tell) -> Callable[[], None]:
        """Report progress and new states to someone, until the function returned is called."""
        self._listeners.append(tell)
        return lambda: self._listeners.remove(tell)

    def _take(self, action: Action, line: Mapping[str, object]) -> int:
        state = self.history.after(action, self._refitted)
        number = self.project.journal.append(line)
        self.history.take(action, state)
        if action.kind == "refit" and state.fit is not None:
            self._kept.keep(self.project.journal.actions, state.fit.labels)
        self._show()
        self._warning = self._write()
        return number

    def _show(self) -> None:
        """Look at the current state, on a map like the first."""
        self._view = View.after(self._collection, self.history.state, self._first, self._view)

    def _refitted(self, state: State) -> State:
        return refitted(state, self._fit_of(state))

    def _kept_or_refitted(self, place: int) -> Callable[[State], State]:
        """What a refit was that stands in the journal at this place after the first line."""

        def again(state: State) -> State:
            labels = self._kept.labels(self.project.journal.actions[: place + 2], state)
            if labels is None:
                return self._refitted(state)
            return refitted(state, refit(self._collection, state, labels))

        return again

    def _fit_of(self, state: State) -> Fit:
        """What a refit of a state is, which may be known from a preview of it."""
        with self._fitting:
            if self._fit is None or self._fit[0] is not state:
                self._cancelled.clear()
                with self._reporting():
                    fit = refit(self._collection, state)
                    _ = fit.solution
                self._fit = state, fit
            return self._fit[1]

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            with reporting(self._followed):
                yield
        finally:
            self._set_progress(None)

    def _followed(self, items: Iterable[T], label: str, total: int | None) -> Iterator[T]:
        """The items of a long step; ends it where it was cancelled."""
        for done, item in enumerate(items):
            if self._cancelled.is_set():
                raise Busy("cancelled; nothing has changed")
            self._set_progress({"what": label, "done": done, "of": total})
            yield item

    def _set_progress(self, progress: dict[str, object] | None) -> None:
        self._progress = progress
        self._tell("progress", progress)

    def _tell(self, event: str, data: object) -> None:
        for listener in list(self._listeners):
            listener(event, data)

    def _write(self) -> str | None:
        """Write the plain files; why they were not, if so: the journal has everything."""
        try:
            self.project.write(self._tables())
        except (InputError, OutputError) as error:
            return str(error)
        return None

    def _tables(self) -> Tables:
        """The tables, with clusters from 0 on as the command line has them."""
        view, state, ids = self._view, self._view.state, self._collection.documents.ids
        rows = view.rows.tolist()
        names = {number: view.name(number) for number in view.numbers}
        sizes = np.bincount(state.labels, minlength=state.next_number)
        return Tables(
            seeds=[(ids[row], names[n]) for row, n in sorted(state.seeds.items())],
            constraints=[(ids[e.left], ids[e.right], e.kind) for e in state.links],
            clusters=[
                (place, names[n], state.cluster(n).locked, int(sizes[n]))
                for place, n in enumerate(view.numbers)
            ],
            labels=[
                (ids[row], int(place), view.names[place], float(view.scores[row]))
                for row, place in zip(rows, view.labels, strict=True)
            ],
        )
