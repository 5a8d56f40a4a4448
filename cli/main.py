"""The command line's front door: commands, errors and exit codes.

0 is success, 2 a bad input or usage in one line, 130 an interruption, 1 a fault of ours or
something that `check` found.
"""

from __future__ import annotations

import gc
import io
import os
import re
import signal
import sys
from contextlib import suppress
from functools import cache
from typing import Any, NoReturn

# Our core has its own threads; those of BLAS only spin between its calls. Before numpy comes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import builtins

import click

from textclust.errors import TextclustError, in_words
from textclust.writing.standing import Record, recording

from . import commands, completion, output, repeating

# Objects made before a search for cycles among them, which the documents of a run are not in.
_GARBAGE = 500_000
_NOTHING = "interrupted; nothing was written"


def _print_version(context: Any, parameter: Any, wanted: bool) -> None:
    if wanted:
        from textclust import __version__, native

        output.print_line(f"textclust {__version__}, {native.described()}")
        raise click.exceptions.Exit


_VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version.",
)
_COMMANDS = commands.Later(
    {
        "cluster": "textclust.cli.cluster:app",
        "open": "textclust.cli.workbench:command",
        "ask": "textclust.cli.ask:command",
        "predict": "textclust.cli.predict:command",
        "add": "textclust.cli.add:command",
        "refit": "textclust.cli.refit:command",
        "explain": "textclust.cli.explain:command",
        "diff": "textclust.cli.diff:command",
        "history": "textclust.cli.history:command",
        "over-time": "textclust.cli.over_time:command",
        "agreement": "textclust.cli.agreement:command",
        "rename": "textclust.cli.rename:command",
        "replay": "textclust.cli.replay:command",
        "evaluate": "textclust.cli.evaluate:command",
        "check": "textclust.cli.check:command",
        "select-k": "textclust.cli.select_k:command",
        "curve": "textclust.cli.curve:command",
        "reproduce": "textclust.cli.reproduce:command",
        "completion": "textclust.cli.completion:command",
        "corpora": "textclust.cli.corpora:app",
    }
)
app = commands.InOrder(
    "textclust", _COMMANDS, help="Bring order into a pile of documents.", params=[_VERSION]
)


def main() -> NoReturn:
    """Run a command and end the process with its exit code."""
    try:
        _open_streams()
        _end_as_on_ctrl_c("SIGINT", "SIGTERM", "SIGHUP")
        if completion.VARIABLE in os.environ:
            _end(completion.answer(app))
        gc.set_threshold(_GARBAGE)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before the command began, or after it
        code = _fail("interrupted", 130)
    _end(code)


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
        if error.filename is None and not _is_anywhere():
            return _fail("the folder that this was started in is gone; change to another one")
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


def invoke(arguments: list[str]) -> int:
    """Run a command without the error handling of click, which ends the process."""
    try:
        with app.make_context("textclust", arguments) as context:
            app.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as nothing:
        output.print_lines(str(nothing))
    return 0


def _unexpected(error: Exception) -> int:
    if isinstance(error, click.ClickException):
        place = getattr(getattr(error, "ctx", None), "command_path", "textclust")
        return _fail(f"{_usage_error(error).rstrip('.')}; see {place} --help")
    if os.environ.get("TEXTCLUST_DEBUG"):
        raise error
    kind = type(error).__name__
    return _fail(f"a fault in textclust itself ({kind}: {error}); TEXTCLUST_DEBUG=1 shows where", 1)


def _usage_error(error: click.ClickException) -> str:
    """What is wrong with what was typed; what may have been meant by an unknown option."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return _in_our_words(error.format_message())
    from .suggestions import meant

    parameters = error.ctx.command.get_params(error.ctx)
    known = [name for each in parameters for name in (*each.opts, *each.secondary_opts)]
    found = meant(
        error.option_name, [name for name in known if name.startswith("-")], "path" in known
    )
    message = f"No such option: {error.option_name}"
    if not found:
        return message
    if found == ["PATH"]:
        return f"{message} (PATH stands by itself, without an option before it)"
    return f"{message} (did you mean {in_words(found)}?)"


def _in_our_words(message: str) -> str:
    """What click says of a value or a command, in the words of our own messages."""
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


def _is_anywhere() -> bool:
    """Whether the working directory is there; another program may have removed it."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _end(code: int) -> NoReturn:
    """End at once: everything is written, and the system frees memory faster than we do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _abandon_output() -> None:
    """Let nothing more be written to a standard output that takes no more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
