"""Instants, civil dates and zones: integers on the proleptic Gregorian calendar."""

import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

DAY = 86_400
BILLION = 1_000_000_000
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
LONG_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
               "November", "December"]
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
LONG_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class NotADate(ValueError):
    """The text is not a date in the given form."""


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    return 29 if month == 2 and is_leap(year) else [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]


def days_before_year(year):
    """Days from 0001-01-01 to the first day of `year`."""
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400


EPOCH_DAYS = days_before_year(1970)


def days(year, month, day):
    """Days since 1970-01-01; refuses dates that do not exist."""
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        raise NotADate("no such day")
    return days_before_year(year) - EPOCH_DAYS + sum(days_in_month(year, m) for m in range(1, month)) + day - 1


def civil(day_number):
    """(year, month, day) of a day counted from 1970-01-01; raises NotADate outside the years 1 to 9999."""
    if not days(1, 1, 1) <= day_number <= days(9999, 12, 31):
        raise NotADate("outside the years 0001 to 9999")
    rest = day_number + EPOCH_DAYS
    year = rest // 366 + 1
    while days_before_year(year + 1) <= rest:
        year += 1
    rest -= days_before_year(year)
    month = 1
    while rest >= days_in_month(year, month):
        rest -= days_in_month(year, month)
        month += 1
    return year, month, rest + 1


def weekday(day_number):
    """The day of the week; 0 is Monday."""
    return (day_number + 3) % 7


class Zone:
    """An IANA name, ±HH:MM or UTC."""

    def __init__(self, name):
        self.name = name
        match = re.fullmatch(r"([+-])(\d\d):(\d\d)", name)
        if match:
            seconds = int(match[2]) * 3600 + int(match[3]) * 60
            self.rules = timezone(timedelta(seconds=-seconds if match[1] == "-" else seconds))
        else:
            self.rules = timezone.utc if name == "UTC" else ZoneInfo(name)

    def offset_of_local(self, local):
        """Seconds east for a local time: the offset before the jump in a gap, the earlier instant in an overlap (fold 0)."""
        return self.seconds(naive(local).replace(tzinfo=self.rules))

    def offset_at(self, instant):
        """Seconds east at an instant."""
        year_ends = (days(1, 1, 3) * DAY, days(9999, 12, 29) * DAY)
        within = min(max(instant, year_ends[0]), year_ends[1])  # datetime cannot shift the calendar's last hours
        return self.seconds(naive(within).replace(tzinfo=timezone.utc).astimezone(self.rules))

    def seconds(self, moment):
        offset = moment.utcoffset()
        return offset.days * DAY + offset.seconds


def naive(seconds):
    try:
        return datetime(1970, 1, 1) + timedelta(seconds=seconds)
    except OverflowError:
        raise NotADate("outside the years 0001 to 9999") from None


class Reading:
    """The contents of a date text.

    `seconds` counts civil seconds since 1970-01-01 on the clock of the text. `offset` is the distance of that clock from
    UTC, or None if the text has no offset. `leap` marks second 60, which counts as the next second.
    """

    def __init__(self, seconds, nanoseconds=0, offset=None, date_only=False, leap=False):
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.offset = offset
        self.date_only = date_only
        self.leap = leap

    def instant(self, assumed):
        """(seconds, nanoseconds) since 1970; `assumed` is a Zone, or None for `reject`."""
        offset = self.offset
        if offset is None:
            if assumed is None:
                raise NotADate("no zone")
            offset = assumed.offset_of_local(self.seconds)
        seconds = self.seconds - offset
        if self.leap:
            year, month, day = civil((seconds - 1) // DAY)
            if seconds % DAY != 0 or (month, day) not in ((6, 30), (12, 31)):
                raise NotADate("no leap second can be here")
        return seconds, self.nanoseconds
