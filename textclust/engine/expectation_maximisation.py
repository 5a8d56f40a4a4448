"""Expectation-maximisation: probabilities of labels and the parameters of k components in turn.

    F(r, theta) = sum_i w_i sum_h r_ih (cost_ih(theta) + log(r_ih) / b)  +  E_r[V]

with cost_ih = -log(pi_h p(x_i | h)) / b up to a constant: the free energy at the inverse
temperature b (Neal and Hinton 1998). Where no two documents are linked, the E-step makes it
the negative log-likelihood over b. Neither step raises it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from textclust.engine.alternation import alternate
from textclust.engine.default_weight import mean_distortion
from textclust.engine.problem import Mixture, Problem, Solution
from textclust.engine.restarts import largest_first
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix, Moments
from textclust.geometry.affine import costs as all_costs
from textclust.geometry.capabilities import without_direction
from textclust.supervision.inference.mean_field import MeanField, softmax

__all__ = [
    "Components",
    "EStep",
    "default_temperature",
    "log_likelihoods",
    "maximise_likelihood",
    "most_probable",
    "tempered_posteriors",
]

# The nats of the mean distortion of a document from the centre of all, softened: amid the values
# under which the known classes of text collections are most likely (docs/measured/certainty.md).
_SOFT = {"cosine": 20.0, "euclidean": 40.0, "kl": 4.0, "i-divergence": 4.0}


@dataclass(frozen=True)
class Components:
    """What an M-step finds: prototypes, what a document costs there, shares of all documents."""

    distortion: Distortion
    prototypes: Array
    weights: Array  # pi


@dataclass(frozen=True)
class EStep:
    """What bears on the probabilities beside the components."""

    problem: Problem
    sharpness: float  # b: the nats of one unit of cost
    field: MeanField | None = None  # the links, at prices in nats

    @property
    def weights(self) -> Array:
        """What each document counts: nothing without a direction, unless links give it one."""
        if self.field is None:
            return self.problem.effective_weights
        weights, linked = self.problem.effective_weights.copy(), self.field.documents
        weights[linked] = self.problem.weights[linked]
        return weights

    def responsibilities(self, nats: Array, before: Array) -> Array:
        """The probability of each cluster for each document."""
        found = softmax(-nats)
        if self.field is not None:
            found[self.field.documents] = self.field.shares(nats, before)
        rows, labels = self._clamped
        found[rows] = np.eye(self.problem.k)[labels]
        return found

    def energy(self, nats: Array, r: Array) -> float:
        """F."""
        inside = r > 0
        logs = np.log(r, out=np.zeros_like(r), where=inside)
        each = (r * (np.where(inside, nats, 0.0) + logs)).sum(axis=1)
        links = 0.0 if self.field is None else self.field.energy(r)
        return (float(self.weights @ each) + links) / self.sharpness

    def tempered(self, nats: Array, r: Array, temperature: float) -> Array:
        """The probabilities to the power of 1 / temperature, in each row adding up to one."""
        logits = -nats
        if self.field is not None:
            logits[self.field.documents] -= self.field.pushes(r)
        found = softmax(logits / temperature)
        rows, _ = self._clamped
        found[rows] = r[rows]
        return found

    @property
    def _clamped(self) -> tuple[Labels, Labels]:
        none = np.zeros(0, dtype=np.intp)
        return (none, none) if self.problem.unary is None else self.problem.unary.clamped()


def tempered_posteriors(
    X: Matrix, components: Components, sharpness: float, temperature: float
) -> Array:
    """The probability of each component for rows that were prepared, to 1 / temperature."""
    return softmax(-_nats(X, components, sharpness) / temperature)


def log_likelihoods(X: Matrix, components: Components, sharpness: float) -> Array:
    """log sum_h pi_h p(x | h) of rows that were prepared, in units of the distortion."""
    found = logsumexp(-_nats(X, components, sharpness), axis=1)
    found[without_direction(components.distortion, X)] = 0.0
    return np.asarray(found / sharpness)


def _nats(X: Matrix, components: Components, sharpness: float) -> Array:
    """-log(pi_h p(x | h)) of every row and component, up to a constant for each row.

    A row that has no direction says nothing of its component: only pi_h counts.
    """
    distortion = components.distortion
    table = all_costs(X, distortion.affine(components.prototypes))
    table += distortion.own_costs(X)[:, None]
    table *= sharpness
    with np.errstate(divide="ignore"):  # a component that nothing is left of
        table[without_direction(distortion, X)] = -np.log(components.weights)
    return table


def maximise_likelihood(
    e_step: EStep,
    m_step: Callable[[Moments, Array, Components | None], Components],
    labels: Labels,
    temperature: Callable[[Components], float],
    *,
    max_iter: int,
    tol: float,
) -> Solution:
    """Descend from a hard clustering to a local minimum of F.

    The M-step is given the moments of the components, their shares of all documents, and
    what it found the last time. It rests when an iteration brings no more than `tol` nats for
    each document: F itself may be of any size and sign.
    """
    problem = e_step.problem

    def iterate(before: _Estimate) -> tuple[_Estimate, float, int]:
        moments, shares = _moments(problem, before.r), _shares(e_step.weights, before.r)
        components = m_step(moments, shares, before.components)
        nats = _nats(problem.X, components, e_step.sharpness)
        r = e_step.responsibilities(nats, before.r)
        moved = int((r.argmax(axis=1) != before.r.argmax(axis=1)).sum())
        return _Estimate(r, nats, components), e_step.energy(nats, r), moved

    negligible = tol * float(e_step.weights.sum()) / e_step.sharpness
    initial = _Estimate(np.eye(problem.k)[labels])
    descent = alternate(initial, iterate, max_iter=max_iter, negligible=negligible)
    (r, nats, components), history = descent.state, descent.history
    assert components is not None
    assert nats is not None
    warmth = temperature(components)
    return Solution(
        labels=np.asarray(r.argmax(axis=1), dtype=np.intp),
        prototypes=components.prototypes,
        distortion=components.distortion,
        energy=history[-1].energy,
        converged=descent.converged,
        n_iter=len(history),
        history=history,
        memberships=e_step.tempered(nats, r, warmth),
        mixture=Mixture(r, components.weights, e_step.sharpness, warmth),
    )


class _Estimate(NamedTuple):
    """The probabilities after an iteration, and what they were found from."""

    r: Array  # n x k
    nats: Array | None = None  # n x k: what each document costs in each component
    components: Components | None = None


def most_probable(problem: Problem, solution: Solution) -> Solution:
    """Clusters with most documents first, each document in its most probable one.

    Of equally probable clusters the first, in the new order too.
    """
    ordered = largest_first(problem, solution)
    assert ordered.mixture is not None
    labels = ordered.mixture.responsibilities.argmax(axis=1)
    return replace(ordered, labels=np.asarray(labels, dtype=np.intp))


def default_temperature(problem: Problem, sharpness: float) -> float:
    """How far to soften probabilities of this sharpness, in nats for one unit of distortion.

    Documents are not drawn word by word as a mixture takes them to be, so that on text its
    probabilities are nearly all 0 or 1. Softened, a twentieth of the mean distortion of a
    document from the centre of all makes a cluster e times less likely; a fortieth under the
    Euclidean distance and a fourth under divergences. Probabilities that are softer by
    themselves stay as they are.
    """
    soft = _SOFT.get(problem.distortion.name, _SOFT["cosine"])
    return max(1.0, sharpness * mean_distortion(problem) / soft)


def _moments(problem: Problem, r: Array) -> Moments:
    shares = r * problem.effective_weights[:, None]
    sums = np.asfortranarray(np.asarray(problem.X.T @ shares).T)
    return Moments(sums, shares.sum(axis=0))


def _shares(weights: Array, r: Array) -> Array:
    """The mean probability of each component."""
    masses = weights @ r
    return np.asarray(masses / masses.sum())
