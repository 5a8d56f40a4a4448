"""The native core is optional for users, but not where the tests could have built it."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from tests import core
from textclust import native


@pytest.mark.skipif(not core.is_due(), reason="no C compiler, or TEXTCLUST_BUILD_NATIVE=0")
@pytest.mark.parametrize("name", core.MODULES)
def test_where_there_is_a_compiler_there_is_the_core(name):
    """Without this, every test of the core would skip, and the suite would be green."""
    try:
        import_module(f"textclust.native.{name}")
    except ImportError as error:
        pytest.fail(
            f"the native core is missing ({error}), but there is a compiler, {core.compiler()}: "
            "pip install --editable . builds it; TEXTCLUST_BUILD_NATIVE=0 says that it is not meant"
        )


def test_every_module_of_the_core_is_asked_for():
    """The list here, that of the package, and the sources are the same."""
    folder = os.path.dirname(native.__file__)
    sources = {name[:-4] for name in os.listdir(folder) if name.endswith(".pyx")}
    assert sources == set(core.MODULES) == set(native._MODULES)


@pytest.mark.parametrize(
    ("cc", "wanted", "due"),
    [
        ("sh -c", None, True),
        ("sh", "0", False),
        ("no-such-compiler", None, False),
        (None, "1", False),
    ],
)
def test_the_core_is_due_where_it_can_be_built_and_was_not_declined(monkeypatch, cc, wanted, due):
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: cc)
    monkeypatch.delenv("TEXTCLUST_BUILD_NATIVE", raising=False)
    if wanted is not None:
        monkeypatch.setenv("TEXTCLUST_BUILD_NATIVE", wanted)
    assert core.is_due() is due
