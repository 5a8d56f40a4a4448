"""Models damaged on purpose, with checksums that fit, so that only what is in them can be noticed.

`every(model)` yields each damage by name: every field and array missing, of another type, out of
its range, too long or too deep; members that lie about themselves; `flips` are single bytes. What
is random comes from a seed, and `prove` says what became of a damaged model.
"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import random
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import textclust as tc
from textclust.errors import ModelError, TextclustError

FILES = ("model.json", "arrays.npz")
DEEP = "__deep__"  # in the place of lists that Python could not make into JSON
WRONG = (
    None,
    True,
    -1,
    3,
    10**30,
    10**400,
    1.5,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x" * 20_000,
    "\ud800",
    "../../etc/passwd",
    [],
    [[0, 1]],
    ["x"],
    {},
    {"name": "cosine"},
    DEEP,
)


@dataclass(frozen=True)
class Model:
    """The files of a model as bytes, by name."""

    files: dict[str, bytes]

    @classmethod
    def read(cls, folder: Path) -> Model:
        return cls({name: (folder / name).read_bytes() for name in FILES})

    @property
    def content(self) -> Any:
        return json.loads(self.files["model.json"])

    @property
    def arrays(self) -> dict[str, Any]:
        with np.load(io.BytesIO(self.files["arrays.npz"])) as found:
            return dict(found)

    def with_content(self, content: object) -> Model:
        text = json.dumps(content).replace(f'"{DEEP}"', "[" * 200_000 + "]" * 200_000)
        return Model({**self.files, "model.json": text.encode()})

    def with_arrays(self, arrays: dict[str, Any], **kept: bytes) -> Model:
        """With these arrays, and members of these bytes."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, values in arrays.items():
                archive.writestr(f"{name}.npy", as_npy(values))
            for name, data in kept.items():
                archive.writestr(f"{name}.npy", data)
        return self.with_archive(packed.getvalue())

    def with_archive(self, data: bytes) -> Model:
        return Model({**self.files, "arrays.npz": data})

    def write(self, folder: Path) -> Path:
        folder.mkdir(exist_ok=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        sums = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        manifest = {"format": "textclust model", "version": 3, "files": sums}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        return folder


def as_npy(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values, allow_pickle=True)
    return file.getvalue()


def every(model: Model, seed: int = 0) -> Iterator[tuple[str, Model]]:
    """All damages, each with a name that says where and how."""
    yield from of_fields(model)
    yield from of_arrays(model)
    yield from of_archive(model)
    yield from flips(model, 200, seed)


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where there is a value: of a list the first and the last item."""
    if path:
        yield path
    if isinstance(content, dict):
        for name, value in content.items():
            yield from places(value, (*path, name))
    elif isinstance(content, list):
        for place in sorted({0, len(content) - 1}) if content else ():
            yield from places(content[place], (*path, place))


def of_fields(model: Model) -> Iterator[tuple[str, Model]]:
    """Every field of model.json missing, one too many, and with every wrong value."""
    content = model.content
    for path in places(content):
        name = ".".join(map(str, path))
        yield f"{name} removed", model.with_content(changed(content, path, remove=True))
        for value in WRONG:
            yield f"{name} = {str(value)[:20]!r}", model.with_content(changed(content, path, value))
        if isinstance(at(content, path), dict):
            more = {**at(content, path), "more": 1}
            yield f"{name} with more", model.with_content(changed(content, path, more))
        if isinstance(at(content, path), list) and at(content, path):
            for more in (at(content, path) * 2, at(content, path)[1:]):
                yield f"{name} of {len(more)}", model.with_content(changed(content, path, more))
    for whole in (None, [], 1, "x", {}, DEEP):
        yield f"model.json = {whole!r}", model.with_content(whole)


def at(content: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        content = content[step]
    return content


def changed(content: Any, path: tuple[Any, ...], value: Any = None, remove: bool = False) -> Any:
    content = copy.deepcopy(content)
    last = at(content, path[:-1])
    if remove:
        del last[path[-1]]
    else:
        last[path[-1]] = value
    return content


def of_arrays(model: Model) -> Iterator[tuple[str, Model]]:
    """Every array missing, of another shape or type, with values that it cannot have, and cut."""
    arrays = model.arrays
    for name, values in arrays.items():
        others = {key: each for key, each in arrays.items() if key != name}
        yield f"{name} removed", model.with_arrays(others)
        for how, wrong in forms(values):
            yield f"{name} {how}", model.with_arrays({**others, name: wrong})
        data = as_npy(values)
        for cut in (0, 5, 20, len(data) - 1):
            yield f"{name} cut at {cut}", model.with_arrays(others, **{name: data[:cut]})
        for header in headers(values):
            yield (
                f"{name} headed {header[10:60]!r}",
                model.with_arrays(others, **{name: header + values.tobytes()}),
            )


def forms(values: Any) -> Iterator[tuple[str, Any]]:
    """An array in wrong forms."""
    yield "twice", np.concatenate([values, values])
    yield "without its first row", values[1:]
    yield "empty", values[:0]
    yield "in one more dimension", values[None]
    yield "as one number", np.array(values.ravel()[0] if values.size else 0)
    yield "as text", values.astype(str)
    yield "as objects", values.astype(object)
    yield "with fields", np.zeros(len(values), dtype=[("a", "f8"), ("b", "O")])
    for kind in ("f2", "f8", "i1", "i8", "u8", "c16", "?", ">f8", ">i4"):
        if values.dtype.kind != "M" or kind == "i8":
            yield f"as {kind}", values.astype(kind)
    if values.size:
        yield "negative", -values if values.dtype.kind in "fi" else ~values.astype("i8")
        yield "reversed", values[::-1]
        for number in (np.nan, np.inf, -np.inf, 1e308, -1, 2**31, -(2**63)):
            with np.errstate(all="ignore"):
                yield f"with {number}", _with(values, number)


def _with(values: Any, number: float) -> Any:
    """The array with this number in the place of one of its own, where its type has room."""
    wrong = values.copy()
    if wrong.dtype.kind == "M":
        wrong.view("i8").ravel()[0] = int(number) if abs(number) < 2**63 else 2**62
    elif wrong.dtype.kind in "fb":
        wrong.ravel()[0] = number
    else:
        ends = np.iinfo(wrong.dtype)
        wrong.ravel()[0] = ends.max if not number < 0 else ends.min or ends.max // 2
    return wrong


def headers(values: Any) -> Iterator[bytes]:
    """Headers that claim more than there is, or what no header says."""
    kind = values.dtype.str
    for shape in ("(3000000000,)", "(-1,)", "(10**9,)", "(1" + "0" * 400 + ",)", "((),)", "'x'"):
        yield _header(f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}")
    yield _header(f"{{'descr': '|V99999', 'fortran_order': False, 'shape': {values.shape}, }}")
    yield _header("{'descr': 'O', 'fortran_order': False, 'shape': (1,), }")
    yield _header("[" * 3000 + "]" * 3000)
    yield _header("(" * 60_000)
    yield _header("{'descr': (")
    yield _header("__import__('os').system('false')")


def _header(text: str) -> bytes:
    data = text.encode("latin-1") + b"\n"
    return b"\x93NUMPY\x01\x00" + min(len(data), 65_535).to_bytes(2, "little") + data


def of_archive(model: Model) -> Iterator[tuple[str, Model]]:
    """Members that nobody asked for, that unpack to far more, or lie about themselves."""
    arrays, data = model.arrays, model.files["arrays.npz"]
    zeros = io.BytesIO()
    with zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, values in arrays.items():
            archive.writestr(f"{name}.npy", as_npy(values))
        with archive.open("unused.npy", "w") as member:
            for _ in range(200):
                member.write(bytes(1 << 20))
    yield "an unused member of 200 MB", model.with_archive(zeros.getvalue())
    for name in ("vectors", "distortion_weights", "excerpts", "texts_data"):
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for other, values in arrays.items():
                if other != name:
                    archive.writestr(f"{other}.npy", as_npy(values))
            with archive.open(f"{name}.npy", "w") as member:
                shape = f"({200 << 20},)" if name != "vectors" else f"(12, {(200 << 20) // 12})"
                member.write(
                    _header(f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}")
                )
                for _ in range(200):
                    member.write(bytes(1 << 20))
        yield f"{name} of 200 MB of zeros", model.with_archive(bomb.getvalue())
    twice = io.BytesIO(data)
    with zipfile.ZipFile(twice, "a") as archive:
        archive.writestr("labels2.npy", as_npy(arrays["labels"]))
    doubled = twice.getvalue().replace(b"labels2.npy", b"labels.npy\0")
    yield "labels twice", model.with_archive(doubled)
    for cut in (0, 1, len(data) // 2, len(data) - 1):
        yield f"arrays.npz cut at {cut}", model.with_archive(data[:cut])
    yield "arrays.npz encrypted", model.with_archive(_flagged(data))
    yield "arrays.npz no archive", model.with_archive(b"PK\x05\x06" + bytes(18))
    for shape in ([60, 10**6], [2**31, 2**31], [-1, -1], [10**6, 1]):
        table = arrays.get("prototypes", np.ones((2, 2)))
        sparse = {key: each for key, each in arrays.items() if not key.startswith("prototypes")}
        sparse["prototypes_data"], sparse["prototypes_indices"] = np.ones(1), np.zeros(1, int)
        sparse["prototypes_indptr"] = np.array([0, *[1] * len(table)])
        sparse["prototypes_shape"] = np.array(shape)
        yield f"prototypes_shape {shape}", model.with_arrays(sparse)


def _flagged(data: bytes) -> bytes:
    """An archive whose first member is said to be encrypted."""
    place = data.index(b"PK\x01\x02") + 8
    return data[:place] + bytes([data[place] | 1]) + data[place + 1 :]


def flips(model: Model, count: int, seed: int) -> Iterator[tuple[str, Model]]:
    """Single bytes changed at random places of each file."""
    rng = random.Random(seed)
    for name, data in model.files.items():
        for _ in range(count):
            place, mask = rng.randrange(len(data)), rng.randrange(1, 256)
            broken = bytearray(data)
            broken[place] ^= mask
            yield f"{name} byte {place} ^ {mask}", Model({**model.files, name: bytes(broken)})


def prove(model: Model, folder: Path, *, use: bool = True) -> str:
    """Load a damaged model, and use what loads: "refused" or "loaded". Other errors are faults."""
    try:
        found = tc.load(model.write(folder))
    except ModelError as error:
        said = str(error)
        if "\n" in said or len(said) > 1_000:
            raise AssertionError(f"not a line: {said[:200]}") from error
        return "refused"
    if use:
        try:
            found.to_dict()
            found.explain(0)
            if found.vectors is None and found.beside is None:
                found.predict(["red lens", ""])
            assert repr(found)
        except TextclustError:
            return "refused"
    return "loaded"
