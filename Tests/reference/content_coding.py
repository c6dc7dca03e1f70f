#!/usr/bin/env python3
"""Decoders and encoders of content codings from other projects, for the tests.

    content_coding.py encode gzip|deflate|raw LEVEL < content > coded
    content_coding.py decode gzip|deflate|raw|br|zstd < coded > content
    content_coding.py begin gzip|deflate|br|zstd < start of coded > the part of the content that it decodes to
    content_coding.py judge gzip|deflate|raw < lines in hex > one line for each: the content in hex, or - if it is refused

`deflate` has its HTTP meaning, the zlib format; `raw` is the deflate data alone. `decode` fails for anything that is not
one complete stream, except that gzip may have several members. Python itself has gzip and zlib; the system's libraries decode
`br` and `zstd`.
"""

import ctypes
import gzip
import sys
import zlib

WINDOW_BITS = {"gzip": 31, "deflate": 15, "raw": -15}
PORTION_BYTES = 64 * 1024


def library(name):
    """A shared library whose functions return pointers or sizes, as the functions used here do."""
    loaded = ctypes.CDLL(name)

    def function(symbol):
        called = getattr(loaded, symbol)
        called.restype = ctypes.c_size_t
        return called

    return function


class Brotli:
    """Reads one stream of RFC 7932 piece by piece."""

    SUCCESS, NEEDS_INPUT, NEEDS_OUTPUT = 1, 2, 3

    def __init__(self):
        functions = library("libbrotlidec.so.1")
        self.advance = functions("BrotliDecoderDecompressStream")
        self.advance.restype = ctypes.c_int
        self.state = ctypes.c_void_p(functions("BrotliDecoderCreateInstance")(None, None, None))
        self.eof = False
        self.unused_data = b""

    def decompress(self, coded):
        given = ctypes.create_string_buffer(coded, len(coded))
        next_in = ctypes.c_void_p(ctypes.addressof(given))
        left = ctypes.c_size_t(len(coded))
        portion = ctypes.create_string_buffer(PORTION_BYTES)
        content = b""
        while True:
            next_out = ctypes.c_void_p(ctypes.addressof(portion))
            room = ctypes.c_size_t(PORTION_BYTES)
            result = self.advance(
                self.state, ctypes.byref(left), ctypes.byref(next_in), ctypes.byref(room), ctypes.byref(next_out), None
            )
            content += portion.raw[: PORTION_BYTES - room.value]
            if result not in (self.SUCCESS, self.NEEDS_INPUT, self.NEEDS_OUTPUT):
                raise EOFError
            # It may ask for input although it has not yet returned all decoded bytes.
            if result != self.SUCCESS and room.value == 0:
                continue
            self.eof = result == self.SUCCESS
            self.unused_data = coded[len(coded) - left.value :]
            return content


class Zstandard:
    """Reads one frame of RFC 8878 piece by piece, within the window that HTTP allows (RFC 9659)."""

    MAX_WINDOW_BITS = 23
    WINDOW_LOG_MAX = 100

    class Buffer(ctypes.Structure):
        _fields_ = [("bytes", ctypes.c_void_p), ("size", ctypes.c_size_t), ("position", ctypes.c_size_t)]

    def __init__(self):
        functions = library("libzstd.so.1")
        self.advance = functions("ZSTD_decompressStream")
        self.is_error = functions("ZSTD_isError")
        self.stream = ctypes.c_void_p(functions("ZSTD_createDStream")())
        functions("ZSTD_DCtx_setParameter")(self.stream, self.WINDOW_LOG_MAX, self.MAX_WINDOW_BITS)
        self.eof = False
        self.unused_data = b""

    def decompress(self, coded):
        given = ctypes.create_string_buffer(coded, len(coded))
        source = self.Buffer(ctypes.addressof(given), len(coded), 0)
        portion = ctypes.create_string_buffer(PORTION_BYTES)
        content = b""
        while not self.eof:
            target = self.Buffer(ctypes.addressof(portion), PORTION_BYTES, 0)
            left = self.advance(self.stream, ctypes.byref(target), ctypes.byref(source))
            if self.is_error(ctypes.c_size_t(left)):
                raise EOFError
            content += portion.raw[: target.position]
            self.eof = left == 0
            if source.position == len(coded) and target.position < PORTION_BYTES:
                break
        self.unused_data = coded[source.position :]
        return content


def decoder(coding):
    if coding == "br":
        return Brotli()
    if coding == "zstd":
        return Zstandard()
    return zlib.decompressobj(WINDOW_BITS[coding])


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
    reader = decoder(coding)
    content = reader.decompress(coded)
    if not reader.eof or reader.unused_data:
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
        result = decoder(coding).decompress(given)
    else:
        result = "".join(line + "\n" for line in judge(coding, given.decode().splitlines())).encode()
    sys.stdout.buffer.write(result)


if __name__ == "__main__":
    main()
