"""The picture of an experiment: lines over numbers, dots over names, with standard errors."""

from __future__ import annotations

import io
import math
from importlib.util import find_spec
from textwrap import fill
from typing import TYPE_CHECKING

from textclust.errors import InputError
from textclust.experiments.declared import Experiment, Value
from textclust.experiments.summary import Cell
from textclust.parameters import Settings
from textclust.writing import PICTURE_METADATA

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["can_draw", "picture"]

# Okabe and Ito's colours, distinct to all eyes; every line has a mark of its own as well.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C00")
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*", "p")  # one more: no two lines look alike
_STROKES = ("-", "--", ":", "-.")  # once the colours come round again
_PANEL, _NARROWEST = (4.2, 3.0), 6.0  # inches
_PANELS_A_ROW, _DOTS, _LETTERS = 3, 90, 14  # dots and letters per inch


def can_draw() -> bool:
    """True where matplotlib is installed."""
    return find_spec("matplotlib") is not None


def picture(experiment: Experiment, cells: list[Cell], kind: str = "png") -> bytes:
    """A panel for each value of the other axes and each measure."""
    if not can_draw():
        raise InputError("a picture needs matplotlib; get it with: pip install 'textclust[plot]'")
    from matplotlib.figure import Figure

    panels = _panels(experiment, cells)
    wide = min(len(panels), _PANELS_A_ROW)
    high = math.ceil(len(panels) / wide)
    names = _values(experiment, cells, experiment.lines)
    inches = max(_NARROWEST, _PANEL[0] * wide)
    figure = Figure(figsize=(inches, _PANEL[1] * high + 1.0), layout="constrained")
    places = figure.subplots(high, wide, squeeze=False).ravel()
    for place, (title, inside) in zip(places, panels.items(), strict=False):
        place.set_title(title, fontsize=9)
        place.set(ylabel=inside[0].measure, xlabel=experiment.x)
        _draw(place, experiment, inside, names)
    for place in places[len(panels) :]:
        place.set_axis_off()
    legend = {
        name: handle
        for place in places
        for handle, name in zip(*place.get_legend_handles_labels(), strict=True)
    }
    fitting = int(inches * _LETTERS / (6 + max(map(len, legend), default=0)))
    figure.legend(
        list(legend.values()),
        list(legend),
        loc="outside lower center",
        ncols=max(1, min(fitting, len(legend))),
        fontsize=8,
        frameon=False,
    )
    figure.suptitle(fill(experiment.title, int(inches * _LETTERS * 0.8)), fontsize=10)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, dpi=_DOTS, metadata=PICTURE_METADATA[kind])
    return buffer.getvalue()


def _panels(experiment: Experiment, cells: list[Cell]) -> dict[str, list[Cell]]:
    """The cells of each panel, by its title: what all of its cells share."""
    apart = [a for a in experiment.axes if a not in (experiment.x, experiment.lines)]
    varied = [axis for axis in apart if len(_values(experiment, cells, axis)) > 1]
    several = len({cell.measure for cell in cells}) > 1
    panels: dict[str, list[Cell]] = {}
    for cell in cells:
        words = [str(_at(experiment, cell, axis)) for axis in varied]
        panels.setdefault(", ".join(words + [cell.measure] * several), []).append(cell)
    return panels


def _draw(place: Axes, experiment: Experiment, cells: list[Cell], names: list[Value]) -> None:
    """A line, or a row of dots, for each value of one axis; hollow dots are the paper's."""
    along = _values(experiment, cells, experiment.x)
    numbers = all(isinstance(value, int | float) for value in along)
    place.grid(alpha=0.3, linewidth=0.5)
    if not numbers:
        place.set_xticks(range(len(along)), map(str, along), fontsize=7, rotation=20, ha="right")
    for number, name in enumerate(names):
        own = [cell for cell in cells if _at(experiment, cell, experiment.lines) == name]
        colour, mark = _COLOURS[number % len(_COLOURS)], _MARKS[number % len(_MARKS)]
        look: Settings = {"color": colour, "marker": mark}
        shift = 0.0 if numbers else 0.5 * ((number + 0.5) / len(names) - 0.5)
        at = [
            v if numbers else along.index(v) + shift
            for v in (_at(experiment, cell, experiment.x) for cell in own)
        ]
        stroke = _STROKES[number // len(_COLOURS) % len(_STROKES)]
        line = stroke if numbers and len(along) > 1 else "none"
        if any(cell.n for cell in own):
            errors = [0.0 if math.isnan(cell.se) else cell.se for cell in own]
            place.errorbar(
                at,
                [cell.mean for cell in own],
                errors,
                label=str(name),
                linestyle=line,
                markersize=4,
                linewidth=1.2,
                capsize=2,
                **look,
            )
        if any(not math.isnan(cell.paper) for cell in own):
            hollow = {**look, "markerfacecolor": "none", "linestyle": "none", "markersize": 8}
            place.plot(at, [cell.paper for cell in own], label="hollow: the paper", **hollow)


def _at(experiment: Experiment, cell: Cell, axis: str) -> Value:
    return cell.at[experiment.axes.index(axis)]


def _values(experiment: Experiment, cells: list[Cell], axis: str) -> list[Value]:
    return list(dict.fromkeys(_at(experiment, cell, axis) for cell in cells))
