"""The command line's front door: commands, errors and exit codes.

0 is success, 2 a bad input or usage in one line, 130 an interruption, 1 a fault of ours.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

from textclust.errors import TextclustError

from . import cluster, corpora, evaluate, explain, predict, reproduce

app = typer.Typer(
    name="textclust",
    help="Bring order into a pile of documents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("cluster")(cluster.command)
app.command("predict")(predict.command)
app.command("explain")(explain.command)
app.command("evaluate")(evaluate.command)
app.add_typer(corpora.app, name="corpora")
app.command("reproduce")(reproduce.command)


def _version(wanted: bool) -> None:
    if wanted:
        from textclust import __version__

        print(f"textclust {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Bring order into a pile of documents."""


def main() -> NoReturn:
    """Run a command and end the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; every expected failure is one line."""
    try:
        code = app(args=arguments, prog_name="textclust", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except TextclustError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("interrupted; nothing was written", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _fail("not enough memory for this collection; cluster a part of it")
    except Exception as error:
        return _unexpected(error)


def _unexpected(error: Exception) -> int:
    if hasattr(error, "format_message"):
        return _fail(f"{error.format_message()}; see textclust --help")
    if type(error).__name__ == "Abort":
        return _fail("interrupted; nothing was written", 130)
    if os.environ.get("TEXTCLUST_DEBUG"):
        raise error
    kind = type(error).__name__
    return _fail(f"a fault in textclust itself ({kind}: {error}); TEXTCLUST_DEBUG=1 shows where", 1)


def _fail(message: str, code: int = 2) -> int:
    line = " ".join(message.split())
    print(f"textclust: {line}", file=sys.stderr)
    return code
