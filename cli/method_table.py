"""docs/methods.md, from the registry: python -m textclust.cli.method_table."""

from __future__ import annotations

from textclust.methods import KINDS, METHODS, Method, usual_method

from . import output

__all__ = ["method_table"]

_HEAD = """# Which method is it, and which paper is it from?

Generated from the registry of methods by `make reference`. The name is what `--method` of
[`textclust cluster`](cli.md) and `method=` of `tc.cluster` take; the class follows scikit-learn,
and its docstring has the parameters. Where none is named it is `{usual}`, or the default for the
supervision given: of several kinds, for the last of {kinds}.

| name | method | class | takes | distance of texts | what it does | paper |
|---|---|---|---|---|---|---|
"""


def method_table() -> str:
    """The page: a row for each method."""
    head = _HEAD.format(
        usual=usual_method(frozenset()), kinds=", ".join(map(_noun, reversed(KINDS)))
    )
    return head + "".join(_row(name, method) for name, method in METHODS.items())


def _row(name: str, method: Method) -> str:
    def takes(kind: str) -> str:
        return (
            f"{_noun(kind)} (default)" if usual_method(frozenset({kind})) == name else _noun(kind)
        )

    distance = "learned" if "distortion" not in method.parameters else method.distortion
    cells = (
        f"`{name}`",
        method.title,
        f"`{method.estimator}`",
        ", ".join(map(takes, sorted(method.supervision))) or "nothing",
        distance,
        method.summary,
        method.paper,
    )
    return f"| {' | '.join(cells)} |\n"


def _noun(kind: str) -> str:
    return kind.replace("_", " ")


if __name__ == "__main__":
    output.print_lines(method_table(), end="")
