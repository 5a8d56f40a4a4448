"""Pictures of every view, on the sample: python -m tests.browser.screens FOLDER."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image  # comes with matplotlib
from playwright.sync_api import expect, sync_playwright

from tests.browser.driving import Screen, launch
from tests.browser.serving import SAMPLE, Server

expect.set_options(timeout=30_000)
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
STRIP = ("open", "document", "lasso", "preview")  # open, look, say, see
_COLOURS = 256
_GAP = 16  # pixels between the pictures of the strip


class Camera:
    """Takes pictures into a folder, each after a name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, screen: Screen, name: str, *, drawing: bool = False) -> None:
        """The page as it is, once it rests and no dot is pointed at."""
        screen.wait("!window.textclust.store.get('busy')")
        if not drawing:
            screen.page.mouse.move(640, 2)
        screen.page.wait_for_timeout(350)
        screen.page.screenshot(path=self.folder / f"{name}.png", scale="css")


def look(screen: Screen, camera: Camera) -> None:
    """The opened page, a document, a search."""
    camera.take(screen, "open")
    screen.press("b")
    screen.pick(3)
    expect(screen.page.locator("#list-title")).to_contain_text("in ‘")
    screen.page.wait_for_timeout(200)
    screen.press("j", "j")
    expect(screen.page.locator("#reader .pull").first).to_be_visible()
    camera.take(screen, "document")
    screen.press("Escape", "Escape", "o")
    screen.page.locator("#search").fill("telescope")
    expect(screen.page.locator("#list-title")).to_contain_text("found")
    camera.take(screen, "search")
    screen.page.locator("#search").fill("")
    screen.page.locator("#map").focus()


def say(screen: Screen, camera: Camera) -> None:
    """A lasso while it is drawn and what it selects, merging, splitting."""
    row = next(row for row in screen.clear_dots(225) if screen.labels[row] == 2)
    x, y = screen.place(row)
    mouse = screen.page.mouse
    screen.press("l")
    mouse.move(x - 70, y - 60)
    mouse.down()
    corners = [(x + 60, y - 75), (x + 90, y), (x + 50, y + 70), (x - 60, y + 60), (x - 80, y)]
    for corner in corners:
        mouse.move(*corner, steps=4)
    camera.take(screen, "drawing", drawing=True)
    mouse.up()
    expect(screen.page.locator("#status")).to_contain_text("in the lasso")
    camera.take(screen, "lasso")
    screen.press("Escape")
    screen.pick(1, 2)
    screen.press("g")
    expect(screen.page.locator("dialog#merge input").first).to_be_visible()
    camera.take(screen, "merge")
    screen.press("Escape")
    screen.pick(3)
    screen.press("s")
    expect(screen.page.locator("dialog#split")).to_be_visible()
    camera.take(screen, "split")
    screen.press("Escape", "Escape")


def see(screen: Screen, camera: Camera) -> None:
    """A preview, questions, the wizard, the history."""
    screen.page.locator("#search").fill("for sale")
    expect(screen.page.locator("#list-title")).to_contain_text("found")
    screen.run("select-listed")
    screen.press("c")
    screen.page.locator("#form-field").fill("for sale")
    with screen.acting():
        screen.press("Enter")
    screen.page.locator("#search").fill("")
    screen.page.locator("#map").focus()
    expect(screen.page.locator("#list-title")).to_contain_text("in the collection")
    screen.tick(0, 3)
    with screen.acting():
        screen.press("e")
    screen.tick(3, 5)
    with screen.acting():
        screen.press("m")
    screen.press("Escape", "p")
    expect(screen.page.locator("#preview-body")).to_contain_text("A refit would move")
    camera.take(screen, "preview")
    screen.press("q")
    for kind in ("pair", "set", "cluster"):
        screen.page.locator(f"#ask-{kind}").click()
        for text in screen.page.locator("#question .question-text").all():
            expect(text).not_to_have_text("…")
        camera.take(screen, f"question-{kind}")
    screen.press("Escape", "w")
    expect(screen.page.locator("[data-proposal]").first).to_be_visible()
    camera.take(screen, "wizard")
    screen.press("y")
    camera.take(screen, "history")
    screen.press("?")
    camera.take(screen, "help")
    screen.press("Escape")


def strip(folder: Path) -> None:
    """Four pictures as one, two by two."""
    width, height = 800, 450
    sheet = Image.new("RGB", (2 * width + _GAP, 2 * height + _GAP), "white")
    for place, name in enumerate(STRIP):
        with Image.open(folder / f"{name}.png") as picture:
            small = picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
        sheet.paste(small, ((width + _GAP) * (place % 2), (height + _GAP) * (place // 2)))
    sheet.save(folder / "strip.png")


def reduce(place: Path, colours: int) -> None:
    """Fewer colours: a third of the bytes, and hardly to be seen."""
    with Image.open(place) as picture:
        few = picture.convert("RGB").quantize(colours, kmeans=3, dither=Image.Dither.NONE)
    few.save(place, optimize=True)


def main(folder: Path) -> None:
    """Go through the sample, and take a picture of everything."""
    camera = Camera(folder)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = launch(playwright)
        with Server(SAMPLE, Path(place) / "project") as server:
            screen = Screen(browser, server)
            screen.open()
            for part in (look, say, see):
                part(screen, camera)
            screen.close()
            for name, settings in (("dark", {"color_scheme": "dark"}), ("phone", PHONE)):
                screen = Screen(browser, server, **settings)
                screen.open()
                if name == "dark":
                    screen.press("w")
                    expect(screen.page.locator("[data-proposal]").first).to_be_visible()
                camera.take(screen, name)
                screen.close()
        browser.close()
    strip(folder)
    for place in folder.glob("*.png"):
        reduce(place, _COLOURS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
