"""Dates from message headers and table cells, always with a time zone.

A date without a zone is taken as UTC, so that any two can be compared; one that
cannot be read is None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

__all__ = ["cell_date", "message_date", "utc"]

_LONGEST = 200
_DAY = 24 * 60 * 60
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
_ENDS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_NEVER = -(2**63)  # NaT of numpy
_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?")  # or a year alone


def message_date(value: str) -> datetime | None:
    """The moment a `Date:` header names."""
    from email.utils import parsedate_tz

    try:
        parsed = parsedate_tz(value[:_LONGEST])
        if parsed is None:
            return None
        return datetime(*parsed[:6], tzinfo=_zone(parsed[9] or 0))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def cell_date(value: object) -> datetime | None:
    """The moment a table cell names: ISO 8601, or as in a message header; a month, or a year.

    A month stands for its first day, and a year for its first month.
    """
    if isinstance(value, datetime):
        return _aware(value)
    if isinstance(value, date):
        return _aware(datetime.combine(value, time()))
    if isinstance(value, int):
        value = str(value)
    if not isinstance(value, str):
        return None
    try:
        if month := _MONTH.fullmatch(value.strip()):
            return datetime(int(month[1]), int(month[2] or 1), 1, tzinfo=UTC)
        return _aware(datetime.fromisoformat(value.strip()))
    except ValueError:
        return message_date(value)


def utc(dates: Sequence[datetime | None]) -> Any:
    """Moments as an array of numpy, to the microsecond and in UTC; NaT where there is none."""
    import numpy as np

    first, last = ((end - _EPOCH) // _MICROSECOND for end in _ENDS)
    since = [_NEVER if each is None else (each - _EPOCH) // _MICROSECOND for each in dates]
    found = np.array(since, dtype=np.int64)
    return np.where(found == _NEVER, found, found.clip(first, last)).view("datetime64[us]")


def _zone(seconds: int) -> timezone:
    """The zone so far from UTC; UTC itself where no clock on Earth could be that far."""
    return timezone(timedelta(seconds=seconds)) if abs(seconds) < _DAY else UTC


def _aware(moment: datetime) -> datetime:
    return moment if moment.utcoffset() is not None else moment.replace(tzinfo=UTC)
