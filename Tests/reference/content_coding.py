#!/usr/bin/env python3
"""Python's own gzip and zlib, for the tests of content coding.

    content_coding.py encode gzip|deflate|raw LEVEL < content > coded
    content_coding.py decode gzip|deflate|raw < coded > content
    content_coding.py begin gzip|deflate < start of coded > what of the content can be read from it
    content_coding.py judge gzip|deflate|raw < lines in hex > a line each: the content in hex, or - for what is refused

`deflate` is what HTTP calls so, the zlib format; `raw` is the deflate data alone. `decode` fails for anything that is not
one whole stream, except that gzip may have several members.
"""

import gzip
import sys
import zlib

WINDOW_BITS = {"gzip": 31, "deflate": 15, "raw": -15}


def encode(coding, level, content):
    if coding == "gzip":
        return gzip.compress(content, level, mtime=0)
    coder = zlib.compressobj(level, zlib.DEFLATED, WINDOW_BITS[coding])
    return coder.compress(content) + coder.flush()


def decode(coding, coded):
    if coding == "gzip":
        if not coded:
            raise EOFError
        return gzip.decompress(coded)
    decoder = zlib.decompressobj(WINDOW_BITS[coding])
    content = decoder.decompress(coded)
    if not decoder.eof or decoder.unused_data:
        raise EOFError
    return content


def judge(coding, lines):
    for line in lines:
        try:
            yield decode(coding, bytes.fromhex(line)).hex()
        except (EOFError, OSError, zlib.error):
            yield "-"


def main():
    action, coding, *rest = sys.argv[1:]
    given = sys.stdin.buffer.read()
    if action == "encode":
        result = encode(coding, int(rest[0]), given)
    elif action == "decode":
        result = decode(coding, given)
    elif action == "begin":
        result = zlib.decompressobj(WINDOW_BITS[coding]).decompress(given)
    else:
        result = "".join(line + "\n" for line in judge(coding, given.decode().splitlines())).encode()
    sys.stdout.buffer.write(result)


if __name__ == "__main__":
    main()
