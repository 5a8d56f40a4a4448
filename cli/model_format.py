"""docs/model-format.md, from the schema of models: python -m textclust.cli.model_format."""

from __future__ import annotations

from collections.abc import Iterator

from textclust.result.fields import AnyOf, Field, Items, Map, Record
from textclust.result.schema import ARRAYS, LEARNED, MANIFEST, MODEL, REQUIRED_ARRAYS

from . import output

__all__ = ["model_format"]

_PAGE = """# What is in a model file?

Generated from `textclust/result/schema.py` by `make reference`; `tc.load` checks every model
against the same schema. How to save and load one is in [Using a model later](models.md).

A model is a folder of three regular files. What is not listed here is refused, as is a value of
another type or outside its range, a number that is not finite, a size that differs from that of
another field, and JSON nested more than 32 levels deep; the message names the file and the field.
The header of each array is checked before the array is unpacked: compressed members (only the first
format has them) may unpack to 64 MB, or to 100 times the size of the file. Sparse prototypes may
take 256 MB as a table, or 1,000 times the size of the file. Nothing in a model is run, but for one
thing: `token_pattern` is a regular expression, and one that was made to be slow is slow. Load no
model of somebody whom you do not trust on a machine where that matters.

`[]` is each item of a list, `*` each name of an object. Fields with a question mark may be missing:
not every clustering has them, or earlier versions of the format did not. Others may be null where
that is said.

## manifest.json

| field | holds |
|---|---|
{manifest}
## model.json

| field | holds |
|---|---|
{model}
## arrays.npz

Names of sizes are the same as above; the first that says how large one is decides.

| array | holds |
|---|---|
{arrays}"""


def model_format() -> str:
    """The page: a row for each field and array."""
    arrays = [_row(_marked(name, name not in REQUIRED_ARRAYS), t) for name, t in ARRAYS.items()]
    arrays.append(_row("distortion_*?", LEARNED))
    return _PAGE.format(
        manifest="".join(_rows(MANIFEST, "")),
        model="".join(_rows(MODEL, "")),
        arrays="".join(arrays),
    )


def _rows(holds: Field, path: str) -> Iterator[str]:
    """A row for a field, and for each within it."""
    if path:
        yield _row(path, holds)
    dot = f"{path.removesuffix('?')}." if path else ""
    for inner in holds.fields if isinstance(holds, AnyOf) else (holds,):
        if isinstance(inner, Record):
            for name, each in inner.fields.items():
                yield from _rows(each, dot + _marked(name, name in inner.optional))
        elif isinstance(inner, Items) and isinstance(inner.item, Record):
            yield from _rows(inner.item, f"{path.removesuffix('?')}[]")
        elif isinstance(inner, Map) and isinstance(inner.item, Record):
            yield from _rows(inner.item, f"{dot}*")


def _marked(name: str, optional: bool) -> str:
    return f"{name}?" if optional else name


def _row(name: str, holds: object) -> str:
    said = str(holds).replace("|", "\\|")
    return f"| `{name}` | {said} |\n"


if __name__ == "__main__":
    output.print_lines(model_format(), end="")
