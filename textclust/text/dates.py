"""Dates from message headers and table cells, always with a time zone.

A date without a zone is taken as UTC, so that any two can be compared; one that
cannot be read is None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from typing import Any

__all__ = ["cell_date", "message_date", "utc"]

_LONGEST = 200
_DAY = 24 * 60 * 60
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
_ENDS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_NEVER = -(2**63)  # NaT of numpy
_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?")  # or a year alone
_HEADER_DAY = re.compile(r"(?:[A-Z][a-z]{2}, )?[0-9]{1,2} [A-Z][a-z]{2} (?:[0-9]{2}){1,2}")
_HEADER_ZONE = re.compile(r"[A-Z]{1,5}|[+-][0-9]{4}")


def message_date(value: str) -> datetime | None:
    """The moment a `Date:` header names."""
    value = value[:_LONGEST]
    return _usual_date(value) or _parsed_date(value)


def _usual_date(value: str) -> datetime | None:
    """The moment of a header such as `Tue, 20 Apr 1993 12:34:56 GMT`; None of any other form.

    In this form no part changes what another means, and days and zones come back again and again.
    """
    parts = value.rsplit(" ", 2)
    if len(parts) < 3:
        return None
    day, clock, zone = _header_day(parts[0]), parts[1], _header_zone(parts[2])
    if day is None or zone is None or len(clock) != 8 or not clock[2] == clock[5] == ":":
        return None
    try:
        return datetime.combine(day, time.fromisoformat(clock), zone) if clock < "24" else None
    except ValueError:
        return None


@lru_cache(4096)
def _header_day(written: str) -> date | None:
    """The day, as written in the usual form of a header."""
    midnight = _parsed_date(f"{written} 00:00:00 GMT") if _HEADER_DAY.fullmatch(written) else None
    return None if midnight is None else midnight.date()


@lru_cache(1024)
def _header_zone(written: str) -> timezone | None:
    """The zone, as written in the usual form of a header."""
    if not _HEADER_ZONE.fullmatch(written):
        return None
    midnight = _parsed_date(f"1 Jan 1993 00:00:00 {written}")
    zone = None if midnight is None else midnight.tzinfo
    return zone if isinstance(zone, timezone) else None


def _parsed_date(value: str) -> datetime | None:
    """The moment of a header of any form that the library can read."""
    from email.utils import parsedate_tz

    try:
        parsed = parsedate_tz(value)
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
