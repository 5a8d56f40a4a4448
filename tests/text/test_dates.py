"""Dates of message headers are those the standard library reads in them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textclust.text.dates import message_date

# Each part as it usually is, and as it should not be.
DAYS = st.sampled_from(["Tue, ", ""]) | st.sampled_from(["Tue,", "tue ", "Tuesday, ", "20, "])
NUMBERS = st.integers(0, 40).map(str) | st.sampled_from(["01", "020", "Apr", "٣"])
MONTHS = st.sampled_from(["Apr", "Feb", "Sep"]) | st.sampled_from(["apr", "April", "Foo", "4"])
YEARS = st.sampled_from(["1993", "93", "68", "0069"]) | st.sampled_from(["3", "0000", "٩٣", "GMT"])
CLOCKS = st.sampled_from(["12:34:56", "00:00:00", "23:59:59"]) | st.sampled_from(
    ["12:34", "23:59:60", "24:00:00", "99:99:99", "1:02:03", "12.34.56", "12:34:56,", "12:34:5Z"]
)
ZONES = st.sampled_from(["GMT", "EST", "PDT", "Z", "MET", "+0100", "-0730"]) | st.sampled_from(
    ["est", "XXXXXXX", "-0000", "+9999", "-2359", "+2400", "+01:00", "+1", "(CET)", "1993", ""]
)


@st.composite
def headers(draw: st.DrawFn) -> str:
    """A date in about the usual form."""
    parts = [draw(DAYS) + draw(NUMBERS), *map(draw, (MONTHS, YEARS, CLOCKS, ZONES))]
    return draw(st.just(" ") | st.sampled_from(["  ", "\t", "-"])).join(parts)


def by_the_library(value: str) -> datetime | None:
    try:
        parsed = parsedate_tz(value[:200])
        if parsed is None:
            return None
        ahead = timedelta(seconds=parsed[9] or 0)
        zone = timezone(ahead) if abs(ahead) < timedelta(days=1) else UTC
        return datetime(*parsed[:6], tzinfo=zone)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


@given(headers() | st.text(max_size=30))
@example("Tue, 20 Apr 1993 24:00:00 GMT")
@example("20 Apr 93 12:34:56 " + "E" * 300)
@example("20 Apr 93 12:34:56 EST" + " " * 300)
def test_a_date_is_what_the_standard_library_reads_in_it(value: str) -> None:
    found, expected = message_date(value), by_the_library(value)

    assert found == expected
    if found is not None and expected is not None:
        assert found.tzinfo == expected.tzinfo


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Tue, 20 Apr 1993 12:34:56 GMT", datetime(1993, 4, 20, 12, 34, 56, tzinfo=UTC)),
        ("6 Apr 93 16:37:10 -0400", datetime(1993, 4, 6, 20, 37, 10, tzinfo=UTC)),
        ("6 Apr 93 16:37 EST", datetime(1993, 4, 6, 21, 37, tzinfo=UTC)),
        ("31 Feb 1993 12:00:00 GMT", None),
        ("yesterday", None),
    ],
)
def test_the_moment_of_a_header(value: str, expected: datetime | None) -> None:
    assert message_date(value) == expected
