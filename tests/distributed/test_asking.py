"""Where the workers are asked, and what is sent to them beside."""

from __future__ import annotations

import numpy as np

from tests.distributed.parts import documents, in_parts
from textclust.distributed.asking import ask
from textclust.distributed.sent import OnWorkers


def test_a_part_is_asked_about_where_it_lies_however_much_is_sent_to_it(client):
    parted = in_parts(client, documents(), (30, 60))
    places = client.who_has(list(parted.parts))
    large = OnWorkers(lambda: np.zeros(1_000_000))
    ask(client, _columns, parted.parts, shared=large)
    assert client.who_has(list(parted.parts)) == places


def test_it_is_sent_once_unless_it_may_be_lost(client):
    made = []
    shared = OnWorkers(lambda: made.append(1))
    for _ in range(2):
        ask(client, _columns, in_parts(client, documents()).parts, shared=shared)
    assert len(made) == 1
    shared.renew()
    shared.there(client)
    assert len(made) == 2


def test_answers_are_added_up_on_the_workers(client):
    parts = in_parts(client, documents(), range(1, 20)).parts
    for most in (1, 3, 100):
        found = ask(client, _rows, parts, most=most)
        assert (sum(found), len(found)) == (90, min(len(found), most))


def _columns(part, shared):
    return part.rows.shape[1]


def _rows(part):
    return part.rows.shape[0]
