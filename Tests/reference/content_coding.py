#!/usr/bin/env python3
"""Python's own gzip and zlib, for the tests of content coding.

    content_coding.py encode gzip|deflate|raw LEVEL < content > coded
    content_coding.py decode gzip|deflate < coded > content

`encode` writes what is called deflate in HTTP, the zlib format; raw is the deflate data alone. `decode` fails for anything
that is not whole.
"""

import gzip
import sys
import zlib


def encode(coding, level, content):
    if coding == "gzip":
        return gzip.compress(content, level, mtime=0)
    if coding == "deflate":
        return zlib.compress(content, level)
    coder = zlib.compressobj(level, zlib.DEFLATED, -15)
    return coder.compress(content) + coder.flush()


def decode(coding, coded):
    return gzip.decompress(coded) if coding == "gzip" else zlib.decompress(coded)


def main():
    action, coding, *rest = sys.argv[1:]
    content = sys.stdin.buffer.read()
    result = encode(coding, int(rest[0]), content) if action == "encode" else decode(coding, content)
    sys.stdout.buffer.write(result)


if __name__ == "__main__":
    main()
