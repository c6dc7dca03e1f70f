#!/usr/bin/env python3
"""Writes Tests/Fixtures/dates/zones.json: offsets of time zones at points in time, computed by Python's zoneinfo.

The first part uses the system's zone files; the second uses files that contain only a POSIX TZ footer.
"""

import io
import json
import pathlib
import random
import struct
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
NAMES = """Africa/Abidjan Africa/Cairo Africa/Casablanca Africa/Monrovia America/Anchorage America/Argentina/Buenos_Aires
America/Asuncion America/Caracas America/Havana America/Los_Angeles America/New_York America/Nuuk America/Santiago
America/Sao_Paulo America/St_Johns Antarctica/Troll Asia/Gaza Asia/Jerusalem Asia/Kathmandu Asia/Kolkata Asia/Pyongyang
Asia/Shanghai Asia/Tehran Asia/Tokyo Atlantic/Azores Australia/Lord_Howe Australia/Sydney Europe/Amsterdam Europe/Dublin
Europe/Istanbul Europe/London Europe/Moscow Europe/Paris Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Kiritimati
EST5EDT Etc/GMT+12 GMT""".split()
# Zero-based days (`,59,365`) are missing: CPython reads them one day early, which differs from POSIX; ZoneTests has them.
FOOTERS = [
    "UTC0", "EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "AEST-10AEDT,M10.1.0,M4.1.0/3", "<+0330>-3:30",
    "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "IST-1GMT0,M10.5.0,M3.5.0/1", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
    "AAA3BBB,J60/0,J300/25:30:15", "XXX3EDT4,0/0,J365/23", "EET-2EEST,M3.4.4/50,M10.4.4/50",
    "<-12>12", "<+14>-14", "NZST-12NZDT,M9.5.0,M4.1.0/3",
]
random.seed(9636)


def offset(zone, seconds):
    return int((EPOCH + timedelta(seconds=seconds)).astimezone(zone).utcoffset().total_seconds())


def local_to_utc(zone, local):
    """The instant of a local time; fold=0 is the specification's choice in gaps and in overlaps (PEP 495)."""
    wall = (EPOCH + timedelta(seconds=local)).replace(tzinfo=zone)
    delta = wall.astimezone(timezone.utc) - EPOCH
    return delta.days * 86400 + delta.seconds


def jumps(zone, first, last):
    """The seconds between two points at which the offset changes, found by bisection."""
    found, step = [], 20 * 86400
    for low in range(first, last, step):
        high = low + step
        if offset(zone, low) == offset(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
        found.append(high)
    return found


def rows(zone, first_year, last_year, picks):
    first, last = ((datetime(year, 1, 1, tzinfo=timezone.utc) - EPOCH).days * 86400 for year in (first_year, last_year))
    changes = jumps(zone, first, last)
    times = [random.randrange(first, last) for _ in range(picks)]
    for change in random.sample(changes, min(picks, len(changes))):
        times += [change - 1, change]
    offsets = [[time, offset(zone, time)] for time in times]
    walls = [random.randrange(first, last) for _ in range(picks)]
    for change in random.sample(changes, min(picks, len(changes))):
        walls += [change + random.choice([offset(zone, change - 1), offset(zone, change)]) + d for d in (-1800, -1, 0, 1, 1800)]
    return {"offsets": offsets, "locals": [[wall, local_to_utc(zone, wall)] for wall in walls]}


def footer_file(footer, type_offset):
    """The smallest TZif file: version 2, one type, no transition."""
    block = struct.pack(">lbb", type_offset, 0, 0) + b"AAA\0"
    header = struct.pack(">4sc15x6l", b"TZif", b"2", 0, 0, 0, 0, 1, 4)
    return header + block + header + block + b"\n" + footer.encode() + b"\n"


zones = [{"name": name, **rows(ZoneInfo(name), 1850, 2024, 5)} for name in NAMES]
for entry in zones:
    later = rows(ZoneInfo(entry["name"]), 2040, 2400, 2)
    entry["offsets"] += later["offsets"]
    entry["locals"] += later["locals"]
footers = []
for footer in FOOTERS:
    data = footer_file(footer, 0)
    footers.append({"name": footer, "file": list(data), **rows(ZoneInfo.from_file(io.BytesIO(data), footer), 1971, 2300, 6)})

target = pathlib.Path(__file__).parent.parent / "Fixtures" / "dates" / "zones.json"
parts = []
for key, entries in (("zones", zones), ("footers", footers)):
    parts.append(f'"{key}": [\n' + ",\n".join(json.dumps(entry) for entry in entries) + "\n]")
target.write_text("{\n" + ",\n".join(parts) + "\n}\n")
print(sum(len(e["offsets"]) + len(e["locals"]) for e in zones + footers), "rows")
