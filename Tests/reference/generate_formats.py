#!/usr/bin/env python3
"""Forms and property lists that Python's urllib and plistlib write from random values, with the equivalent JSON.

    generate_formats.py form|plist [--count N] [--seed N]

Prints a JSON line for each: `payload` and `json`, both in base64.
"""

import argparse
import base64
import datetime
import json
import math
import plistlib
import random
import urllib.parse

NAMES = ["a", "b", "name", "é", "x y", "a&b", "p=q", "50%", "日本", "😀", "+", "key.with.dots", "~/", '"', "0", "10", "\u2028"]
TEXTS = ["", "x", "a b", "1+1=2", "100%", "é😀", "<&>\"'", "line\nbreak", "\t", "]]>", "0", "true", "x" * 20, "日本語" * 7]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def form_value(rng, depth):
    """(value, [(rest of the name, text)])."""
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        text = rng.choice(TEXTS)
        return text, [("", text)]
    if kind < 0.7:
        texts = rng.choices(TEXTS, k=rng.randint(1, 3))
        return texts, [("[]", text) for text in texts]
    value, fields = {}, []
    for name in rng.sample([name for name in NAMES if not name.isdigit()], rng.randint(1, 3)):
        value[name], below = form_value(rng, depth - 1)
        fields += [(f"[{name}]{rest}", text) for rest, text in below]
    return value, fields


def form(rng):
    value, fields = {}, []
    for name in rng.sample(NAMES, rng.randint(0, 4)):
        value[name], below = form_value(rng, 3)
        fields += [(name + rest, text) for rest, text in below]
    quote = rng.choice([urllib.parse.quote, urllib.parse.quote_plus])
    return urllib.parse.urlencode(fields, quote_via=quote).encode(), compact(value)


def plist_value(rng, depth):
    """(value for plistlib, JSON text); floats have their shortest spelling in XML, and their exact value in binary lists."""
    kind = rng.randrange(11 if depth else 8)
    if kind == 0:
        number = rng.choice([0, 1, -1, 255, 256, 65536, 2**31, -2**31, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 - 1])
        return number, str(number)
    if kind == 1:
        number = rng.choice([0.5, -1.25, 1e300, 5e-324, 1.1, 123456789.125, rng.uniform(-1, 1), float(rng.getrandbits(40))])
        return number, number
    if kind == 2:
        flag = rng.random() < 0.5
        return flag, compact(flag)
    if kind == 3:
        moment = datetime.datetime(rng.randint(1, 9999), rng.randint(1, 12), rng.randint(1, 28), rng.randrange(24), 59, 7)
        return moment, compact(moment.isoformat() + "Z")
    if kind == 4:
        data = rng.randbytes(rng.choice([0, 1, 2, 3, 16, 100]))
        return data, compact(base64.b64encode(data).decode())
    if kind < 8:
        text = rng.choice(TEXTS)
        return text, compact(text)
    if kind == 8:
        items = [plist_value(rng, depth - 1) for _ in range(rng.choice([0, 1, 3, 17]))]
        return [item for item, _ in items], [text for _, text in items]
    names = rng.sample(NAMES, rng.randint(0, 4))
    rng.shuffle(names)
    items = {name: plist_value(rng, depth - 1) for name in names}
    return {name: item for name, (item, _) in items.items()}, {name: text for name, (_, text) in items.items()}


def text_of(value):
    if isinstance(value, dict):
        return "{" + ",".join(compact(name) + ":" + text_of(item) for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text_of, value)) + "]"
    if isinstance(value, float):
        assert math.isfinite(value)
        return repr(value)
    return value


def plist(rng):
    value, text = plist_value(rng, 4)
    layout = rng.choice([plistlib.FMT_XML, plistlib.FMT_BINARY])
    return plistlib.dumps(value, fmt=layout, sort_keys=False), text_of(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("format", choices=["form", "plist"])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.count):
        payload, text = (form if options.format == "form" else plist)(random.Random(seed))
        row = {"payload": payload, "json": text.encode()}
        print(json.dumps({name: base64.b64encode(data).decode() for name, data in row.items()}))


if __name__ == "__main__":
    main()
