"""What every script is given and leaves behind: SCRIPT TEXTS.jsonl K SEED LABELS.csv."""

import csv
import json
import sys


def given():
    """The ids, the texts, the number of clusters and the random state."""
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["id"] for row in rows], [row["text"] for row in rows], *map(int, sys.argv[2:4])


def leave(ids, labels):
    """A table of the labels."""
    with open(sys.argv[4], "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("id", "cluster"), *zip(ids, labels, strict=True)])
