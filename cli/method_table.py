"""docs/methods.md, from the registry: python -m textclust.cli.method_table."""

from __future__ import annotations

from textclust.methods import METHODS, Method

__all__ = ["method_table"]

_HEAD = """# Which method is it, and which paper is it from?

Generated from the registry of methods by `make docs`. The name is what `--method` of
[`textclust cluster`](cli.md) and `method=` of `tc.cluster` take; the class follows scikit-learn,
and its docstring has the parameters. By default the method is one that makes use of the supervision
given.

| name | method | class | takes | distance of texts | what it does | paper |
|---|---|---|---|---|---|---|
"""


def method_table() -> str:
    """The page: a row for each method."""
    return _HEAD + "".join(_row(name, method) for name, method in METHODS.items())


def _row(name: str, method: Method) -> str:
    distance = "learned" if "distortion" not in method.parameters else method.distortion
    cells = (
        f"`{name}`",
        method.title,
        f"`{method.estimator}`",
        ", ".join(sorted(method.supervision)) or "nothing",
        distance,
        method.summary,
        method.paper,
    )
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    print(method_table(), end="")
