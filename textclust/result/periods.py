"""Days, weeks from Monday, months, quarters and years in UTC: their numbers, starts and names."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textclust.geometry.affine import Array

__all__ = ["FREQUENCIES", "named", "number_of", "starts_of", "within"]

FREQUENCIES = ("day", "week", "month", "quarter", "year")
_MONTHS = 3  # of a quarter
_FORMS = {"year": "%Y", "month": "%B %Y"}  # of a day and a week otherwise


def number_of(days: Array, freq: str) -> Array:
    """The number of the period of each day, counted from some point long ago."""
    if freq == "week":  # 1970 began on a Thursday
        return (days.astype("int64") + 3) // 7
    if freq == "quarter":
        return number_of(days, "month") // _MONTHS
    return days.astype(f"datetime64[{freq[0].upper()}]").astype("int64")


def starts_of(numbers: Array, freq: str) -> list[date]:
    """The first day of the period of each of these numbers."""
    if freq == "quarter":
        return starts_of(_MONTHS * numbers, "month")
    if freq == "week":
        found = (7 * numbers - 3).astype("datetime64[D]")
    else:
        found = numbers.astype(f"datetime64[{freq[0].upper()}]").astype("datetime64[D]")
    days: list[date] = found.tolist()
    return days


def named(period: date, freq: str, *, short: bool = False) -> str:
    """A period by its first day.

    >>> named(date(2024, 4, 1), "quarter"), named(date(2024, 4, 1), "week")
    ('Q2 2024', '1 April 2024')
    """
    if freq == "quarter":
        return f"Q{(period.month - 1) // _MONTHS + 1} {period.year}"
    form = _FORMS.get(freq, f"{period.day} %B %Y")
    return period.strftime(form.replace("%B", "%b") if short else form)


def within(period: date, freq: str) -> str:
    """The same within a sentence.

    >>> within(date(2024, 4, 1), "month"), within(date(2024, 4, 1), "week")
    ('in April 2024', 'in the week of 1 April 2024')
    """
    before = {"day": "on", "week": "in the week of"}.get(freq, "in")
    return f"{before} {named(period, freq)}"
