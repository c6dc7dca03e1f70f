"""Date texts, valid and nearly valid, and rules for them."""

import json

FORMS = ["{d}T{t}Z", "{d}T{t}+01:00", "{d}T{t}-0330", "{d}t{t}z", "{d} {t}+05", "{d} {t}", "{d}T{t}", "{d}",
         "{d}T{hm}Z",
         "{d}T{hm}+18:00", "{d}T{hm}+18:01", "{d}T{t}.5Z", "{d}T{t}.120Z", "{d}T{t},000000001Z",
         "{d}T{t}.1234567899Z", "{b}T{bt}Z",
         "{b}T{bt}+0530", "{d}T{t}-00:00"]
EXACT = ["Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
         "Sun Nov  6 08:49:37 1994",
         "6 Nov 1994 08:49 EST", "Sun, 6 Nov 1994 08:49:37 +0100", "06 Nov 1994 08:49:37 PDT", "/Date(1700000000123)/",
         "/Date(-1+0100)/", "2024/02/29", "2024/02/30", "2024/02/29 12:34:56", "2024-W01-1", "2020-W53-7",
         "2021-W53-1", "2024-366",
         "2023-366", "2023-02-29T00:00:00Z", "2023-02-28T00:00:00Z junk", "2016-12-31T23:59:60Z",
         "2016-12-31T12:59:60Z",
         "2016-12-31T24:00:00Z", "2016-12-31T24:00:01Z", "2016-12-31T24:00Z", "0001-01-01T00:00:00+00:01",
         "9999-12-31T23:59:59-00:01",
         "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "1969-12-31T23:59:59.9Z",
         "2024-03-31T02:30:00",
         "2024-10-27T02:30:00", "2024-03-31 02:30", "1700000000", "-1700000000", "17000000", "20240102030405",
         "1700000000123",
         "1700000000.25", "12/03/2024 10:11", "3 Mar 2024", "2024-01-02T03:04:05+1", "2024-1-02T03:04:05Z", "",
         "yesterday"]
NUMBERS = ["638396638450000000", "133485000000000000", "720000000.5", "0", "1700000000", "1700000000123", "1700000000123456", "1700000000123456789", "-1", "1.5",
         "1700000000.125", "1.7e9",
           "99999999999", "100000000000", "1e20", "-62135596800", "-62135596801", "253402300799", "1e400",
           "99999999999999999999"]
ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "+05:30", "-03:30"]
SOURCES = ["auto", "auto", "auto", "rfc3339", "iso8601", "date", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns",
         "rfc2822", "http-date",
           "asctime", "dotnet-json", "dotnet-ticks", "filetime", "apple-s", {"pattern": "dd/MM/yyyy HH:mm"},
           {"pattern": "d MMM yyyy"}]
TARGETS = ["rfc3339", "rfc3339", "rfc3339", "date", "dotnet-json", "dotnet-ticks", "filetime", "apple-s", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns", "rfc2822",
         "http-date",
           {"pattern": "yyyy-MM-dd'T'HH:mm:ssXXX"}, {"pattern": "EEE d MMM yy hh:mm a"}, {"pattern": "yyyyMMdd"}]


def date_text(random, spell):
    """One JSON value that is a date, nearly one, or a number that may be one."""
    if random.random() < 0.25:
        return random.choice(NUMBERS)
    if random.random() < 0.45:
        return spell(random.choice(EXACT))
    year, month, day = random.randint(1960, 2060), random.randint(1, 12), random.randint(1, 29)
    hour, minute, second = random.randint(0, 24), random.randint(0, 59), random.choice([0, 5, 59])
    text = random.choice(FORMS).format(
        d=f"{year:04d}-{month:02d}-{day:02d}", t=f"{hour:02d}:{minute:02d}:{second:02d}", hm=f"{hour:02d}:{minute:02d}",
        b=f"{year:04d}{month:02d}{day:02d}", bt=f"{hour:02d}{minute:02d}{second:02d}")
    return spell(text)


def date_rule(random):
    """The members of a rule other than `at`."""
    rule = {}
    if random.random() < 0.5:
        sources = [random.choice(SOURCES) for _ in range(random.randint(1, 2))]
        rule["from"] = [s for n, s in enumerate(sources) if json.dumps(s) not in [json.dumps(t) for t in sources[:n]]]
        if len(rule["from"]) == 1 and random.random() < 0.3:
            rule["from"] = rule["from"][0]
    rule["to"] = random.choice(TARGETS)
    if rule["to"] == "rfc3339" and random.random() < 0.4:
        rule["precision"] = random.choice([0, 1, 3, 6, 9])
    if random.random() < 0.4 and (isinstance(rule["to"], dict) or rule["to"] in ("rfc3339", "date", "rfc2822")):
        rule["zone"] = random.choice(ZONES)
    if random.random() < 0.5:
        rule["assumeZone"] = random.choice(ZONES + ["reject"])
    return rule


def invertible_date_rule(random):
    """The members of a rule that can usually be reversed, because its output has all information of its input."""
    source = random.choice(["rfc3339", "epoch-s", "epoch-ms", "epoch-us", "rfc2822", "http-date", "date", "dotnet-json",
                            {"pattern": "dd/MM/yyyy HH:mm"}, {"pattern": "d MMM yyyy"}])
    target = random.choice(["rfc3339", "rfc3339", "epoch-ns", "apple-s", "dotnet-ticks", "epoch-ms", "date",
                            {"pattern": "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"}, {"pattern": "yyyy-MM-dd HH:mm:ss"},
                            {"pattern": "yyyyMMdd"}])
    rule = {"from": source, "to": target, "assumeZone": random.choice(ZONES)}
    if isinstance(target, dict) or target in ("rfc3339", "date"):
        rule["zone"] = rule["assumeZone"] if random.random() < 0.5 else random.choice(ZONES)
    return rule
