"""The command line's front door: commands, errors and exit codes.

0 is success, 2 a bad input or usage in one line, 130 an interruption, 1 a fault of ours or
something that `check` found.
"""

from __future__ import annotations

import gc
import inspect
import io
import os
import re
import signal
import sys
from contextlib import suppress
from copy import copy
from functools import cache
from typing import Annotated, Any, NoReturn

# Our core has its own threads; those of BLAS only spin between its calls. Before numpy comes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import builtins

import typer
from typer.models import CommandInfo

from textclust.errors import TextclustError, in_words
from textclust.writing.standing import Record, recording

from . import (
    ask,
    check,
    cluster,
    commands,
    corpora,
    curve,
    diff,
    evaluate,
    explain,
    output,
    predict,
    rename,
    repeating,
    replay,
    reproduce,
    select_k,
    workbench,
)

# Objects made before a search for cycles among them, which the documents of a run are not in.
_GARBAGE = 500_000
_NOTHING = "interrupted; nothing was written"

app = typer.Typer(
    name="textclust",
    help="Bring order into a pile of documents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("cluster", cls=commands.WithExamples)(cluster.command)
app.command("open", cls=commands.InPanels)(workbench.command)
app.command("ask", cls=commands.InPanels)(ask.command)
app.command("predict", cls=commands.InPanels)(predict.command)
app.command("explain", cls=commands.InPanels)(explain.command)
app.command("diff", cls=commands.InPanels)(diff.command)
app.command("rename", cls=commands.InPanels)(rename.command)
app.command("replay", cls=commands.InPanels)(replay.command)
app.command("evaluate", cls=commands.InPanels)(evaluate.command)
app.command("check", cls=commands.InPanels)(check.command)
app.command("select-k", cls=commands.InPanels)(select_k.command)
app.add_typer(corpora.app, name="corpora")
app.command("curve", cls=commands.InPanels)(curve.command)
app.command("reproduce", cls=commands.InPanels)(reproduce.command)


def _version(wanted: bool) -> None:
    if wanted:
        from textclust import __version__, native

        print(f"textclust {__version__}, {native.described()}")
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
    _open_streams()
    _end_as_on_ctrl_c("SIGTERM", "SIGHUP")
    gc.set_threshold(_GARBAGE)
    _end(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; every expected failure is one line."""
    with recording() as record:
        return _run(arguments, record)


def _run(arguments: list[str], record: Record) -> int:
    try:
        with repeating.running(arguments):
            code = invoke(list(arguments))
        sys.stdout.flush()
        return code
    except TextclustError as error:
        return _fail(_in_options(str(error)))
    except KeyboardInterrupt as stop:
        written = ", ".join(record.standing())
        what = f"interrupted; written before that: {written}" if written else _NOTHING
        return _fail(str(stop) or what, 130)
    except BrokenPipeError:
        _abandon_output()
        return 0
    except OSError as error:
        _abandon_output()
        where = error.filename or "standard output"
        return _fail(f"{where}: {error.strerror or error}; choose another place or free it")
    except MemoryError:
        return _fail("not enough memory for this collection; cluster a part of it")
    except Exception as error:
        return _unexpected(error)


def _in_options(message: str) -> str:
    """What the library says, with options where it names parameters."""
    from . import wording

    return wording.in_options(message, _spellings())


@cache
def _spellings() -> dict[str, str]:
    """The option for every parameter that a message may name."""
    from . import method_options, reference

    declared = method_options.declared_options().items()
    spelt = {name: option.spelling for name, option in declared}
    return {**spelt, **reference.spellings(app)}


@cache
def _commands(named: frozenset[str | None]) -> Any:
    """All commands, those alone with options that are named: it takes time to make them."""
    made = copy(app)
    made.registered_commands = [
        each if each.name in named else _without_options(each) for each in app.registered_commands
    ]
    return typer.main.get_command(made)


def invoke(arguments: list[str]) -> int:
    """Run a command without the error handling of typer, which differs between its versions."""
    command = _commands(frozenset(arguments) & {each.name for each in app.registered_commands})
    try:
        with command.make_context("textclust", arguments) as context:
            command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except Exception as error:
        if type(error).__name__ != "NoArgsIsHelpError":
            raise
        print(error)
    return 0


def _without_options(command: CommandInfo) -> CommandInfo:
    """A command as --help lists it."""
    bare = copy(command)
    bare.help, bare.callback = inspect.getdoc(command.callback), lambda: None
    return bare


def _unexpected(error: Exception) -> int:
    if hasattr(error, "format_message"):
        place = getattr(getattr(error, "ctx", None), "command_path", "textclust")
        return _fail(f"{_usage_error(error).rstrip('.')}; see {place} --help")
    if os.environ.get("TEXTCLUST_DEBUG"):
        raise error
    kind = type(error).__name__
    return _fail(f"a fault in textclust itself ({kind}: {error}); TEXTCLUST_DEBUG=1 shows where", 1)


def _usage_error(error: Any) -> str:
    """What is wrong with what was typed; what may have been meant by an unknown option."""
    given, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if type(error).__name__ != "NoSuchOption" or context is None:
        return _in_our_words(str(error.format_message()))
    from .suggestions import meant

    known = [name for each in context.command.params for name in (*each.opts, *each.secondary_opts)]
    found = meant(str(given), [name for name in known if name.startswith("-")], "path" in known)
    if not found:
        return str(error.message)
    if found == ["PATH"]:
        return f"{error.message} (PATH stands by itself, without an option before it)"
    return f"{error.message} (did you mean {in_words(found)}?)"


def _in_our_words(message: str) -> str:
    """What typer says of a value or a command, in the words of our own messages."""
    no_number = r"'([^']*)' is not a valid int(?:eger)?(?: range)?\b"
    message = re.sub(no_number, r"it must be a whole number; got \1", message)
    return re.sub(r"\. Did you mean (.*)\?$", r" (did you mean \1?)", message)


def _fail(message: str, code: int = 2) -> int:
    with suppress(OSError):  # nobody is there to read it: the terminal was closed
        output.note("textclust: " + " ".join(message.split()))
    return code


def _end_as_on_ctrl_c(*names: str) -> None:
    """Let other signals to end do what Ctrl-C does; one that is ignored stays so, under nohup."""
    for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def _open_streams() -> None:
    """Make a stream that was closed an empty one, and spell out letters a terminal lacks."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, builtins.open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _end(code: int) -> NoReturn:
    """End at once: everything is written, and the system frees memory faster than we do."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _abandon_output() -> None:
    """Let nothing more be written to a standard output that takes no more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
