"""Date rules: the conversion of one value by one rule."""

from date_forms import (APPLE_SECONDS, FILETIME_SECONDS, TICKS_BEFORE_1970, read_number, read_string, scan)
from date_patterns import has_offset, is_date_only, write_pattern
from instants import BILLION, DAY, MONTHS, WEEKDAYS, NotADate, Zone, civil, weekday
from json_text import Number, Text

INTEGERS = {"epoch-s": BILLION, "epoch-ms": 1_000_000, "epoch-us": 1_000, "epoch-ns": 1}
BY_NO_CLOCK = [*INTEGERS, "dotnet-ticks", "filetime", "apple-s", "dotnet-json"]


def local_parts(instant, zone, writes_offset):
    """(year, month, day, second of the day, offset).

    If the offset is written, it is cut to whole minutes, and so is the clock, so that the instant does not change.
    """
    offset = zone.offset_at(instant)
    if writes_offset:
        offset = abs(offset) // 60 * 60 * (-1 if offset < 0 else 1)
    local = instant + offset
    return (*civil(local // DAY), local % DAY, offset)


class DateRule:
    """One rule of `dates`. A rule without selectors scans."""

    def __init__(self, rule):
        at = rule.get("at")
        self.scans = at is None
        self.bad_value = rule.get("badValue")
        self.sources = listed(rule.get("from", "auto"))
        self.target = rule.get("to", "rfc3339")
        self.precision = rule.get("precision")
        self.zone = Zone(rule.get("zone", "UTC"))
        assumed = rule.get("assumeZone", "reject")
        self.assumed = None if assumed == "reject" else Zone(assumed)

    def rewritten(self, node):
        """The new node; raises NotADate if the value is not a date."""
        if isinstance(node, Text):
            return self.converted(node.content, read_string)
        if isinstance(node, Number):
            return self.converted(node.text, read_number)
        raise NotADate("neither a string nor a number")

    def scanned(self, node):
        """The node, rewritten if its whole text is one date-time with an explicit zone."""
        if not isinstance(node, Text):
            return node
        try:
            return self.written(scan(node.content))
        except NotADate:
            return node

    def converted(self, text, reader):
        """The output of the first form that reads the text and whose date can be written."""
        for form in self.sources:
            try:
                return self.written(reader(form, text))
            except NotADate:
                continue
        raise NotADate("no form fits")

    def keeps_day(self, reading):
        """Whether a date-only value is written as a date, so that no zone matters."""
        as_date = self.target == "date" or (isinstance(self.target, dict) and is_date_only(self.target["pattern"]))
        return reading.date_only and as_date

    def written(self, reading):
        if self.keeps_day(reading):
            year, month, day = civil(reading.seconds // DAY)
            if self.target == "date":
                return Text(f"{year:04d}-{month:02d}-{day:02d}")
            return Text(write_pattern(self.target["pattern"], year, month, day, 0, 0, 0))
        return self.format(*reading.instant(self.assumed))

    def format(self, seconds, nanoseconds):
        """Writes an instant; a result outside the years 0001 to 9999, in the zone that is written, is an error."""
        target = self.target
        total = seconds * BILLION + nanoseconds
        if target in BY_NO_CLOCK:
            civil(seconds // DAY)
        if isinstance(target, str) and target in INTEGERS:
            return Number(str(total // INTEGERS[target]))
        if target == "dotnet-ticks":
            return Number(str(total // 100 + TICKS_BEFORE_1970))
        if target == "filetime":
            return Number(str((total + FILETIME_SECONDS * BILLION) // 100))
        if target == "apple-s":
            return Number(decimal(total - APPLE_SECONDS * BILLION))
        if target == "dotnet-json":
            return Text(f"/Date({total // 1_000_000})/")
        zone = Zone("UTC") if target == "http-date" else self.zone
        writes_offset = target in ("rfc3339", "rfc2822") or (isinstance(target, dict) and has_offset(target["pattern"]))
        year, month, day, second, offset = local_parts(seconds, zone, writes_offset)
        if isinstance(target, dict):
            return Text(write_pattern(target["pattern"], year, month, day, second, nanoseconds, offset))
        date = f"{year:04d}-{month:02d}-{day:02d}"
        if target == "date":
            return Text(date)
        clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        minutes = abs(offset) // 60
        sign = "-" if offset < 0 else "+"
        if target == "rfc3339":
            zone_text = f"{sign}{minutes // 60:02d}:{minutes % 60:02d}" if offset else "Z"
            return Text(f"{date}T{clock}{self.fraction(nanoseconds)}{zone_text}")
        name = WEEKDAYS[weekday((seconds + offset) // DAY)]
        tail = "GMT" if target == "http-date" else f"{sign}{minutes // 60:02d}{minutes % 60:02d}"
        return Text(f"{name}, {day:02d} {MONTHS[month - 1]} {year:04d} {clock} {tail}")

    def fraction(self, nanoseconds):
        digits = f"{nanoseconds:09d}"
        digits = digits.rstrip("0") if self.precision is None else digits[:self.precision]
        return "." + digits if digits else ""


def decimal(nanoseconds):
    """Seconds with up to nine fraction digits."""
    whole, part = divmod(abs(nanoseconds), BILLION)
    digits = f".{part:09d}".rstrip("0").rstrip(".")
    return f"{'-' if nanoseconds < 0 else ''}{whole}{digits}"


def listed(value):
    """The value as a list; a single value becomes a list of one."""
    return value if isinstance(value, list) else [value]
