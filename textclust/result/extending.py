"""What documents that come later change of a clustering, and what they leave as it was."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering
    from textclust.result.refit_due import Drift
    from textclust.result.tree import Tree
    from textclust.text.given import SourceLike

__all__ = ["Extending"]


class Extending:
    """Methods that add documents, and what stays as it was when the clusters were made."""

    @property
    def n_fitted(self: Any) -> int:
        """How many documents the clusters were made from; they come first."""
        return len(self.cards) if self.additions is None else self.additions.fitted

    @cached_property
    def names_by_terms(self: Any) -> tuple[str, ...]:
        """What each cluster is called where nothing better is known; documents added do not say."""
        if self.additions is not None:
            return self.additions.names
        taken = [name for name in self.known_names if name is not None]
        return tuple(self.naming.names(taken=taken))

    @cached_property
    def levels(self: Any) -> Tree | None:
        """The tree of as many levels as `textclust.cluster` was asked for; None without."""
        wanted, added = self.settings.get("levels"), self.additions
        if wanted and added is not None and added.outline is not None:
            return added.outline.tree(self.sizes, self.names, wanted)
        return self.tree() if wanted else None

    def extended(
        self: Any, documents: SourceLike, vectors: ArrayLike | None = None, **columns: str
    ) -> Clustering:
        """A clustering with these documents too; all that were there before stay as they are.

        New documents go to the nearest clusters, which then move towards them. `columns` name those
        of a table, as in `textclust.cluster`. A document that is there already is left out; an
        InputError where another text has its id.

        Examples
        --------
        >>> import textclust as tc
        >>> docs = tc.read_documents(tc.corpora.path("newsgroups"))
        >>> r = tc.cluster(docs.select(range(0, 225, 2)), k=3)
        >>> more = r.extended(docs.select(range(1, 225, 2)))
        >>> r.n_documents, more.n_documents, more.names == r.names
        (113, 225, True)
        """
        from textclust.result.adding import add_documents

        return add_documents(self, documents, vectors, columns).clustering

    @cached_property
    def drift(self: Any) -> Drift | None:
        """How the documents that were added differ from the others, and whether a refit is due.

        None where none were added.
        """
        from textclust.result.refit_due import drift_of

        return None if self.additions is None else drift_of(self)
