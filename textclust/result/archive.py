"""The arrays of a model, out of a zip archive that may say anything of itself.

Every member is known by its name, and what its header says of its type, shape and length is checked
before a byte of it is unpacked. So nothing unpacks to more than a model of these documents needs.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from math import prod
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from textclust.array_files import BROKEN_HEADER
from textclust.result.fields import MismatchError, Sizes, Table
from textclust.result.schema import ARRAYS, LEARNED, REQUIRED_ARRAYS

__all__ = ["DISTORTION", "checked_arrays"]

DISTORTION = "distortion_"  # before the names of what a distortion has learned
_END = ".npy"
_LONGEST_HEADER = 10_000  # characters
_ROOM, _RATIO = 1 << 26, 100  # bytes that compressed members unpack to: so many, or so many times
_MOST = 1_000  # arrays
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    LookupError,
)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def checked_arrays(data: bytes, sizes: Sizes) -> dict[str, NDArray[Any]]:
    """The arrays by name; a MismatchError that names the one which is not as it has to be."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _members(archive, len(data))
            for name, member in members.items():
                with archive.open(member) as file:
                    _check_header(name, file, member.file_size, sizes)
            return {name: _read(name, archive, member) for name, member in members.items()}
    except MismatchError:
        raise
    except _BROKEN as error:
        raise MismatchError(f"it is no archive of arrays ({error})") from error


def _members(archive: zipfile.ZipFile, length: int) -> dict[str, zipfile.ZipInfo]:
    """The members by the names of the arrays, none of them unpacked yet."""
    members: dict[str, zipfile.ZipInfo] = {}
    if len(archive.filelist) > _MOST:
        raise MismatchError(f"it has {len(archive.filelist):,} members")
    for member in archive.filelist:
        name = member.filename.removesuffix(_END)
        if name + _END != member.filename or not _is_known(name):
            raise MismatchError(f"{member.filename[:60]!r} is no array of a model")
        if name in members:
            raise MismatchError(f"{name} is there twice")
        if member.compress_type not in _METHODS or member.flag_bits & 1:
            raise MismatchError(f"{name} is packed in a way that no model is")
        if member.compress_type == zipfile.ZIP_STORED and member.file_size != member.compress_size:
            raise MismatchError(f"{name} is said to be of two lengths")
        members[name] = member
    packed = [each for each in members.values() if each.compress_type != zipfile.ZIP_STORED]
    unpacked, room = sum(member.file_size for member in packed), max(_ROOM, _RATIO * length)
    if unpacked > room or sum(member.compress_size for member in members.values()) > length:
        raise MismatchError(f"its {length:,} bytes unpack to {unpacked:,}, above {room:,}")
    for name in [each for each in REQUIRED_ARRAYS if each not in members]:
        raise MismatchError(f"{name} is missing")
    return members


def _check_header(name: str, file: IO[bytes], length: int, sizes: Sizes) -> None:
    """A MismatchError where a header does not fit what its array should be, or its length."""
    form = np.lib.format
    try:
        version = form.read_magic(file)
        read = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}[version]
        shape, _, dtype = read(file, max_header_size=_LONGEST_HEADER)
    except BROKEN_HEADER as error:
        raise MismatchError(f"{name} has no header of an array") from error
    if any(type(count) is not int or count < 0 for count in shape):
        raise MismatchError(f"{name} has a shape that no array has")
    _field(name).check_header(name, shape, dtype, sizes)
    if prod(shape) * dtype.itemsize != length - file.tell():
        raise MismatchError(f"{name} is said to be of shape {shape}, and is of another length")


def _read(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    with archive.open(member) as file:
        found: NDArray[Any] = np.lib.format.read_array(
            file, allow_pickle=False, max_header_size=_LONGEST_HEADER
        )
    _field(name).check_values(name, found)
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def _is_known(name: str) -> bool:
    return name in ARRAYS or (name.startswith(DISTORTION) and name.isidentifier())


def _field(name: str) -> Table:
    return ARRAYS.get(name, LEARNED)
