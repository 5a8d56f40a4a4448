"""textclust completion: what a shell needs to complete commands, options and files."""

from __future__ import annotations

import enum
import os
from typing import Annotated

import click

from textclust.errors import InputError

from . import output
from .declared import Argument

__all__ = ["VARIABLE", "answer", "command"]

VARIABLE = "_TEXTCLUST_COMPLETE"  # the script asks textclust by it
_PROGRAM = "textclust"


class Shell(enum.StrEnum):
    """A shell that completes by a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def command(
    shell: Annotated[
        Shell, Argument(metavar="SHELL", help="bash, zsh, fish or powershell.", names=lambda: Shell)
    ],
) -> None:
    """Print the script that makes a shell complete what is typed after textclust."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise InputError(
            f"completion in {shell} needs click 8.5 or newer; get it with: pip install -U click"
        )
    output.print_lines(kind(click.Group(_PROGRAM), {}, _PROGRAM, VARIABLE).source())


def answer(app: click.Group) -> int:
    """Print what the script asks for, as the environment has it; the exit code."""
    from click.shell_completion import shell_complete

    return shell_complete(app, {}, _PROGRAM, VARIABLE, os.environ[VARIABLE])
