"""The headers of the core give the same answers by every compiler and on every processor here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import textclust

HERE = Path(__file__).resolve().parent
HEADERS = Path(textclust.__file__).resolve().parent / "native"
FLAGS = ("-std=c11", "-O1", "-fno-math-errno", "-Wall", "-Wextra", "-Werror", "-Wno-psabi")
UNUSED = ("-Wno-unused-function", "-Wno-unknown-pragmas")
PARTS = ("assignment", "products", "sums")
PLAIN = "-DTEXTCLUST_PLAIN_C"
BUILDS = {
    "gcc": (["gcc"], []),
    "clang": (["clang"], []),
    "plain C by clang": (["clang", PLAIN], []),
    "arm64": (["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"]),
    "plain C on arm64": (["aarch64-linux-gnu-gcc", "-static", PLAIN], ["qemu-aarch64"]),
}


def printed(compiler, runner, part, place):
    """What the driver prints, compiled by this and run by that."""
    program = place / "driver"
    command = [*compiler, *FLAGS, *UNUSED, f"-I{HEADERS}", *part, HERE / "driver.c"]
    subprocess.run([*command, "-o", program, "-lm"], check=True)
    done = subprocess.run([*runner, program], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module", params=[(), ("-DPRODUCTS",), ("-DSUMS",)], ids=PARTS)
def part(request):
    """What of the core the driver runs."""
    return request.param


@pytest.fixture(scope="module")
def expected(part, tmp_path_factory):
    """What plain C prints."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    return printed(["gcc", PLAIN], [], part, tmp_path_factory.mktemp("plain"))


@pytest.mark.timeout(1200)  # compilers take their time
@pytest.mark.parametrize(("compiler", "runner"), BUILDS.values(), ids=BUILDS)
def test_every_build_computes_what_plain_c_does(compiler, runner, part, expected, tmp_path):
    for tool in (compiler[0], *runner):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} here")
    found = printed(compiler, runner, part, tmp_path)
    assert to_the_bit(found) == to_the_bit(expected)
    some, others = in_single_precision(found), in_single_precision(expected)
    assert some.shape == others.shape
    np.testing.assert_array_equal(some[:, 0], others[:, 0])
    np.testing.assert_allclose(some[:, 1:], others[:, 1:], rtol=2e-5, atol=1e-5)


def to_the_bit(lines):
    """The lines that are the same everywhere."""
    return [line for line in lines if line.startswith("=")]


def in_single_precision(lines):
    """The others, as numbers: a cluster and two scores in each."""
    rows = [line.split() for line in lines if not line.startswith("=")]
    return np.array(rows, dtype=float).reshape(-1, 3)
