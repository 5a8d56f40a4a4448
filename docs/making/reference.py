"""How docstrings become the API reference, where their source alone does not say enough.

The parameters of an estimator come from the registry of methods when its module is imported, so
that they are not in its source, which is what the reference is read from. And a sentence beside the
items of a list, such as "The other parameters are those of `KMeans`.", is not one of the items.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

import griffe

_LISTS = ("Parameters", "Attributes")
_ITEM = re.compile(r"[\w*]+(, [\w*]+)*( : .*)?")
_CHOICES = re.compile(r"^(\S+ : )\{([^}\n]*)\}", re.MULTILINE)  # what follows them would be lost


class DeclaredSignatures(griffe.Extension):
    """Gives each class that `estimator_of` decorates the signature that it has when imported."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Add `__init__` with the parameters of the imported class."""
        if not any(str(each.value).startswith("estimator_of(") for each in cls.decorators):
            return
        imported = getattr(import_module(cls.module.path), cls.name)
        parameters = [
            griffe.Parameter(
                each.name, kind=griffe.ParameterKind(each.kind.description), default=_default(each)
            )
            for each in inspect.signature(imported).parameters.values()
        ]
        itself = griffe.Parameter("self", kind=griffe.ParameterKind.positional_or_keyword)
        constructor = griffe.Function(
            "__init__", parameters=griffe.Parameters(itself, *parameters), parent=cls
        )
        cls.set_member("__init__", constructor)


class SentencesBesideLists(griffe.Extension):
    """Moves sentences that follow a list of parameters or attributes before that list."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring."""
        if obj.docstring is not None:
            obj.docstring.value = lists_after_sentences(obj.docstring.value)


def lists_after_sentences(text: str) -> str:
    """A docstring with the sentences of its lists before them, and choices without braces.

    >>> print(lists_after_sentences("Parameters\\n----------\\na : int\\n\\nThat is all."))
    That is all.
    <BLANKLINE>
    Parameters
    ----------
    a : int
    """
    first, *parts = re.split(r"^(\w+\n-{3,}\n)", text, flags=re.MULTILINE)
    beside, done = list[str](), list[str]()
    for head, body in zip(parts[::2], parts[1::2], strict=True):
        if head.partition("\n")[0] in _LISTS:
            paragraphs = body.rstrip().split("\n\n")
            items = [each for each in paragraphs if _ITEM.fullmatch(each.partition("\n")[0])]
            beside += [each for each in paragraphs if each not in items]
            body = _CHOICES.sub(r"\1\2", "\n\n".join(items)) + "\n\n"
        done.append(head + body)
    return first + "".join(f"{each}\n\n" for each in beside) + "".join(done).rstrip("\n")


def _default(parameter: inspect.Parameter) -> str | None:
    return None if parameter.default is inspect.Parameter.empty else repr(parameter.default)
