"""A dialogue: what was asked, what was answered, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from textclust.active.chains import shortest_chain
from textclust.active.error_rates import answer_weight, inference_weight
from textclust.active.groups import Groups
from textclust.active.votes import outvoted
from textclust.supervision.constraints import Constraints
from textclust.supervision.links import CANNOT_LINK, MUST_LINK, QUESTION, Link

__all__ = ["Answer", "Dialogue", "Question"]

_UNCLEAR = 2  # times that nobody knew, after which a document is left alone


class Question(NamedTuple):
    """Do these two belong together? The first is to be placed, the second was there before."""

    left: int
    right: int

    @property
    def reference(self) -> int:
        """The document whose group the answer is about."""
        return self.right

    @property
    def placed(self) -> tuple[int, ...]:
        """The document that the answer places."""
        return (self.left,)


@dataclass(frozen=True)
class Answer:
    """Whether two documents belong together; None is "I don't know"."""

    left: int
    right: int
    same: bool | None
    times: int = 1  # that it was given

    @property
    def pair(self) -> frozenset[int]:
        """The two documents, in either order."""
        return frozenset((self.left, self.right))

    def link(self, error_rate: float = 0.0) -> Link[int]:
        """What it says, where it says anything; one that was given often weighs more."""
        kind = MUST_LINK if self.same else CANNOT_LINK
        weight = float(self.times) if not error_rate else answer_weight(error_rate, self.times)
        return Link(self.left, self.right, kind, weight, QUESTION)


class Dialogue:
    """The state of a dialogue: answers in, groups of documents out.

    The latest answer about a pair counts; the same one again confirms it. An answer that
    contradicts what follows from others is disputed and entails nothing, and confirmed
    answers come first. Of k groups with cannot-links between all of them (the skeleton),
    a document that has one to k - 1 belongs to the last: the k-th answer is inferred
    (Basu 2005, 5.3).

    Where answers may be wrong (`fallible`), the majority of all answers about a pair counts instead
    of the latest, and a document that most answers about it would have elsewhere goes there.

    Parameters
    ----------
    n_clusters : k; None where it is not known, and then nothing is inferred
    answers : what was answered before
    fallible : whether answers may be wrong

    Examples
    --------
    >>> dialogue = Dialogue(n_clusters=2)
    >>> for left, right, same in [(1, 0, False), (2, 0, False), (3, 1, True)]:
    ...     dialogue.record(left, right, same)
    >>> dialogue.skeleton()
    [[0], [1, 2, 3]]
    >>> dialogue.inferred
    [(2, 1)]
    >>> dialogue.same_group(2, 3), dialogue.same_group(3, 0), dialogue.same_group(4, 0)
    (True, False, None)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        answers: Iterable[Answer] = (),
        *,
        fallible: bool = False,
    ) -> None:
        self.n_clusters, self.fallible = n_clusters, fallible
        self._events: list[tuple[Answer, ...]] = []  # one for each question
        self._suspected_at: dict[frozenset[int], int] = {}  # how often a pair was asked by then
        self._begin()
        for answer in answers:
            for _ in range(answer.times):
                self.record(answer.left, answer.right, answer.same)

    def record(self, left: int, right: int, same: bool | None) -> None:
        """Take in an answer."""
        self.record_all([Answer(left, right, same)])

    def record_all(self, answers: Iterable[Answer]) -> None:
        """Take in the pairs that one question has settled, as that about a set does."""
        event = tuple(answers)
        self._events.append(event)
        definite = [answer for answer in event if answer.same is not None]
        expected = [self.same_group(answer.left, answer.right) for answer in definite]
        self._checks += bool(expected) and None not in expected
        contradicted = [answer for answer in event if self._record(answer)]
        if contradicted:
            self._settle()

    def undo(self) -> Answer | None:
        """Take back what the last question was answered with; the last of it, or None."""
        if not self._events:
            return None
        *events, last = self._events
        self._events = []
        self._begin()
        for event in events:
            self.record_all(event)
        return last[-1]

    def suspect(self, left: int, right: int) -> None:
        """Have an answer asked once more."""
        self._suspected_at[frozenset((left, right))] = self.times_asked(left, right)

    @property
    def answers(self) -> list[Answer]:
        """What was answered, in order: for each pair its latest answer."""
        return list(self._latest.values())

    @property
    def events(self) -> list[tuple[Answer, ...]]:
        """What each question was answered with, in order."""
        return list(self._events)

    @property
    def disputed(self) -> list[Answer]:
        """The answers that contradict what follows from the others."""
        return list(self._disputed)

    @property
    def suspect_answers(self) -> list[Answer]:
        """The answers that are to be asked once more."""
        return [
            answer
            for pair, answer in self._latest.items()
            if self._asked[pair] <= self._suspected_at.get(pair, 0)
        ]

    @property
    def inferred(self) -> list[tuple[int, int]]:
        """Pairs that belong together because there is no other cluster left."""
        return list(self._inferred)

    @property
    def questions(self) -> int:
        """How many were answered, those that were asked again included."""
        return len(self._events)

    @property
    def checks(self) -> int:
        """How many of the questions could have been answered from what was known already."""
        return self._checks

    @property
    def repeats(self) -> Counter[tuple[int, bool]]:
        """Answers that follow from others: from how many, and whether they were as expected.

        Counted where answers may be wrong.
        """
        return self._repeats.copy()

    def confirmations(self, document: int) -> int:
        """How many answers place a document where it is, less those that nobody knew.

        Where answers may be wrong, less those that contradict.
        """
        return self._confirmations[document]

    def lead(self, document: int, group: Iterable[int]) -> int:
        """How many more answers have a document in a group than out of it."""
        pairs = (self._latest.get(frozenset((document, other))) for other in group)
        answers = [answer for answer in pairs if answer is not None and answer.same is not None]
        return sum(answer.times if answer.same else -answer.times for answer in answers)

    @property
    def documents(self) -> list[int]:
        """Those that were asked about, in the order in which they came up."""
        return self._groups.documents

    def times_asked(self, left: int, right: int) -> int:
        """How often a pair was asked about."""
        return self._asked.get(frozenset((left, right)), 0)

    def same_group(self, left: int, right: int) -> bool | None:
        """Whether two belong together, by answers and by what follows from them."""
        return self._groups.same_group(left, right)

    def group(self, document: int) -> list[int]:
        """The documents that belong together with this one, itself included, ascending."""
        return sorted(self._groups.members(document))

    def most_confirmed(self, documents: Sequence[int]) -> int:
        """The document whose group most answers confirm, the first of them.

        What others are compared with should be in its place itself: a wrong answer then misplaces
        one document, and not those that would be compared with it. "Don't know" counts against it.
        """
        arrival = {document: number for number, document in enumerate(self.documents)}
        return max(documents, key=lambda d: (self._confirmations[d], -arrival.get(d, len(arrival))))

    @property
    def n_found(self) -> int:
        """How many groups there are in the skeleton."""
        return len(self._skeleton())

    def skeleton(self) -> list[list[int]]:
        """The k largest groups with cannot-links between all of them, in the order they came up."""
        return [self.group(head) for head in self._skeleton()]

    def open_groups(self) -> list[list[int]]:
        """Groups that have no place in the skeleton yet, in the order they came up."""
        placed = set(self._skeleton())
        return [self.group(head) for head in self._heads() if head not in placed]

    def surplus(self) -> list[list[int]]:
        """Groups that have a cannot-link to all k of the skeleton: no cluster is left for them."""
        skeleton = self._skeleton()
        if len(skeleton) != self.n_clusters:
            return []
        groups = self.open_groups()
        return [
            group for group in groups if self._groups.cannot_linked(group[0]).issuperset(skeleton)
        ]

    def unanswered(self, one: int, other: int) -> bool:
        """Whether nobody knew, for some pair of these two groups."""
        theirs = set(self._groups.members(other))
        return any(self._unknown.get(document, set()) & theirs for document in self.group(one))

    def constraints(self, error_rate: float = 0.0) -> Constraints:
        """The answers that stand and what was inferred; a confirmed answer weighs more.

        Answers that are wrong with some probability weigh less, and what was inferred from k - 1 of
        them less still, or nothing.
        """
        answered = [answer.link(error_rate) for answer in self._standing()]
        weight = 1.0 if not error_rate else inference_weight(error_rate, (self.n_clusters or 1) - 1)
        if not weight:
            return Constraints.from_links(answered)
        inferred = [Link(*pair, MUST_LINK, weight, QUESTION) for pair in self._inferred]
        return Constraints.from_links(answered + inferred)

    def _begin(self) -> None:
        self._latest: dict[frozenset[int], Answer] = {}
        self._asked: dict[frozenset[int], int] = {}
        self._checks = 0
        self._votes: dict[frozenset[int], Counter[bool]] = {}
        self._repeats: Counter[tuple[int, bool]] = Counter()
        self._forget()

    def _forget(self) -> None:
        """Forget what follows from the answers."""
        self._groups = Groups()
        self._unknown: dict[int, set[int]] = {}
        self._definite: set[int] = set()
        self._disputed: list[Answer] = []
        self._confirmations: Counter[int] = (
            Counter()
        )  # how often each was placed, less "don't know"
        self._inferred: list[tuple[int, int]] = []

    def _record(self, given: Answer) -> bool:
        """Take in an answer; whether what follows has to be worked out anew."""
        left, right, same = given.left, given.right, given.same
        expected = self.same_group(left, right)
        if self.fallible and same is not None and expected is not None:
            self._repeats[self._steps(left, right, expected), same is expected] += 1
        before = self._latest.pop(given.pair, None)
        answer = self._with_earlier(given, before)
        self._latest[answer.pair] = answer
        self._asked[answer.pair] = self._asked.get(answer.pair, 0) + 1
        if before is not None or expected not in (None, same):
            return True
        self._take(answer)
        self._infer()
        return False

    def _with_earlier(self, given: Answer, before: Answer | None) -> Answer:
        """An answer with those given before about the pair: the latest counts, or the majority."""
        if not self.fallible:
            repeated = before is not None and before.same is given.same
            return replace(before, times=before.times + 1) if before and repeated else given
        if given.same is None:
            return before or given
        votes = self._votes.setdefault(given.pair, Counter())
        votes[given.same] += 1
        lead = votes[True] - votes[False]
        majority = lead > 0 if lead else given.same
        return replace(before or given, same=majority, times=abs(lead))

    def _steps(self, left: int, right: int, expected: bool) -> int:
        """From how many answers it follows whether two documents belong together."""
        chain = shortest_chain(self._standing(), left, right, expected)
        return len(chain) or max(1, (self.n_clusters or 2) - 1)  # where it was inferred

    def _standing(self) -> list[Answer]:
        """The answers that are not disputed, "don't know" left out."""
        disputed = {answer.pair for answer in self._disputed}
        definite = (answer for answer in self._latest.values() if answer.same is not None)
        return [answer for answer in definite if answer.pair not in disputed]

    def _settle(self) -> None:
        """Work out anew what follows: answers before inferences, confirmed ones first.

        Where answers may be wrong, those that most others contradict come last.
        """
        self._take_all(last=set())
        if self.fallible and self._disputed:
            definite = [answer for answer in self._latest.values() if answer.same is not None]
            heads = {document: self._groups.head(document) for document in self._groups.documents}
            self._take_all(last=outvoted(definite, heads))

    def _take_all(self, last: set[frozenset[int]]) -> None:
        self._forget()
        answers = self._latest.values()
        for answer in sorted(answers, key=lambda each: (each.pair in last, -each.times)):
            self._take(answer)
        self._infer()

    def _take(self, answer: Answer) -> None:
        """Let an answer count, unless it contradicts what is known."""
        left, right, same = answer.left, answer.right, answer.same
        for document in (right, left):
            self._groups.add(document)
        if same is None:
            self._unknown.setdefault(left, set()).add(right)
            self._unknown.setdefault(right, set()).add(left)
            self._confirmations.subtract((left, right))
            return
        self._definite |= {left, right}
        if not answer.times or self.same_group(left, right) not in (None, same):
            self._disputed.append(answer)
            if self.fallible:
                self._confirmations.subtract({left: answer.times, right: answer.times})
        elif same:
            self._groups.join(left, right)
            self._confirmations.update({left: answer.times, right: answer.times})
        else:
            self._groups.separate(left, right)

    def _infer(self) -> None:
        """Join groups that have cannot-links to all of the skeleton but one with that one."""
        while (pair := self._next_inference()) is not None:
            self._inferred.append(pair)
            self._groups.join(*pair)

    def _next_inference(self) -> tuple[int, int] | None:
        skeleton = self._skeleton()
        if self.n_clusters is None or len(skeleton) < max(2, self.n_clusters):
            return None
        for head in self._heads():
            left = [place for place in skeleton if self.same_group(head, place) is not False]
            if len(left) == 1 and left[0] != head:
                return head, left[0]
        return None

    def _skeleton(self) -> list[int]:
        """The heads of the groups of the skeleton."""
        heads = list(self._heads())
        chosen: set[int] = set()
        for head in sorted(heads, key=lambda head: -len(self._groups.members(head))):
            if len(chosen) == self.n_clusters:
                break
            if self._groups.cannot_linked(head).issuperset(chosen):
                chosen.add(head)
        return [head for head in heads if head in chosen]

    def _heads(self) -> Iterator[int]:
        """The heads of all groups but those of unclear documents, in the order they came up."""
        return (head for head in self._groups.heads() if not self._is_unclear(head))

    def _is_unclear(self, document: int) -> bool:
        """Whether nobody knew anything of a document, more than once."""
        unknown = len(self._unknown.get(document, ()))
        return document not in self._definite and unknown >= _UNCLEAR
