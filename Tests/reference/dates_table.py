#!/usr/bin/env python3
"""Writes Tests/Fixtures/dates/computed.json: date rules, inputs and the outputs that Python's own library computes.

The program under test is not used. Calendar, zones and mail dates come from datetime, zoneinfo and email.utils;
numbers come from fractions. The script runs in any folder. The output depends only on the seed and the system's zone files.
"""

import json
import pathlib
import random
from datetime import date, datetime, timedelta, timezone
from email.utils import format_datetime, parsedate_to_datetime
from fractions import Fraction
from math import floor
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
YEAR_ONE = datetime(1, 1, 1, tzinfo=timezone.utc)
FILE_TIME = datetime(1601, 1, 1, tzinfo=timezone.utc)
APPLE = datetime(2001, 1, 1, tzinfo=timezone.utc)
ZONES = [
    "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "Africa/Casablanca",
    "Pacific/Apia", "Asia/Tehran", "Europe/Dublin", "America/St_Johns", "Pacific/Chatham", "Asia/Kolkata",
]
random.seed(20240229)
groups = []


def group(title, rule, rows):
    groups.append({"title": title, "rule": rule, "rows": rows})


def text(source, out, outcome="string"):
    return {"string": source, "outcome": outcome, "out": out}


def number(source, out, outcome="string"):
    return {"number": source, "outcome": outcome, "out": out}


def bad(source):
    return {"string": source, "outcome": "bad", "out": ""}


def bad_number(source):
    return {"number": source, "outcome": "bad", "out": ""}


def unchanged(source):
    return {"string": source, "outcome": "unchanged", "out": ""}


def fraction_text(nanoseconds):
    return ("." + f"{nanoseconds:09d}".rstrip("0")) if nanoseconds else ""


def rfc3339(moment, zone=timezone.utc, nanoseconds=0, digits=None):
    """`moment` (aware, whole seconds) as the specification writes it: offsets in whole minutes, the same instant."""
    utc = moment.astimezone(timezone.utc)
    offset = moment.astimezone(zone).utcoffset()
    seconds = int(offset.total_seconds())
    minutes = abs(seconds) // 60 * (1 if seconds >= 0 else -1)
    local = (utc + timedelta(minutes=minutes)).replace(tzinfo=None)
    if digits is None:
        fraction = fraction_text(nanoseconds)
    else:
        fraction = "." + f"{nanoseconds:09d}"[:digits] if digits else ""
    mark = "Z" if minutes == 0 else f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    return local.isoformat() + fraction + mark


def since(moment, origin):
    """The exact number of whole seconds since `origin`."""
    delta = moment - origin
    return delta.days * 86400 + delta.seconds


def moment_of(value):
    """From a Fraction of seconds since 1970: an aware datetime of whole seconds, and nanoseconds, rounded toward the past."""
    total = floor(value * 10**9)
    return EPOCH + timedelta(seconds=total // 10**9), total % 10**9


def some_moment(first=1850, last=2100):
    start = since(datetime(first, 1, 1, tzinfo=timezone.utc), EPOCH)
    end = since(datetime(last, 1, 1, tzinfo=timezone.utc), EPOCH)
    return EPOCH + timedelta(seconds=random.randrange(start, end))


# RFC 3339 in every zone, converted to every zone.
for name in ZONES:
    zone = ZoneInfo(name)
    rows = []
    for _ in range(5):
        moment = some_moment(1860, 2300)
        source_zone = timezone(timedelta(minutes=random.randrange(-12 * 60, 14 * 60)))
        rows.append(text(rfc3339(moment, source_zone), rfc3339(moment, zone)))
    # The first days of the calendar that Python knows, with local mean time to the second.
    early = datetime(1800, 6, 1, 12, 30, 15, tzinfo=timezone.utc)
    rows.append(text(rfc3339(early), rfc3339(early, zone)))
    group("zone " + name, {"from": ["rfc3339"], "to": "rfc3339", "zone": name}, rows)

# ISO 8601 as `auto` accepts it.
rows = []
for _ in range(6):
    local = some_moment(1, 9999).replace(tzinfo=None) if random.random() < 0.2 else some_moment().replace(tzinfo=None)
    hours = random.randrange(-12, 13)
    nanoseconds = random.randrange(10**9)
    moment = local.replace(tzinfo=timezone(timedelta(hours=hours)))
    day, clock = local.isoformat().split("T")
    short = f"{hours:+03d}"
    for source, kept in [
        (f"{day}T{clock}.{nanoseconds:09d}{short}:00", nanoseconds),
        (f"{day} {clock},{nanoseconds:09d}123456789{short}00", nanoseconds),
        (f"{day}t{clock}.{nanoseconds:09d}{short}"[: len(day) + 1 + len(clock) + 4] + short, nanoseconds // 10**6 * 10**6),
        (day.replace("-", "") + "T" + clock.replace(":", "") + short + "00", 0),
    ]:
        rows.append(text(source, rfc3339(moment, nanoseconds=kept)))
    rows.append(text(f"{day}T{clock[:5]}{short}", rfc3339(moment.replace(second=0))))
group("auto, ISO 8601 with a zone", {"from": ["auto"], "to": "rfc3339"}, rows)

# Times without a zone. Python's fold=0 uses the offset before the jump in a gap, and the earlier instant in an overlap (PEP 495).
for name, locals_ in {
    "Europe/Paris": ["2024-03-31 02:30:00", "2024-10-27 02:30:00", "2024-03-31 02:00:00", "2024-03-31 03:00:00",
                     "2050-03-27 02:15:00", "2050-10-30 02:15:00", "1890-01-01 00:00:00", "1911-03-10 23:55:00"],
    "America/New_York": ["2024-03-10 02:30:00", "2024-11-03 01:30:00", "1883-11-18 12:01:00", "2099-07-04 12:00:00"],
    "America/Sao_Paulo": ["2018-11-04 00:30:00", "2018-02-17 23:30:00", "2019-01-15 12:00:00"],
    "Australia/Lord_Howe": ["2024-10-06 02:10:00", "2024-04-07 01:45:00", "2077-10-03 02:15:00"],
    "Pacific/Apia": ["2011-12-30 10:00:00", "2011-12-29 23:59:59", "2011-12-31 00:00:00"],
    "Europe/Dublin": ["2024-03-31 01:30:00", "2024-10-27 01:30:00", "2060-12-25 12:00:00"],
    "Africa/Casablanca": ["2024-03-10 02:30:00", "2024-04-14 02:30:00", "2090-01-01 00:00:00"],
    "Asia/Kathmandu": ["1985-12-31 23:59:59", "1986-01-01 00:05:00", "2024-01-01 00:00:00"],
}.items():
    zone = ZoneInfo(name)
    rows = []
    for source in locals_:
        moment = datetime.fromisoformat(source).replace(tzinfo=zone).astimezone(timezone.utc)
        rows.append(text(source, rfc3339(moment)))
        rows.append(text(source.replace("-", "/"), rfc3339(moment)))
    day = datetime.fromisoformat(locals_[0][:10]).replace(tzinfo=zone).astimezone(timezone.utc)
    rows.append(text(locals_[0][:10], rfc3339(day)))
    group("local times in " + name, {"from": ["auto"], "to": "rfc3339", "assumeZone": name}, rows)

# The start of a day in an assumed zone; every form of a day; days that are written as days.
rows, same = [], []
for _ in range(8):
    day = some_moment(1000, 9998).date()
    year, week, weekday = day.isocalendar()
    start = datetime(day.year, day.month, day.day, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    for source in [day.isoformat(), f"{year:04d}-W{week:02d}-{weekday}", f"{day.year:04d}-{day.timetuple().tm_yday:03d}"]:
        rows.append(text(source, rfc3339(start)))
        same.append(text(source, day.isoformat()))
group("days become instants", {"from": ["iso8601"], "to": "rfc3339", "assumeZone": "+05:45"}, rows)
group("days stay days", {"from": ["auto"], "to": "date", "zone": "Pacific/Chatham"}, same)
group("days stay days where a zone is assumed", {"from": ["auto"], "to": "date", "zone": "-11:00", "assumeZone": "+14:00"}, same[:6])

# Instants that become days in a zone.
zone = ZoneInfo("Pacific/Chatham")
rows = []
for _ in range(8):
    moment = some_moment(1900)
    rows.append(text(rfc3339(moment), moment.astimezone(zone).date().isoformat()))
group("instants become days", {"from": ["rfc3339"], "to": "date", "zone": "Pacific/Chatham"}, rows)

# Mail dates. parsedate_to_datetime decides which instant a source means.
rows = []
for _ in range(8):
    moment = some_moment(1970, 2060).astimezone(timezone(timedelta(minutes=random.randrange(-720, 840))))
    source = format_datetime(moment)
    for variant in [source, source.split(", ")[1], source + " (a (nested) comment)", source.replace(" ", "\t", 2).lower()]:
        rows.append(text(variant, rfc3339(parsedate_to_datetime(variant.replace("(nested) ", "")))))
for name in ["UT", "GMT", "UTC", "Z", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"]:
    source = "Tue, 1 Jul 2003 10:52:37 " + name
    meant = parsedate_to_datetime(source.replace(" Z", " +0000"))
    # Python returns a naive datetime, in UTC, for names that are not a zone.
    rows.append(text(source, rfc3339(meant if meant.tzinfo else meant.replace(tzinfo=timezone.utc))))
group("auto, RFC 5322", {"from": ["auto"], "to": "rfc3339"}, rows)
group("rfc2822", {"from": ["rfc2822"], "to": "rfc3339"}, rows)

rows, back = [], []
for _ in range(6):
    moment = some_moment(1970, 2069)
    fixdate = format_datetime(moment, usegmt=True)
    iso = rfc3339(moment)
    rows += [
        text(fixdate, iso),
        text(moment.strftime("%A, %d-%b-%y %H:%M:%S GMT"), iso),
        text(moment.strftime("%a %b ") + f"{moment.day:2d}" + moment.strftime(" %H:%M:%S %Y"), iso),
    ]
    back.append(text(iso, fixdate))
group("http-date read", {"from": ["http-date"], "to": "rfc3339"}, rows)
group("http-date written", {"from": ["rfc3339"], "to": "http-date", "zone": "Asia/Tokyo"}, back)
rows = []
for _ in range(4):
    local = some_moment(1970, 2069).replace(tzinfo=None)
    moment = local.replace(tzinfo=ZoneInfo("America/New_York"))
    rows.append(text(local.strftime("%a %b ") + f"{local.day:2d}" + local.strftime(" %H:%M:%S %Y"), rfc3339(moment)))
group("asctime in an assumed zone", {"from": ["asctime"], "to": "rfc3339", "assumeZone": "America/New_York"}, rows)
rows = []
for _ in range(4):
    moment = some_moment(1970, 2060)
    rows.append(text(rfc3339(moment), format_datetime(moment.astimezone(ZoneInfo("Asia/Kolkata")))))
group("rfc2822 written", {"from": ["rfc3339"], "to": "rfc2822", "zone": "Asia/Kolkata"}, rows)

# Numbers: exact decimal arithmetic, rounded toward the past.
NUMBERS = ["0", "-0", "1", "-1", "1.5", "-1.5", "1.7e9", "17E8", "1700000000.123456789", "-0.0000000001", "0.0000000019",
           "-62135596800", "253402300799", "253402300799.999999999999", "1e0", "1e-9", "15e-1", "-1e-30",
           "1." + "0" * 400 + "1", "-1." + "0" * 400 + "1", "12" + "0" * 50 + "e-50", "99999999999e-2"]
for form, unit in [("epoch-s", 0), ("epoch-ms", 3), ("epoch-us", 6), ("epoch-ns", 9)]:
    rows = []
    for source in NUMBERS:
        moment, nanoseconds = moment_of(Fraction(source) / 10**unit)
        rows.append(number(source, rfc3339(moment, nanoseconds=nanoseconds)))
        rows.append(bad(source) if "e" in source.lower() else text(source, rfc3339(moment, nanoseconds=nanoseconds)))
    group(form + " read", {"from": [form], "to": "rfc3339"}, rows)
    rows = []
    for _ in range(3):
        moment, nanoseconds = some_moment(1, 9999), random.randrange(10**9)
        total = since(moment, EPOCH) * 10**9 + nanoseconds
        rows.append(text(rfc3339(moment, nanoseconds=nanoseconds), str(total // 10 ** (9 - unit)), "number"))
    for total in [-1, 1, -10**9, -10**9 - 1, 0]:
        moment, nanoseconds = moment_of(Fraction(total, 10**9))
        rows.append(text(rfc3339(moment, nanoseconds=nanoseconds), str(total // 10 ** (9 - unit)), "number"))
    group(form + " written", {"from": ["rfc3339"], "to": form}, rows)

rows = []
for source in ["0", "5", "-5", "99999999999", "-99999999999", "100000000000", "1700000000000", "99999999999999",
               "100000000000000", "1700000000000000", "99999999999999999", "100000000000000000", "1700000000000000001",
               "1.7e9", "1.7e12", "1.7e18", "170000000000000000000e-8", "1700000000.5", "-1700000000000.25", "0.00000000012e19"]:
    value = Fraction(source)
    unit = next(u for limit, u in [(11, 0), (14, 3), (17, 6), (20, 9)] if abs(value) < 10**limit)
    try:
        moment, nanoseconds = moment_of(value / 10**unit)
    except OverflowError:
        rows += [bad_number(source), bad(source)]
        continue
    rows.append(number(source, rfc3339(moment, nanoseconds=nanoseconds)))
    digits = source.lstrip("-").split(".")[0]
    if "e" not in source:
        rows.append(text(source, rfc3339(moment, nanoseconds=nanoseconds)) if len(digits) >= 9 and len(digits) != 14 else bad(source))
group("auto, numbers by size", {"from": ["auto"], "to": "rfc3339"}, rows)

for form, origin, scale in [("dotnet-ticks", YEAR_ONE, 7), ("filetime", FILE_TIME, 7), ("apple-s", APPLE, 0)]:
    read, write = [], []
    for _ in range(6):
        moment, ticks = some_moment(1602, 2500), random.randrange(10**7)
        if scale:
            source = str(since(moment, origin) * 10**7 + ticks)
        else:
            total = Fraction(since(moment, origin)) + Fraction(ticks, 10**7)
            sign, total = ("-" if total < 0 else ""), abs(total)
            source = sign + str(floor(total)) + fraction_text(int(total % 1 * 10**9))
        iso = rfc3339(moment, nanoseconds=ticks * 100)
        read.append(number(source, iso))
        write.append(text(iso, source, "number"))
    group(form + " read", {"from": [form], "to": "rfc3339"}, read)
    group(form + " written", {"from": ["rfc3339"], "to": form}, write)

read, write = [], []
for _ in range(5):
    moment, milliseconds = some_moment(1900), random.randrange(1000)
    count = since(moment, EPOCH) * 1000 + milliseconds
    iso = rfc3339(moment, nanoseconds=milliseconds * 10**6)
    read += [text(f"/Date({count})/", iso), text(f"/Date({count}-0730)/", iso)]
    write.append(text(iso, f"/Date({count})/"))
group("dotnet-json read", {"from": ["dotnet-json"], "to": "rfc3339"}, read)
group("auto, /Date()/", {"from": ["auto"], "to": "rfc3339"}, read)
group("dotnet-json written", {"from": ["rfc3339"], "to": "dotnet-json"}, write)

# Precision: rounded toward the past, which for any instant means that the digits are cut.
for digits in [0, 1, 3, 6, 9]:
    rows = []
    for source_digits in [0, 1, 3, 7, 9]:
        moment = some_moment(1900)
        nanoseconds = int(str(random.randrange(10**9)).rjust(9, "0")[:source_digits].ljust(9, "0"))
        source = rfc3339(moment, nanoseconds=nanoseconds, digits=source_digits)
        rows.append(text(source, rfc3339(moment, nanoseconds=nanoseconds, digits=digits)))
    moment, nanoseconds = moment_of(Fraction("-0.650"))
    rows.append(number("-0.650", rfc3339(moment, nanoseconds=nanoseconds, digits=digits)))
    group(f"precision {digits}", {"from": ["rfc3339", "epoch-s"], "to": "rfc3339", "precision": digits}, rows)

# Patterns, against strftime in the C locale.
for pattern, directive in {
    "dd/MM/yyyy HH:mm": "%d/%m/%Y %H:%M", "yyyyMMddHHmmss": "%Y%m%d%H%M%S", "EEEE, d MMMM yyyy": "%A, D %B %Y",
    "EEE MMM dd HH:mm:ss Z yyyy": "%a %b %d %H:%M:%S %z %Y", "hh:mm:ss a 'on' dd-MMM-yy": "%I:%M:%S %p on %d-%b-%y",
    "yyyy-DDD'T'HH": "%Y-%jT%H", "M/d/yy": "M/D/%y",
}.items():
    read, write = [], []
    for _ in range(4):
        moment = some_moment(1971, 2068).astimezone(ZoneInfo("Europe/Paris"))
        source = moment.strftime(directive.replace("M/", f"{moment.month}/").replace("D", str(moment.day)))
        kept = datetime.strptime(moment.strftime(directive.replace("M/", "%m/").replace("D", "%d")), directive.replace("M/", "%m/").replace("D", "%d"))
        if kept.tzinfo is None:
            kept = kept.replace(tzinfo=ZoneInfo("Europe/Paris"))
        read.append(text(source, rfc3339(kept)))
        write.append(text(rfc3339(moment), source))
    group("read " + pattern, {"from": [{"pattern": pattern}], "to": "rfc3339", "assumeZone": "Europe/Paris"}, read)
    group("write " + pattern, {"from": ["rfc3339"], "to": {"pattern": pattern}, "zone": "Europe/Paris"}, write)

# Scanning.
rows = []
for _ in range(5):
    moment = some_moment(1971, 2068)
    east = moment.astimezone(timezone(timedelta(hours=9)))
    iso = rfc3339(moment)
    rows += [text(iso, iso), text(east.isoformat(), iso), text(east.isoformat(" "), iso), text(format_datetime(east), iso),
             text(format_datetime(moment, usegmt=True), iso), text(east.strftime("%Y%m%dT%H%M%S%z"), iso)]
    rows += [unchanged(source) for source in [
        iso[:-1], iso[:10], str(since(moment, EPOCH)), moment.strftime("%A, %d-%b-%y %H:%M:%S GMT"), moment.strftime("%a %b %d %H:%M:%S %Y"),
        f"/Date({since(moment, EPOCH)}000)/", iso + " junk", " " + iso, moment.strftime("%a %b %d %H:%M:%S +0000 %Y")]]
group("scanning", {"scan": True, "to": "rfc3339"}, rows)

# Dates that Python's own calendar refuses.
rows = []
for day in ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-01-00", "0000-01-01"]:
    try:
        date.fromisoformat(day)
        raise SystemExit("Python takes " + day)
    except ValueError:
        rows += [bad(day), bad(day + "T10:00:00Z"), bad(day.replace("-", "/"))]
for year, week, weekday in [(2023, 53, 1), (2024, 0, 1), (2024, 1, 8)]:
    try:
        date.fromisocalendar(year, week, weekday)
        raise SystemExit("Python takes a week")
    except ValueError:
        rows.append(bad(f"{year}-W{week:02d}-{weekday}"))
group("no such day", {"from": ["auto"], "to": "rfc3339", "assumeZone": "UTC"}, rows)

target = pathlib.Path(__file__).parent.parent / "Fixtures" / "dates" / "computed.json"
lines = []
for entry in groups:
    rows = ",\n".join("      " + json.dumps(row) for row in entry["rows"])
    lines.append(f'  {{ "title": {json.dumps(entry["title"])},\n    "rule": {json.dumps(entry["rule"])},\n    "rows": [\n{rows}\n    ] }}')
target.write_text("[\n" + ",\n".join(lines) + "\n]\n")
print(sum(len(entry["rows"]) for entry in groups), "rows in", len(groups), "groups")
