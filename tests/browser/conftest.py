from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="needs playwright: `make test-browser` installs it")
from playwright.sync_api import expect, sync_playwright

from tests.browser.axe import program
from tests.browser.driving import Screen, chromium, launch
from tests.browser.serving import PATIENCE, SAMPLE, Server

expect.set_options(timeout=1000 * PATIENCE / 4)


@pytest.fixture(scope="session")
def browser():
    if chromium() is None:
        pytest.fail("no Chromium: install the package chromium, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The program text of axe-core."""
    return program(tmp_path_factory.mktemp("axe"))


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """One server of the sample for all tests that leave it as they found it."""
    with Server(SAMPLE, tmp_path_factory.mktemp("shared") / "project") as server:
        yield server


@pytest.fixture
def server(shared):
    """The sample, as if nothing had been said."""
    shared.reset()
    return shared


@pytest.fixture
def opened(browser):
    """Open a page of a server; every page is closed in the end, and may have no fault."""
    screens = []

    def open_page(server, **context):
        screen = Screen(browser, server, **context)
        screens.append(screen)
        screen.open()
        return screen

    yield open_page
    for screen in screens:
        screen.close()


@pytest.fixture
def screen(server, opened):
    """A page of the sample."""
    return opened(server)
