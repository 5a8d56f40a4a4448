"""Dates from message headers and table cells, always with a time zone.

A date without a zone is taken as UTC, so that any two can be compared; one that
cannot be read is None.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

__all__ = ["cell_date", "message_date"]

_LONGEST = 200
_DAY = 24 * 60 * 60


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
    """The moment a table cell names: ISO 8601, or as in a message header."""
    if isinstance(value, datetime):
        return _aware(value)
    if isinstance(value, date):
        return _aware(datetime.combine(value, time()))
    if not isinstance(value, str):
        return None
    try:
        return _aware(datetime.fromisoformat(value.strip()))
    except ValueError:
        return message_date(value)


def _zone(seconds: int) -> timezone:
    """The zone so far from UTC; UTC itself where no clock on Earth could be that far."""
    return timezone(timedelta(seconds=seconds)) if abs(seconds) < _DAY else UTC


def _aware(moment: datetime) -> datetime:
    return moment if moment.utcoffset() is not None else moment.replace(tzinfo=UTC)
