"""Run the code of a notebook, in order and without Jupyter.

`python -m tests.notebooks docs/notebooks/*.ipynb` runs them and stores what they show.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

__all__ = ["cells", "outputs", "read", "store"]

_DOTS = 72  # per inch


def read(path):
    """A notebook as plain data."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def cells(notebook):
    """The source of each of its cells of code."""
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(sources):
    """What each of these cells shows, in the format of notebooks; names are shared by all."""
    names = {}
    return [_outputs(source, names) for source in sources]


def _outputs(source, names):
    from matplotlib import pyplot as plt

    tree, printed, last = ast.parse(source), io.StringIO(), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    with redirect_stdout(printed):
        exec(compile(tree, "a cell", "exec"), names)
        value = None if last is None else eval(compile(last, "a cell", "eval"), names)
    found = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    figures = [plt.figure(number) for number in plt.get_fignums()]
    plt.close("all")
    if value is not None and not figures:
        data = {"text/plain": repr(value)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_()
        found.append(_shown(data))
    return found + [_shown({"image/png": _png(figure)}) for figure in figures]


def _shown(data):
    return {"output_type": "display_data", "metadata": {}, "data": data}


def _png(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DOTS, metadata={"Software": None})
    return base64.b64encode(buffer.getvalue()).decode()


def store(path):
    """Run a notebook and write it with what it shows."""
    notebook = read(path)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, shown) in enumerate(zip(code, outputs(cells(notebook)), strict=True), 1):
        cell.update(execution_count=number, outputs=shown)
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for given in sys.argv[1:]:
        store(given)
