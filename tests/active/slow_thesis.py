"""Explore and Consolidate as in the thesis (Basu 2005, figures 5.1 and 5.2), slowly.

Written from the text alone: a full distance matrix, neighbourhoods as lists, one question after
the other. Where the text leaves a choice, the nearest neighbourhood is asked first, and of its
members the one that most answers put there; ties go to what came first.
"""

from __future__ import annotations

import numpy as np


class OutOfQuestionsError(Exception):
    pass


class SlowThesis:
    def __init__(self, X, order, truth, k, budget):
        self.X, self.order, self.truth, self.k, self.budget = X, list(order), truth, k, budget
        self.D = 1 - X @ X.T
        self.asked, self.must, self.cannot = [], [], []
        self.neighbourhoods = []

    def run(self):
        try:
            self.explore()
            self.consolidate()
        except OutOfQuestionsError:
            pass
        return self

    def ask(self, x, y):
        if len(self.asked) == self.budget:
            raise OutOfQuestionsError
        self.asked.append((x, y))
        same = self.truth[x] == self.truth[y]
        (self.must if same else self.cannot).append((x, y))
        return same

    def explore(self):
        self.neighbourhoods = [[self.order[0]]]
        while len(self.neighbourhoods) < self.k:
            known = [x for members in self.neighbourhoods for x in members]
            others = [x for x in self.order if x not in known]
            if not others:
                return
            x = max(others, key=lambda x: self.D[x, known].min())
            self.place(x, may_begin=True)

    def consolidate(self):
        if len(self.neighbourhoods) < self.k or self.k == 1:
            return
        for x in self.order:
            if not any(x in members for members in self.neighbourhoods):
                self.place(x, may_begin=False)

    def place(self, x, may_begin):
        by_distance = sorted(self.neighbourhoods, key=lambda members: self.to_centroid(x, members))
        asked = by_distance if may_begin else by_distance[:-1]
        for members in asked:
            most_confirmed = max(members, key=lambda y: sum(y in pair for pair in self.must))
            if self.ask(x, most_confirmed):
                members.append(x)
                return
        if may_begin:
            self.neighbourhoods.append([x])
        else:
            by_distance[-1].append(x)

    def to_centroid(self, x, members):
        centroid = self.X[members].mean(axis=0)
        return 1 - self.X[x] @ centroid / np.linalg.norm(centroid)
