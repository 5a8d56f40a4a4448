"""Forty colours that stay apart, for colour-blind readers too, on light and on dark pages.

Chosen once, each as far as could be from those before it in Oklab, as seen with normal
vision and with protanopia, deuteranopia and tritanopia (Machado et al. 2009); all have a
contrast of 3:1 and more with the page. Numbers stand beside them everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["DARK", "LIGHT", "colour_rules", "luminance"]


def _colours(codes: str) -> tuple[str, ...]:
    return tuple(f"#{code}" for code in codes.split())


LIGHT = _colours("""
    21439b d07703 15856d 8d045c 179aaf 9374e9 493e00 c34109 6f5aa1 794a3a
    68013f a58a5b 391f7f c4588d 9d53c6 643b7b 256d6b 7e7240 a33806 68373b
    ac772d 6785ad 570c66 778ad3 6046be 0a4759 9b4089 848856 e95c91 586de3
    7445a4 8c5b4a 8969af 36239a 861501 164225 07602f 45994a 9f6972 b97c3e
""")
DARK = _colours("""
    4a97ea ffc484 39c9bc da668b 7be8f7 aca5f9 a5861a f09870 857db9 c58864
    c24b88 dbb319 666fdd fea0e0 d090d6 a457bb 1bb4b8 a29e08 f87d3b d95256
    f6ab6b 9ec7fe 9673a8 96b9f1 8694fa 5b8f9e db84b2 ced537 f87f9c 9c9aed
    ba6dd7 e08e5a b589d6 7777e8 b67070 5d8954 5ba84a 6ce7a1 deaebf ffba85
""")


def colour_rules(places: Iterable[int]) -> str:
    """CSS that gives .c0, .c1, ... the colours of these places, and legible letters on them."""
    chosen = list(places)
    dark = "".join(_rules(chosen, DARK))
    return "".join(_rules(chosen, LIGHT)) + f"@media (prefers-color-scheme:dark){{{dark}}}"


def _rules(places: list[int], colours: tuple[str, ...]) -> list[str]:
    shades = [colours[place % len(colours)] for place in places]
    return [f".c{h}{{--c:{shade};--on:{_letters_on(shade)}}}" for h, shade in enumerate(shades)]


def _letters_on(colour: str) -> str:
    """White or black, whichever has more contrast (WCAG 2)."""
    light = luminance(colour)
    return "#fff" if 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 else "#000"


def luminance(colour: str) -> float:
    """Relative luminance of a #rrggbb colour (WCAG 2)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
