"""Reads dates: one pattern and a few lines for each input form of profile.md."""

import re
from instants import (BILLION, DAY, LONG_WEEKDAYS, MONTHS, WEEKDAYS, NotADate, Reading, civil,
                      days, days_before_year, EPOCH_DAYS, is_leap, weekday)

OFFSET = r"(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?"
TIME = r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?"
BASIC_TIME = r"(?P<hour>\d\d)(?P<minute>\d\d)(?:(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?"
DATE = r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
BASIC_DATE = r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"
OBSOLETE_ZONES = {"UT": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
                  "PDT": -7, "Z": 0}
MONTH_NAME = "(?P<month>" + "|".join(MONTHS) + ")"
WEEKDAY_NAME = "(?P<weekday>" + "|".join(WEEKDAYS) + ")"
CLOCK = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
TICKS_BEFORE_1970 = EPOCH_DAYS * DAY * 10_000_000
FILETIME_SECONDS = (days_before_year(1970) - days_before_year(1601)) * DAY
APPLE_SECONDS = (days_before_year(2001) - days_before_year(1970)) * DAY


def match(pattern, text):
    found = re.fullmatch(pattern, text, re.ASCII)
    if not found:
        raise NotADate("another form")
    return found.groupdict()


def offset_seconds(zone):
    """Seconds east of a zone text; None when there is none."""
    if zone is None:
        return None
    if zone in "Zz":
        return 0
    digits = zone[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    if minutes > 59 or hours * 60 + minutes > 18 * 60:
        raise NotADate("no such offset")
    return (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)


def clock(day_number, parts, offset):
    """The reading of a day and a time on this day; 24:00 and second 60 are allowed."""
    hour, minute, second = int(parts["hour"]), int(parts["minute"]), int(parts.get("second") or 0)
    nanoseconds = int((parts.get("fraction") or "0")[:9].ljust(9, "0"))
    if hour == 24 and minute == 0 and second == 0 and nanoseconds == 0:
        return Reading((day_number + 1) * DAY, 0, offset)
    if hour > 23 or minute > 59 or second > 60:
        raise NotADate("no such time")
    return Reading(day_number * DAY + hour * 3600 + minute * 60 + second, nanoseconds, offset, leap=second == 60)


def day_of(parts):
    return days(int(parts["year"]), int(parts["month"]), int(parts["day"]))


def named_day(parts, two_digits=False):
    year = int(parts["year"])
    if two_digits:
        year += 1900 if year >= 70 else 2000
    found = days(year, MONTHS.index(parts["month"]) + 1, int(parts["day"]))
    if parts.get("weekday") and WEEKDAYS[weekday(found)] != parts["weekday"][:3]:
        raise NotADate("wrong weekday")
    return found


def date(text):
    return Reading(day_of(match(DATE, text)) * DAY, date_only=True)


def iso_date_time(text):
    """Also accepts the space that RFC 3339 mentions and databases write."""
    parts = match(DATE + "[Tt ]" + TIME + OFFSET, text)
    return clock(day_of(parts), parts, offset_seconds(parts["zone"]))


def basic_date_time(text):
    parts = match(BASIC_DATE + "T" + BASIC_TIME + OFFSET, text)
    return clock(day_of(parts), parts, offset_seconds(parts["zone"]))


def week_date(text):
    parts = match(r"(?P<year>\d{4})-W(?P<week>\d\d)-(?P<day>[1-7])", text)
    year, week = int(parts["year"]), int(parts["week"])
    fourth = days(year, 1, 4)
    first_monday = fourth - weekday(fourth)
    long_year = weekday(days(year, 1, 1)) == 3 or (is_leap(year) and weekday(days(year, 1, 1)) == 2)
    if not 1 <= week <= (53 if long_year else 52):
        raise NotADate("no such week")
    return Reading((first_monday + (week - 1) * 7 + int(parts["day"]) - 1) * DAY, date_only=True)


def ordinal_date(text):
    parts = match(r"(?P<year>\d{4})-(?P<day>\d{3})", text)
    year, day = int(parts["year"]), int(parts["day"])
    if not 1 <= day <= (366 if is_leap(year) else 365):
        raise NotADate("no such day")
    return Reading((days(year, 1, 1) + day - 1) * DAY, date_only=True)


def imf_fixdate(text):
    parts = match(WEEKDAY_NAME + r", (?P<day>\d\d) " + MONTH_NAME + r" (?P<year>\d{4}) " + CLOCK + " GMT", text)
    return clock(named_day(parts), parts, 0)


def rfc_5322(text):
    parts = match(
        "(?:" + WEEKDAY_NAME + r", ?)?(?P<day>\d\d?) " + MONTH_NAME + r" (?P<year>\d{4}|\d\d) "
        r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))? (?P<zone>[+-]\d{4}|" + "|".join(OBSOLETE_ZONES) + ")",
        text)
    zone = parts["zone"]
    offset = OBSOLETE_ZONES[zone] * 3600 if zone in OBSOLETE_ZONES else offset_seconds(zone)
    return clock(named_day(parts, len(parts["year"]) == 2), parts, offset)


def rfc_850(text):
    names = "(?P<weekday>" + "|".join(LONG_WEEKDAYS) + ")"
    parts = match(names + r", (?P<day>\d\d)-" + MONTH_NAME + r"-(?P<year>\d\d) " + CLOCK + " GMT", text)
    return clock(named_day(parts, two_digits=True), parts, 0)


def asctime(text, offset=None):
    parts = match(WEEKDAY_NAME + " " + MONTH_NAME + r" (?P<day>\d\d| \d) " + CLOCK + r" (?P<year>\d{4})", text)
    return clock(named_day(parts), parts, offset)


def dotnet_json(text):
    parts = match(r"/Date\((?P<ms>-?\d+)(?P<zone>[+-]\d{4})?\)/", text)
    offset_seconds(parts["zone"])
    return since_epoch(int(parts["ms"]) * 1_000_000)


def slashed(text):
    parts = match(r"(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d)(?: " + CLOCK + ")?", text)
    if parts["hour"] is None:
        return Reading(day_of(parts) * DAY, date_only=True)
    return clock(day_of(parts), parts, None)


def since_epoch(nanoseconds):
    """The reading of a count since 1970; outside the years 0001 to 9999 the text does not have this form."""
    civil(nanoseconds // BILLION // DAY)
    return Reading(nanoseconds // BILLION, nanoseconds % BILLION, 0)


def exact(text, digits):
    """A decimal text times 10^digits, rounded toward the past, without binary floating point."""
    parts = match(r"(?P<sign>-?)(?P<whole>\d+)(?:\.(?P<fraction>\d+))?(?:[eE](?P<exponent>[+-]?\d+))?", text)
    fraction = parts["fraction"] or ""
    mantissa = int(parts["whole"] + fraction) * (-1 if parts["sign"] else 1)
    power = int(parts["exponent"] or 0) - len(fraction) + digits
    if mantissa == 0:
        return 0
    if abs(power) > 1000:
        raise NotADate("out of range")
    return mantissa * 10**power if power >= 0 else mantissa // 10**-power


def number_by_size(text):
    """Reads seconds, milliseconds, microseconds or nanoseconds, depending on the size of the number."""
    size = abs(exact(text, 30))
    for limit, digits in ((11, 9), (14, 6), (17, 3), (20, 0)):
        if size < 10 ** (limit + 30):
            return since_epoch(exact(text, digits))
    raise NotADate("too large")


def numeric_string(text):
    parts = match(r"-?(?P<whole>\d+)(?:\.\d+)?", text)
    if len(parts["whole"]) < 9 or len(parts["whole"]) == 14:
        raise NotADate("not surely a date")
    return number_by_size(text)


def rfc3339(text):
    """RFC 3339 section 5.6, but with hour 24: seconds, no comma, an offset with a colon."""
    match(DATE + r"[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)", text)
    return iso_date_time(text)


def ticks(text):
    match(r"-?\d+", text)
    return since_epoch(exact(text, 2) - TICKS_BEFORE_1970 * 100)


def filetime(text):
    match(r"-?\d+", text)
    return since_epoch(exact(text, 2) - FILETIME_SECONDS * BILLION)


def apple(text):
    return since_epoch(exact(text, 9) + APPLE_SECONDS * BILLION)


ISO_DATE_TIMES = [iso_date_time, basic_date_time]
ISO = ISO_DATE_TIMES + [date, week_date, ordinal_date]
STRING_FORMS = {
    "auto": ISO + [imf_fixdate, rfc_5322, rfc_850, asctime, dotnet_json, slashed, numeric_string],
    "rfc3339": [rfc3339],
    "iso8601": ISO,
    "date": [date],
    "rfc2822": [rfc_5322],
    "http-date": [imf_fixdate, rfc_850, lambda text: asctime(text, 0)],
    "asctime": [asctime],
    "dotnet-json": [dotnet_json],
}
NUMBER_FORMS = {
    "auto": number_by_size,
    "epoch-s": lambda text: since_epoch(exact(text, 9)),
    "epoch-ms": lambda text: since_epoch(exact(text, 6)),
    "epoch-us": lambda text: since_epoch(exact(text, 3)),
    "epoch-ns": lambda text: since_epoch(exact(text, 0)),
    "dotnet-ticks": ticks,
    "filetime": filetime,
    "apple-s": apple,
}


def first_reading(forms, text):
    for form in forms:
        try:
            return form(text)
        except NotADate:
            continue
    raise NotADate("no form fits")


def read_string(form, text):
    """Reads a string's content by one named form or pattern."""
    if isinstance(form, dict):
        from date_patterns import read_pattern
        return read_pattern(form["pattern"], text)
    if form in STRING_FORMS:
        return first_reading(STRING_FORMS[form], text)
    match(r"-?\d+(?:\.\d+)?", text)
    return NUMBER_FORMS[form](text)


def read_number(form, text):
    """Reads a JSON number's text by one named form."""
    if isinstance(form, dict) or form not in NUMBER_FORMS:
        raise NotADate("a number is no such form")
    return NUMBER_FORMS[form](text)


def scan(text):
    """A date-time with an explicit zone, in ISO form, IMF-fixdate or RFC 5322."""
    reading = first_reading(ISO_DATE_TIMES + [imf_fixdate, rfc_5322], text)
    if reading.offset is None:
        raise NotADate("no zone")
    return reading
