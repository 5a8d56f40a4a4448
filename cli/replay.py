"""textclust replay: a run once more, and whether it comes out the same."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import click

from textclust.plain import plain

from . import options, output, repeating, results
from .declared import Argument

if TYPE_CHECKING:
    from textclust.errors import InputError
    from textclust.result.clustering import Clustering

__all__ = ["command"]

_TABLES = ("labels.csv", "memberships.csv", "over_time.csv")
_SHOWN, _NAME = 3, 80  # ids in a line, and their characters


def command(
    run: Annotated[Path, Argument(metavar="DIR", help="The --out folder of a run.")],
    json: options.Json = False,
) -> None:
    """Repeat the run that wrote DIR, and say whether the results are the same to the last bit.

    If they are not, say what differs: what was read, the versions, or the results; the exit code is
    1 then.
    """
    from textclust.errors import TextclustError
    from textclust.result.model import load

    summary = _summary(run)
    command, names = _recorded(run, summary)
    commands = [command, *_added(run)]
    for folder in (each["folder"] for each in commands):
        if not Path(folder).is_dir():
            raise _cannot(run, f"the folder {folder} that it was run in is gone")
    before = load(run)
    changed = list(_changed_files(run, summary, commands))
    reasons = [*changed, *_other_reasons(summary)]
    try:
        with _repeated(commands, names) as again:
            after = load(again)
            differences = [
                *_changed_documents(before, after),
                *_differences(run, again),
                *_different_arrays(before, after),
            ]
    except TextclustError as error:
        differences = [f"the command ends with an error now: {error}"]
    if json:
        content = {"identical": not differences, "differences": differences, "changed": reasons}
        output.print_json(content)
    else:
        _show(run, summary, differences, reasons)
    if differences or changed:
        raise click.exceptions.Exit(1)


def _show(run: Path, summary: Any, differences: list[str], reasons: list[str]) -> None:
    if not differences:
        documents = output.counted(int(summary["documents"]), "document")
        output.print_line(f"{run}: bit-identical ({documents})")
    else:
        output.print_line(f"{run}: not the same")
    for line in [*differences, *reasons]:
        output.print_line(f"  {line}")


def _summary(run: Path) -> Any:
    """The content of clusters.json."""
    from textclust.errors import InputError
    from textclust.writing import recover, summary_beside

    recover(run)
    found = summary_beside(run / "clusters.json")
    if found is None:
        raise InputError(f"{run}: not the --out folder of a run, it has no clusters.json of ours")
    return found


def _recorded(run: Path, summary: Any) -> tuple[dict[str, Any], dict[int, str]]:
    """The command that was recorded, and the names that a person gave after it."""
    command = repeating.read_record(run)
    if not isinstance(command, dict):
        raise _cannot(run, f"there is no record of a command in {repeating.FILE}")
    arguments = command.get("arguments")
    words = arguments if isinstance(arguments, list) else []
    if not words or not all(isinstance(each, str) for each in words):
        raise _cannot(run, "its record is damaged")
    if words[0] != "cluster":
        made = f"its command is textclust {plain(words[0], _NAME)}"
        raise _cannot(run, f"{made}, and only those of textclust cluster can be")
    if any(each.startswith("--scheduler") for each in words):
        raise _cannot(run, "it was made on the workers of a cluster")
    _require_whole(run, command)
    names = summary["settings"].get("names") or {}
    return command, {int(h): str(name) for h, name in names.items()}


def _added(run: Path) -> list[dict[str, Any]]:
    """The commands that were recorded as adding documents."""
    found = repeating.read_added(run)
    for step in found:
        words = step.get("arguments") if isinstance(step, dict) else None
        if not isinstance(words, list) or words[:1] != ["add"]:
            raise _cannot(run, "its record is damaged")
        _require_whole(run, step)
    return found


def _require_whole(run: Path, command: dict[str, Any]) -> None:
    """Raise an InputError for a record without what a repetition needs."""
    words = command["arguments"]
    if not isinstance(command.get("read"), dict) or not isinstance(command.get("folder"), str):
        raise _cannot(run, "its record is damaged")
    if not all(isinstance(each, str) for each in words):
        raise _cannot(run, "its record is damaged")
    if "-" in words:
        raise _cannot(run, "its documents came from standard input")


def _cannot(run: Path, reason: str) -> InputError:
    from textclust.errors import InputError

    return InputError(f"{run}: cannot be repeated: {reason}")


@contextmanager
def _repeated(commands: list[dict[str, Any]], names: dict[int, str]) -> Iterator[Path]:
    """A folder with the results of the same commands: of one that makes them, and others that add.

    Of these each is given the folder that the one before has written.
    """
    from .main import invoke

    with TemporaryDirectory(prefix="textclust-replay-") as place:
        again = Path(place) / "out"
        for number, command in enumerate(commands):
            name, *rest = command["arguments"]
            onto = ["--out", str(again)] if number == 0 else [str(again)]
            words = [name, *onto, *rest]
            with chdir(command["folder"]), repeating.running(words), _silence():
                invoke(words)
        if names:
            _rename(again, names)
        yield again


@contextmanager
def _silence() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def _rename(again: Path, names: dict[int, str]) -> None:
    """Give the clusters the names that a person gave."""
    from textclust.result.model import load

    renamed = load(again).renamed(names)
    with results.again(again) as place:
        if place is not None:
            results.write(
                renamed,
                place,
                memberships=(again / "memberships.csv").is_file(),
                keep_formulas=repeating.has_option(again, "--csv-formulas", "keep"),
            )


def _changed_files(run: Path, summary: Any, commands: list[dict[str, Any]]) -> Iterator[str]:
    """What was read and is not as it was, and results that were edited since."""
    for command in commands:
        for name, expected in command["read"].items():
            found = repeating.digest(Path(command["folder"]) / name)
            if found != expected:
                yield f"{name}: {'no longer there' if found is None else 'changed since the run'}"
    for name, expected in (summary.get("tables") or {}).items():
        if repeating.digest(run / name) != expected:
            yield f"{name}: changed since the run, by somebody else"


def _other_reasons(summary: Any) -> Iterator[str]:
    """Versions that differ, and what was stopped early."""
    from textclust.result.settings import versions

    then, now = summary["settings"].get("versions") or {}, versions()
    for name in now:
        if then.get(name) != now[name]:
            yield f"{name} {then.get(name, 'unknown')} then, {now[name]} now"
    if summary.get("stopped"):
        yield "the run was stopped early, which depends on the machine's speed"
    stability = summary.get("stability") or {}
    if stability.get("runs") != stability.get("asked"):
        yield "its resampled runs were stopped early, which depends on the machine's speed"


def _changed_documents(before: Clustering, after: Clustering) -> Iterator[str]:
    """That documents are not those of the run, and which."""
    one, other = (each.settings["collection"]["sha256"] for each in (before, after))
    if one == other:
        return
    counts = before.n_documents, after.n_documents
    said = "" if counts[0] == counts[1] else f" ({counts[0]} then, {counts[1]} now)"
    then, now = _digests(before), _digests(after)
    if then and now:
        for what, names in (
            ("changed", [name for name in then if name in now and then[name] != now[name]]),
            ("no longer there", [name for name in then if name not in now]),
            ("new", [name for name in now if name not in then]),
        ):
            if names:
                said += f"; {what}: {_first(names)}"
    yield f"the documents have changed since the run{said}"


def _digests(clustering: Clustering) -> dict[str, bytes]:
    """The digest of each document; none of an earlier version."""
    if clustering.digests is None:
        return {}
    digests = (digest.tobytes() for digest in clustering.digests)
    return dict(zip(clustering.ids, digests, strict=True))


def _first(names: list[str]) -> str:
    """The first of some ids, and how many more there are."""
    shown = ", ".join(plain(name, _NAME) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN:,} more"


def _differences(run: Path, again: Path) -> Iterator[str]:
    """What is not the same in the results."""
    for name in _TABLES:
        one, other = ((folder / name) for folder in (run, again))
        if one.is_file() or other.is_file():
            yield from _different_lines(name, one, other)
    before, after = (_content(_summary(folder)) for folder in (run, again))
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield f"clusters.json: {key} differs"


def _different_lines(name: str, one: Path, other: Path) -> Iterator[str]:
    before, after = (
        path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        for path in (one, other)
    )
    pairs = zip_longest(before, after)
    wrong = [number for number, (then, now) in enumerate(pairs, start=1) if then != now]
    if wrong:
        first = f"line {wrong[0]} first" if len(wrong) > 1 else f"line {wrong[0]}"
        yield f"{name}: {output.counted(len(wrong), 'line')} of {len(before)} differ, {first}"


def _content(summary: Any) -> dict[str, Any]:
    """What a repetition should have the same: all but the versions, the command and the seconds."""
    settings = {
        key: value
        for key, value in summary["settings"].items()
        if key not in ("versions", "command")
    }
    stopped = {**(summary.get("stopped") or {}), "seconds": None}
    return {**summary, "settings": settings, "stopped": stopped, "tables": None}


def _different_arrays(before: Clustering, after: Clustering) -> Iterator[str]:
    import numpy as np

    from textclust.result.arrays import CSR_PARTS

    def parts(table: Any) -> list[Any]:
        return [getattr(table, part) for part in CSR_PARTS] if hasattr(table, "nnz") else [table]

    for name, one, other in (
        ("prototypes", before.space.prototypes, after.space.prototypes),
        ("scores", before.scores, after.scores),
        ("weights of terms", before.vectorizer.idf_, after.vectorizer.idf_),
    ):
        if not all(map(np.array_equal, parts(one), parts(other))):
            yield f"model: the {name} differ"
