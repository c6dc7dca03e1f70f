#!/usr/bin/env python3
"""Writes the JSON acceptance corpus: Fixtures/json/{y,n,i}_*.json, its decisions and the expected minified texts.

y_ files are JSON texts and must be accepted. n_ files are not JSON and must be refused. For i_ files RFC 8259 leaves the
choice to the parser: `decisions.json` contains our choice with its reason. `json-minified/` contains the output for each
accepted file.
The contents were written for this project; running the script again gives the same bytes.
"""

import json
import os
import shutil

from json_corpus_strings import STRINGS
from json_corpus_structure import STRUCTURE
from json_text import PayloadError, Writer, parse

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fixtures")


def python_accepts(data):
    """Whether the standard library accepts the text, without the constants that it adds to JSON."""
    def refuse(constant):
        raise ValueError(constant)

    try:
        json.loads(data.decode("utf-8-sig"), parse_constant=refuse)
        return True
    except (ValueError, RecursionError):
        return False


def write(directory, name, data):
    with open(os.path.join(FIXTURES, directory, name), "wb") as file:
        file.write(data)


def main():
    decisions = {}
    for directory in ("json", "json-minified"):
        shutil.rmtree(os.path.join(FIXTURES, directory), ignore_errors=True)
        os.makedirs(os.path.join(FIXTURES, directory))
    seen = set()
    for name, data, *decision in STRUCTURE + STRINGS:
        assert name not in seen, name
        seen.add(name)
        accepted = name.startswith("y_")
        if name.startswith("i_"):
            accepted, code, reason = decision
            decisions[name + ".json"] = {"accepted": accepted, "code": code, "reason": reason}
        write("json", name + ".json", data)
        try:
            minified = Writer().write(parse(data)).encode("utf-8")
        except PayloadError:
            minified = None
        assert (minified is not None) == accepted, name
        if not name.startswith("i_"):
            assert python_accepts(data) == accepted, name
        if accepted:
            write("json-minified", name + ".json", minified)
    write("json", "decisions.json", (json.dumps(decisions, indent=2, sort_keys=True) + "\n").encode())
    print(len(seen), "files")


if __name__ == "__main__":
    main()
