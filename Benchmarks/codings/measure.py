#!/usr/bin/env python3
"""Measures the compressions on documents without white space, as responses are. Prints a table for each document.

    measure.py DIRECTORY    builds the program and writes the documents there

The documents come from $CONVERT_CORPUS or from ../shared/corpus: one event of github_events.json of about 1 KB,
payload_7944.json, a fifth of twitter.json, twitter.json and canada.json. Needs a C compiler, zlib, brotli and zstd.
"""

import json
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).with_name("codings.c")
LIBRARIES = ["-lz", "-lzstd", "-lbrotlienc", "-lbrotlicommon"]


def documents(corpus):
    def read(name):
        return json.loads((corpus / name).read_text())

    twitter = read("twitter.json")
    statuses = twitter["statuses"]
    yield "event.json", min(read("github_events.json"), key=lambda event: abs(len(minified(event)) - 1100))
    yield "payload_7944.json", read("payload_7944.json")
    yield "twitter_fifth.json", {"statuses": statuses[: len(statuses) // 5]}
    yield "twitter.json", twitter
    yield "canada.json", read("canada.json")


def minified(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def main():
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / "codings"
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", SOURCE, "-o", program, *LIBRARIES], check=True)
    files = []
    for name, value in documents(pathlib.Path(os.environ.get("CONVERT_CORPUS", "../shared/corpus"))):
        (directory / name).write_bytes(minified(value))
        files.append(directory / name)
    subprocess.run([program, *files], check=True)


if __name__ == "__main__":
    main()
