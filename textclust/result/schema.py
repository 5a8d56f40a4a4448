"""What is in the files of a model: every field and every array, and what it may hold.

`docs/model-format.md` is made of this. What is not here is no part of a model: `load` refuses it.
Sizes are by name: the first field of a size says how large it is, the others have to agree.
Optional is what not every clustering has, or earlier versions of the format did not.
"""

from __future__ import annotations

from textclust.result.changes import Kind
from textclust.result.fields import (
    Field,
    Flag,
    Items,
    Map,
    Plain,
    Real,
    Record,
    Table,
    Text,
    Whole,
    either,
    maybe,
)
from textclust.supervision.links import KINDS
from textclust.text.termspace import MOST_WORDS
from textclust.writing import MODEL_FORMAT

__all__ = ["ARRAYS", "LEARNED", "MANIFEST", "MODEL", "REQUIRED_ARRAYS"]

_TEXT, _COUNT, _NUMBER, _PLAIN = Text(), Whole(), Real(), Plain()
_SHARE, _PRICE = Real(0.0, 1.0), maybe(Real(0.0))
_CLUSTER = Whole()
_TEXTS = Items(_TEXT)
_DIGEST = Text(pattern="[0-9a-f]{64}")


def _all_optional(fields: dict[str, Field], *, is_open: bool = False) -> Record:
    return Record(fields, frozenset(fields), is_open)


MANIFEST = Record(
    {
        "format": Text((MODEL_FORMAT,)),
        "version": Whole(1),
        "files": Record({"model.json": _DIGEST, "arrays.npz": _DIGEST}),
    }
)

_VECTORIZER = _all_optional(
    {
        "binary": Flag(),
        "dtype": Text(("float32", "float64")),
        "lowercase": Flag(),
        "max_df": Real(0.0),
        "max_features": maybe(Whole(1)),
        "min_df": either(Whole(1), Text(("auto",))),
        "n_jobs": maybe(Whole(-(2**20), -1), Whole(1, 2**20)),
        "ngram_range": Items((Whole(1, MOST_WORDS), Whole(1, MOST_WORDS))),
        "numbers": Flag(),
        "stem": maybe(Flag(), Text(pattern="[A-Za-z_-]{1,40}")),
        "stop_words": maybe(Text(pattern="[A-Za-z_-]{1,40}"), _TEXTS),
        "sublinear_tf": Flag(),
        "token_pattern": Text(pattern="(?s).{0,10000}"),
        "tokenizer": maybe(),
        "use_idf": Flag(),
        "vocabulary": maybe(Map(_COUNT)),
    }
)
_FITTED = Record(
    {
        "terms": Items(_TEXT, "terms", distinct=True),
        "surface_forms": Map(_TEXT),
        "min_df": _COUNT,
        "n_pruned": Map(_COUNT),
    }
)
_CARDS = Record(
    {
        "id": Items(_TEXT, "documents"),
        "title": Items(_TEXT, "documents"),
        "truth": Items(maybe(_TEXT), "documents"),
        "group": Items(maybe(_TEXT), "documents"),
        "excerpt": Items(_TEXT, "documents"),  # in arrays.npz from version 2 on
    },
    frozenset({"group", "excerpt"}),
)
_CLEANING = ("headers", "signatures", "quotes", "html", "entities", "latex")
_SWITCH = either(Flag(), Text(("auto",)))
_SETTINGS = Record(
    {
        "method": _TEXT,
        "description": _TEXT,
        "parameters": Map(_PLAIN),
        "vectorizer": Map(_PLAIN),
        "vectors": maybe(_TEXT),
        "iterations": _COUNT,
        "collection": Record(
            {
                "source": maybe(_TEXT, _TEXTS),
                "documents": _COUNT,
                "terms": _COUNT,
                "without_terms": _COUNT,
                "skipped": _COUNT,
                "sha256": _TEXT,
                "cleaning": _all_optional(dict.fromkeys(_CLEANING, _SWITCH)),
            },
            frozenset({"source", "documents", "terms", "skipped", "sha256", "cleaning"}),
            is_open=True,
        ),
        "selection": maybe(Record({"reason": _TEXT}, is_open=True)),
        "background": maybe(Map(_PLAIN)),
        "seed_words": maybe(Map(_TEXTS)),
        "embedding": Record(
            {"model": maybe(_TEXT), "weight": _SHARE, "reason": _TEXT}, is_open=True
        ),
        "groups": Record({"mode": _TEXT, "number": _COUNT}, is_open=True),
        "levels": Whole(1),
        "outliers": Real(0.0, 0.5),
        "names": Map(_TEXT),
        "versions": Map(_TEXT),
    },
    frozenset(
        {
            "description",
            "vectorizer",
            "vectors",
            "iterations",
            "selection",
            "background",
            "seed_words",
            "embedding",
            "groups",
            "levels",
            "outliers",
            "names",
        }
    ),
    is_open=True,
)
_EVIDENCE = Record(
    {
        "links": Items(Items((_COUNT, _COUNT, Text(tuple(KINDS)), _PRICE)), "links"),
        "weights": Items(Real(0.0), "links"),
        "origins": Items(maybe(Items((_TEXT, maybe(_COUNT)))), "links"),
        "seeds": Items(Items((_COUNT, _COUNT))),
        "classes": Items(_TEXT, "classes"),
        "numbered": Flag(),
        "clusters": maybe(Items(_CLUSTER, "classes")),
        "moved": maybe(_COUNT),
        "accuracy": maybe(_SHARE),
        "words": maybe(
            Record(
                {
                    "words": Map(_TEXTS),
                    "unknown": _TEXTS,
                    "rejected": Map(_TEXT),
                    "clusters": Map(_CLUSTER),
                    "named": Items(Items((_COUNT, _CLUSTER))),
                },
                frozenset({"rejected"}),
            )
        ),
        "sizes": maybe(
            Record(
                {
                    "min_size": Whole(1),
                    "price": _NUMBER,
                    "too_small": Items(Items((_CLUSTER, _COUNT))),
                }
            )
        ),
    },
    frozenset(
        {"weights", "origins", "numbered", "clusters", "moved", "accuracy", "words", "sizes"}
    ),
)
_PARTS = Items(Record({"cluster": _CLUSTER, "documents": _COUNT}))
_CHANGES = Record(
    {
        "names": Items(_TEXT, "earlier clusters"),
        "sizes": Items(_COUNT, "earlier clusters"),
        "numbers": Items(_COUNT, "earlier clusters"),
        "table": Items(Items(_COUNT, "clusters"), "earlier clusters"),
        "fates": Items(
            Record(
                {
                    "kind": Text(tuple(kind.value for kind in Kind)),
                    "old": maybe(_CLUSTER),
                    "new": maybe(_CLUSTER),
                    "shared": _COUNT,
                    "into": _PARTS,
                    "of": _PARTS,
                }
            )
        ),
        "shared": _COUNT,
        "moved": _COUNT,
        "agreement": maybe(Map(_NUMBER)),
        "nowhere": Record({"old": _COUNT, "new": _COUNT, "both": _COUNT}),
    },
    frozenset({"nowhere"}),
)

_STABILITY = Record({"stability": maybe(_SHARE), "runs": _COUNT, "asked": _COUNT})
_OUTLINE = Record(
    {
        "linkage": Items(Items((Real(0.0),) * 4)),
        "groups": Items(Record({"clusters": Items(_CLUSTER), "name": _TEXT})),
    }
)
_ADDED = Record(
    {
        "fitted": Whole(1),
        "terms": _COUNT,
        "names": Items(_TEXT, "clusters"),
        "batches": _COUNT,
        "outline": maybe(_OUTLINE),
        "waiting": Record({"texts": _COUNT, "frequencies": Map(_COUNT)}),
    }
)

MODEL = Record(
    {
        "cards": _CARDS,
        "fitted": _FITTED,
        "objective": _NUMBER,
        "stopped": maybe(
            Record(
                {
                    "reason": Text(("time", "interrupted")),
                    "seconds": Real(0.0),
                    "limit": maybe(Real(0.0)),
                    "starts": _COUNT,
                    "refined": maybe(Flag()),
                }
            )
        ),
        "stability": maybe(_STABILITY),
        "of_vectors": Flag(),
        "beside": maybe(
            Record(
                {
                    "weight": _SHARE,
                    "size": Whole(1),
                    "model": maybe(_TEXT),
                    "identity": maybe(_TEXT),
                }
            )
        ),
        "settings": _SETTINGS,
        "distortion": Map(maybe(_TEXT, _NUMBER, Flag(), Map(_PLAIN))),
        "margin_scale": maybe(Real(0.0)),
        "vectorizer": _VECTORIZER,
        "evidence": _EVIDENCE,
        "whole": maybe(
            Record({"names": Items(_TEXT, "clusters"), "sizes": Items(_COUNT, "clusters")})
        ),
        "identities": maybe(
            Record(
                {
                    "numbers": Items(Whole(1), "clusters", distinct=True),
                    "following": Whole(1),
                    "names": Items(maybe(_TEXT), "clusters"),
                    "given": Items(Whole(1)),
                }
            )
        ),
        "changes": maybe(_CHANGES),
        "added": maybe(_ADDED),
        "past": maybe(
            Record(
                {
                    "classes": Items(maybe(_TEXT), "clusters"),
                    "sizes": Items(_COUNT, "clusters"),
                    "rising": Items(_TEXTS, "clusters"),
                    "falling": Items(_TEXTS, "clusters"),
                }
            )
        ),
    },
    frozenset(
        {
            "stopped",
            "stability",
            "beside",
            "margin_scale",
            "evidence",
            "whole",
            "identities",
            "changes",
            "added",
            "past",
        }
    ),
)

# Of the two ways to write prototypes there is one.
ARRAYS = {
    "idf": Table("float", ("terms",), 0),
    "labels": Table("whole", ("documents",), 0),
    "scores": Table("float", ("documents",), 0, 1),
    "costs": Table("float", ("documents",), infinite=True),
    "texts_data": Table("float", ("entries",)),
    "texts_indices": Table("whole", ("entries",), 0),
    "texts_indptr": Table("whole", ("documents + 1",), 0),
    "prototypes": Table("float", ("clusters", "columns")),
    "prototypes_data": Table("float", ("entries of prototypes",)),
    "prototypes_indices": Table("whole", ("entries of prototypes",), 0),
    "prototypes_indptr": Table("whole", ("clusters + 1",), 0),
    "prototypes_shape": Table("whole", ("two",), 1),
    "prototypes_stays": Table("bool"),
    "excerpts": Table("uint8", ("bytes",)),
    "excerpt_lengths": Table("whole", ("documents",), 0),
    "memberships": Table("float or flag", ("documents", "clusters"), 0, 1),
    "known": Table("float", ("documents",), 0, 1),
    "vectors": Table("float", ("compared documents", "columns of vectors")),
    "outliers": Table("bool", ("documents",)),
    "stability": Table("float", ("documents",), 0, 1, gaps=True),
    "digests": Table("uint8", ("documents", "bytes of a digest")),
    "added_excess": Table("float", ("added documents",), infinite=True),
    "added_unknown": Table("float", ("added documents",), 0, 1),
    "added_masses": Table("float", ("clusters",), 0),
    "added_sums": Table("float", ("clusters", "columns of sums")),
    "added_sums_data": Table("float", ("entries of sums",)),
    "added_sums_indices": Table("whole", ("entries of sums",), 0),
    "added_sums_indptr": Table("whole", ("clusters + 1",), 0),
    "added_sums_shape": Table("whole", ("two",), 1),
    "novelty": Table("float", ("documents",)),
    "said": Table("float", ("documents", "clusters")),
    "dates": Table("datetime64[us]", ("documents",)),
    "ids": Table("whole", ("documents",)),
    "distortion_offsets": Table("float", ("clusters",), infinite=True),
}
REQUIRED_ARRAYS = (
    "idf",
    "labels",
    "scores",
    "costs",
    "texts_data",
    "texts_indices",
    "texts_indptr",
)
# What a distortion has learned is in arrays named for its fields, whose shapes it checks itself.
LEARNED = Table("float")
