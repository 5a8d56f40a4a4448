"""The same bytes again: with other threads, hash seeds, locales, and without the core."""

from __future__ import annotations

import os
import sys
from random import Random

from tests.cli.running import finish, start, write_files
from tests.torture.trials import Trial, torture

LOCALES = ("C", "C.UTF-8", "en_US.UTF-8", "tr_TR.UTF-8", "POSIX")
WORDS = [
    "Istanbul",
    "ıstanbul",
    "İZMİR",
    "izmir",
    "moon",
    "Moon",
    "star",
    "night",
    "bike",
    "chain",
    "wheel",
    "café",
    "naïve",
    "straße",
]
# One processor is one thread.
RUN = (
    "import os, sys; one = sys.argv.pop(1) == 'one';"
    "mine = os.sched_getaffinity(0) if hasattr(os, 'sched_getaffinity') else ();"
    "one and mine and os.sched_setaffinity(0, [min(mine)]);"
    "from textclust.cli.main import main; main()"
)
SURE = (
    {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TEXTCLUST_NATIVE": "1"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TEXTCLUST_NATIVE": "0", "TZ": "Asia/Kathmandu"},
)


def texts(rng: Random) -> bytes:
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(3, 12))) for _ in range(rng.randint(20, 80))]
    return ("\n".join(lines) + "\n").encode()


@torture("same bytes", quick=16, share=1.5)
def same_bytes(trial: Trial) -> None:
    rng = trial.rng
    write_files(trial.place, {"t.txt": trial.given("t.txt", texts)})
    method = rng.choice([(), ("--method", "kmeans"), ("--method", "hac")])
    arguments = ("cluster", "t.txt", "-k", rng.randint(2, 5), "--random-state", rng.randrange(9))
    settings = {
        "PYTHONHASHSEED": str(rng.randrange(1 << 32)),
        "LC_ALL": rng.choice(LOCALES),
        "TEXTCLUST_NATIVE": rng.choice("01"),
        "PYTHONUTF8": rng.choice("01"),
        "TZ": rng.choice(["UTC", "America/St_Johns"]),
    }
    found = []
    for number, (threads, environment) in enumerate(
        [("all", SURE[0]), (rng.choice(["one", "all"]), {**SURE[1], **settings})]
    ):
        out = trial.place / f"{number}"
        ended = finish(
            start(threads, *arguments, *method, "--out", out, program=RUN, env=environment)
        )
        assert ended.code == 0, (environment, ended)
        found.append({name: (out / name).read_bytes() for name in ("labels.csv", "clusters.json")})
    assert found[0] == found[1], (threads, environment, sys.version, os.cpu_count())
