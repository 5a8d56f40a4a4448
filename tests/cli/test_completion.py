"""Completion: the script that a shell reads, and what it is answered."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
import textclust.cli.completion as completion

from tests.cli.running import finish, start

SHELLS = ("bash", "zsh", "fish", "powershell")


def completed(words, place):
    """What bash makes of a line that ends in the last of these words."""
    script = """
eval "$(textclust completion bash)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
compopt() { echo "and files"; }
_textclust_completion textclust
printf '%s\\n' "${COMPREPLY[@]}"
"""
    bin_folder = place / "bin"
    bin_folder.mkdir()
    command = bin_folder / "textclust"
    command.write_text(
        f"#!{sys.executable}\nfrom textclust.cli.main import main\nmain()\n", encoding="utf-8"
    )
    command.chmod(0o755)
    path = f"{bin_folder}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script, "bash", *words],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["textclust", "cl"], ["cluster"]),
        (["textclust", "corpora", "path", "news"], ["newsgroups"]),
        (["textclust", "cluster", "x", "--groups", ""], ["together", "weigh"]),
        (["textclust", "cluster", "x", "--seed"], ["--seeds", "--seed-words"]),
        (["textclust", "predict", "mo"], ["and files", ""]),
        (["textclust", "completion", "z"], ["zsh"]),
    ],
    ids=lambda words: " ".join(words[1:]),
)
def test_bash_completes_commands_options_values_names_and_files(words, expected, tmp_path):
    assert completed(words, tmp_path) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_calls_textclust(textclust, shell):
    answer = textclust("completion", shell)
    if answer.code == 2:
        assert "needs click 8.5" in answer.err
    else:
        assert (answer.code, answer.err) == (0, "")
        assert completion.VARIABLE in answer.out


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_shell_itself_reads_its_script(textclust, shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    script = tmp_path / "script"
    script.write_text(textclust("completion", shell).out, encoding="utf-8")
    subprocess.run([shell, "-n", script], check=True, cwd=tmp_path)


def test_an_unknown_shell_is_refused_in_one_line(textclust):
    answer = textclust("completion", "tcsh")
    assert (answer.code, answer.out) == (2, "")
    assert "'tcsh' is not one of" in answer.err


def test_completing_imports_nothing_heavy():
    program = (
        "import os, sys; os.environ.update(_TEXTCLUST_COMPLETE='bash_complete', "
        "COMP_WORDS='textclust cl', COMP_CWORD='1')\n"
        "from textclust.cli import main, completion\ncompletion.answer(main.app)\n"
        "sys.exit(bool({'numpy', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    answer = finish(start(program=program))
    assert (answer.code, answer.out.split(",")[-1].strip()) == (0, "cluster")


def test_python_m_textclust_is_the_command(tmp_path):
    command = [sys.executable, "-m", "textclust", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == finish(start("--version")).out
