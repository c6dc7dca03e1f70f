"""Unicode LDML date patterns in en_US_POSIX, both ways."""

import re
from instants import (DAY, LONG_MONTHS, LONG_WEEKDAYS, MONTHS, WEEKDAYS, NotADate, Reading, days, weekday)

TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|([^A-Za-z']+)", re.DOTALL)
DATE_LETTERS = set("yuMLdEDewWcQqG")


def tokens(pattern):
    """The pattern as (letter, count) pairs and literal texts."""
    found, at = [], 0
    while at < len(pattern):
        token = TOKEN.match(pattern, at)
        at = token.end()
        if token[2]:
            found.append((token[2], len(token[0])))
        elif token[3]:
            found.append(token[3])
        else:
            found.append(token[1].replace("''", "'") or "'")
    return found


def is_date_only(pattern):
    """Whether a pattern contains only date letters."""
    return all(isinstance(token, str) or token[0] in DATE_LETTERS for token in tokens(pattern))


def has_offset(pattern):
    """Whether a pattern writes the offset from UTC."""
    return any(not isinstance(token, str) and token[0] in "XxZ" for token in tokens(pattern))


def expression(letter, count):
    """The regular expression for one field."""
    if letter in "yu":
        return {2: r"\d\d", 4: r"\d{4}"}.get(count, r"\d{1,4}")
    if letter in "ML" and count >= 3:
        return "|".join(MONTHS if count == 3 else LONG_MONTHS)
    if letter == "E":
        return "|".join(WEEKDAYS if count <= 3 else LONG_WEEKDAYS)
    if letter == "a":
        return "AM|PM"
    if letter in "MLdHhmsk":
        return r"\d\d" if count == 2 else r"\d\d?"
    if letter == "S":
        return r"\d{%d}" % count
    if letter in "Xx":
        zones = {1: r"[+-]\d\d(?:\d\d)?", 2: r"[+-]\d{4}", 3: r"[+-]\d\d:\d\d"}
        return zones[count] + ("|Z" if letter == "X" else "")
    if letter == "Z":
        return r"[+-]\d{4}" if count <= 3 else r"[+-]\d\d:\d\d|Z"
    raise NotADate(f"letter {letter}")


def read_pattern(pattern, text):
    """Reads a text that must match the whole pattern."""
    from date_forms import clock, offset_seconds
    fields, source = tokens(pattern), ""
    for token in fields:
        source += re.escape(token) if isinstance(token, str) else f"({expression(*token)})"
    found = re.fullmatch(source, text, re.ASCII)
    if not found:
        raise NotADate("another form")
    values = {}
    for (letter, count), value in zip([token for token in fields if not isinstance(token, str)], found.groups()):
        values["M" if letter == "L" else "y" if letter == "u" else letter] = (value, count)

    def number(letter, otherwise):
        return int(values[letter][0]) if letter in values else otherwise

    year = number("y", 1970)
    if "y" in values and values["y"][1] == 2:
        year += 1900 if year >= 70 else 2000
    month = number("M", 1) if values.get("M", ("", 1))[1] < 3 else month_number(*values["M"])
    day_number = days(year, month, number("d", 1))
    if "E" in values and WEEKDAYS[weekday(day_number)] != values["E"][0][:3]:
        raise NotADate("wrong weekday")
    if is_date_only(pattern):
        return Reading(day_number * DAY, date_only=True)
    hour = number("H", 0)
    if "h" in values:
        hour = number("h", 0)
        if not 1 <= hour <= 12:
            raise NotADate("no such hour")
        hour = hour % 12 + (12 if values.get("a", ("AM",))[0] == "PM" else 0)
    zone = next((values[letter][0] for letter in "XxZ" if letter in values), None)
    parts = {"hour": hour, "minute": number("m", 0), "second": number("s", 0),
             "fraction": values["S"][0] if "S" in values else None}
    return clock(day_number, parts, offset_seconds(zone))


def month_number(name, count):
    return (MONTHS if count == 3 else LONG_MONTHS).index(name) + 1


def write_pattern(pattern, year, month, day, second_of_day, nanoseconds, offset):
    """Writes one local time with a pattern."""
    pieces = []
    number = days(year, month, day)
    hour, minute, second = second_of_day // 3600, second_of_day // 60 % 60, second_of_day % 60
    plain = {"d": day, "H": hour, "h": (hour + 11) % 12 + 1, "k": hour or 24, "m": minute, "s": second}
    for token in tokens(pattern):
        if isinstance(token, str):
            pieces.append(token)
            continue
        letter, count = token
        if letter in "yu":
            pieces.append(f"{year % 100:02d}" if count == 2 else str(year).rjust(count, "0"))
        elif letter in "ML":
            pieces.append({3: MONTHS, 4: LONG_MONTHS}[count][month - 1] if count >= 3 else str(month).rjust(count, "0"))
        elif letter == "E":
            pieces.append((WEEKDAYS if count <= 3 else LONG_WEEKDAYS)[weekday(number)])
        elif letter == "a":
            pieces.append("AM" if hour < 12 else "PM")
        elif letter == "S":
            pieces.append(f"{nanoseconds:09d}".ljust(count, "0")[:count])
        elif letter in "XxZ":
            pieces.append(zone_text(letter, count, offset))
        else:
            pieces.append(str(plain[letter]).rjust(count, "0"))
    return "".join(pieces)


def zone_text(letter, count, offset):
    colon = ":" if (letter in "Xx" and count == 3) or (letter == "Z" and count == 5) else ""
    if offset == 0 and (letter == "X" or (letter == "Z" and count == 5)):
        return "Z"
    minutes = abs(offset) // 60
    text = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}"
    if letter in "Xx" and count == 1 and minutes % 60 == 0:
        return text
    return f"{text}{colon}{minutes % 60:02d}"
