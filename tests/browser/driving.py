"""A page of the workbench, driven as a person drives it."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Request, expect

from tests.browser.serving import PATIENCE, Server

VIEWPORT = {"width": 1280, "height": 720}
GONE = r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)"
_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


def chromium() -> str | None:
    """Where Debian's Chromium is, or the one that CHROMIUM names."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


def launch(playwright: Playwright) -> Browser:
    """A browser without a window; its own sandbox does not work for root."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=chromium(), args=arguments)


class Screen:
    """One page, with what went wrong on it."""

    def __init__(self, browser: Browser, server: Server, **context: object) -> None:
        settings = {"viewport": VIEWPORT, "reduced_motion": "reduce", "color_scheme": "light"}
        self.server = server
        self.context = browser.new_context(**{**settings, **context})
        self.context.set_default_timeout(1000 * PATIENCE / 4)
        self.context.add_init_script(_REPORT_VIOLATIONS)
        self.page: Page = self.context.new_page()
        self._complaints: list[str] = []
        self._expected: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self._complaints.append(f"error: {error}"))
        self.page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complaints.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.server.origin}/", "data:,")):
            self._complaints.append(f"request to {request.url}")

    def expect_complaints(self, pattern: str) -> None:
        """What matches is no fault in this test: such as a refusal, which the console repeats."""
        self._expected.append(pattern)

    def close(self) -> None:
        """Close the page; an AssertionError for everything that it complained of."""
        self.context.close()
        found = [
            each
            for each in self._complaints
            if not any(re.search(pattern, each) for pattern in self._expected)
        ]
        assert not found, found

    def open(self) -> None:
        """Go in by the address that the command printed, and wait until the page is there."""
        self.page.goto(self.server.address)
        self.ready()

    def ready(self) -> None:
        """Wait until the clusters and the list are shown."""
        expect(self.page.locator("#clusters [data-cluster]").first).to_be_visible()
        expect(self.page.locator("#documents [data-row]").first).to_be_attached()

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def command(self, name: str):
        """The button of a command."""
        return self.page.locator(f'button[data-command="{name}"]')

    def run(self, name: str) -> None:
        """Click the button of a command."""
        self.command(name).click()

    def store(self, key: str):
        """A value of the shared state; sets become lists."""
        return self.page.evaluate(
            "key => { const v = window.textclust.store.get(key);"
            " return v instanceof Set ? [...v] : v; }",
            key,
        )

    @property
    def version(self) -> int:
        """How many lines of the journal the page knows."""
        return self.page.evaluate("() => window.textclust.store.get('state').version")

    @property
    def labels(self) -> list[int]:
        """The cluster of every row, as the page has it."""
        return self.page.evaluate("() => [...window.textclust.store.get('state').labels]")

    @property
    def selected(self) -> list[int]:
        """The selected rows."""
        return sorted(self.store("selected"))

    @contextmanager
    def acting(self, times: int = 1) -> Iterator[None]:
        """Wait until what is done inside is acknowledged."""
        before = self.version
        yield
        self.wait(f"window.textclust.store.get('state').version >= {before + times}")
        assert self.version == before + times

    def wait(self, condition: str) -> None:
        """Wait until an expression holds on the page.

        Playwright's own way makes a function of a string in the page, which its policy forbids.
        """
        end = time.monotonic() + PATIENCE / 4
        while not self.page.evaluate(f"() => Boolean({condition})"):
            assert time.monotonic() < end, f"never: {condition}"
            self.page.wait_for_timeout(20)

    def pick(self, *clusters: int) -> None:
        """Choose clusters by clicking them in their list."""
        for i, number in enumerate(clusters):
            modifiers = ["Shift"] if i else []
            self.page.locator(f'#clusters [data-cluster="{number}"]').click(modifiers=modifiers)

    def tick(self, *rows: int) -> None:
        """Add documents of the list to the selection by their ticks."""
        for row in rows:
            before = row in self.selected
            self.page.locator(f'#documents [data-row="{row}"] .tick').click()
            self.wait(
                f"window.textclust.store.get('selected').has({row}) === {json.dumps(not before)}"
            )

    def listed(self) -> list[int]:
        """The rows that the list shows."""
        rows = self.page.locator("#documents [data-row]")
        return [int(row) for row in rows.evaluate_all("all => all.map(o => o.dataset.row)")]

    def lists(self, rows: list[int]) -> None:
        """Wait until the list shows these rows, in this order."""
        wanted = json.dumps(rows, separators=(",", ":"))
        shown = "[...document.querySelectorAll('#documents [data-row]')]"
        self.wait(f"JSON.stringify({shown}.map((o) => Number(o.dataset.row))) === '{wanted}'")

    def place(self, row: int) -> tuple[float, float]:
        """Where the dot of a row is on the screen."""
        return tuple(
            self.page.evaluate(
                """async row => {
                  const { view } = await import("/static/map.js");
                  const state = window.textclust.store.get("state");
                  const box = document.getElementById("map").getBoundingClientRect();
                  const [x, y] = view.toScreen(state.x[row], state.y[row]);
                  return [box.left + x, box.top + y];
                }""",
                row,
            )
        )

    def clear_dots(self, n: int = 1) -> list[int]:
        """Rows whose dots stand apart from all others, those farthest apart first."""
        return self.page.evaluate(
            """async n => {
              const { view } = await import("/static/map.js");
              const { x, y } = window.textclust.store.get("state");
              const at = [...x].map((v, row) => view.toScreen(v, y[row]));
              const gap = at.map(([a, b], i) => Math.min(...at.map(([c, d], j) =>
                i === j ? Infinity : Math.hypot(a - c, b - d))));
              const free = ([a, b]) => a > 40 && b > 60 && a < view.width - 40
                && b < view.height - 40;
              return [...gap.keys()].filter((i) => free(at[i]))
                .sort((i, j) => gap[j] - gap[i]).slice(0, n);
            }""",
            n,
        )

    def drag(self, *points: tuple[float, float], steps: int = 6) -> None:
        """Press at the first point, go through the others, and let go."""
        mouse = self.page.mouse
        mouse.move(*points[0])
        mouse.down()
        for x, y in points[1:]:
            mouse.move(x, y, steps=steps)
        mouse.up()

    def lasso(self, row: int, reach: float) -> None:
        """Draw around a dot."""
        x, y = self.place(row)
        around = [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach)]
        self.press("l")
        self.drag(*around, (x - reach, y + reach), (x - reach, y - reach + 2))
