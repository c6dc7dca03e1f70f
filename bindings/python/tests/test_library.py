"""The library without the package: its header, its symbols, the C example, and buffers of any size."""

import ctypes
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import convert_json
from convert_json import _library

from .support import root

library = Path(convert_json.__file__).with_name("libconvert.so")
header = root / "Sources/ConvertLibrary/convert.h"


def run(*words: object, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([str(word) for word in words], input=data, capture_output=True)


class LibraryTests(unittest.TestCase):
    def test_the_header_is_c99_and_cpp_and_declares_the_exported_functions(self) -> None:
        for compiler in (["cc", "-x", "c", "-std=c99"], ["c++", "-x", "c++", "-std=c++98", "-Wno-long-long"]):
            result = run(*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", header)
            self.assertEqual((result.returncode, result.stderr), (0, b""))
        declared = re.findall(r"\b(convert_\w+)\(", re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL))
        symbols = run("nm", "-D", "--defined-only", library).stdout.decode().split("\n")
        self.assertEqual(sorted(line.split()[-1] for line in symbols if line), sorted(declared))

    def test_the_library_needs_only_the_c_library(self) -> None:
        needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", library).stdout.decode())
        self.assertLessEqual(set(needed), {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"})

    def test_the_c_example_converts_in_both_directions_and_reports_errors(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            program = directory / "convert"
            built = run(
                "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", header.parent, root / "examples/c/convert.c", library,
                f"-Wl,-rpath,{library.parent}", "-o", program)
            self.assertEqual((built.returncode, built.stderr), (0, b""))
            profile = directory / "profile.json"
            profile.write_text('{"keys":{"case":"camelCase","from":"snake_case"}}')
            for count in (1, 1_000, 300_000):
                value = b'{"user_id":[%s]}' % b",".join([b"1"] * count)
                forward = run(program, profile, data=value)
                self.assertEqual((forward.returncode, forward.stdout), (0, value.replace(b"user_id", b"userId")))
                self.assertEqual(run(program, profile, "inverse", data=forward.stdout).stdout, value)
            failed = run(program, profile, data=b"[1,\n]")
            self.assertEqual((failed.returncode, json.loads(failed.stderr)["line"]), (1, 2))
            profile.write_text('{"keys":"kamelCase"}')
            failed = run(program, profile, data=b"[]")
            self.assertEqual((failed.returncode, json.loads(failed.stderr)["code"]), (1, "profile"))

    def test_the_example_of_the_documentation_prints_the_documented_output(self) -> None:
        text = (root / "docs/c-and-python.md").read_text()
        example = re.search(r"^```c\n(.*?)^```\n\n```text\n(.*?)\n```", text, re.MULTILINE | re.DOTALL)
        assert example is not None
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "example"
            built = run("cc", "-Wall", "-Wextra", "-Werror", "-I", header.parent, "-x", "c", "-", "-x", "none", library,
                        f"-Wl,-rpath,{library.parent}", "-o", program, data=example[1].encode())
            self.assertEqual(built.stderr, b"")
            self.assertEqual(run(program).stdout.decode(), example[2])

    def test_texts_are_cut_at_the_capacity_and_their_whole_length_is_returned(self) -> None:
        check, new = _library._library.convert_check, _library._library.convert_profile_new
        handle = ctypes.c_void_p(1)
        whole = ctypes.create_string_buffer(b"?" * 4000)
        length = new(b"{]", 2, 0, 0, ctypes.byref(handle), whole, 4000)
        self.assertEqual((handle.value, json.loads(whole.raw[:length])["code"]), (None, "profile"))
        for capacity in (0, 1, length - 1, length):
            part = ctypes.create_string_buffer(b"?" * 4000)
            self.assertEqual(new(b"{]", 2, 0, 0, ctypes.byref(handle), part, capacity), length)
            self.assertEqual(part.raw[:capacity], whole.raw[:capacity])
            self.assertEqual(part.raw[capacity : capacity + 9], b"?" * 9)
        self.assertEqual(new(b"{]", 2, 0, 0, ctypes.byref(handle), None, 0), length)
        self.assertGreater(check(b"{}", 2, None, 0, 0, None, 0), 2)

    def test_the_largest_sizes_are_no_limit(self) -> None:
        largest = ctypes.c_size_t(-1).value
        converter = _library.new_converter(_library.new_profile(b'{"output":{"sortKeys":true}}', largest, largest), 0, 0)
        read = _library._library.convert_read
        nested = b"[" * 600 + b"]" * 600
        buffer = ctypes.create_string_buffer(2000)
        self.assertEqual(_library.finish(converter, nested, len(nested)), 1200)
        self.assertEqual((read(converter, ctypes.addressof(buffer), largest), buffer.raw[:1200]), (1200, nested))
        length = _library._library.convert_check(b"{}", 2, None, 0, 0, buffer, largest)
        self.assertTrue(json.loads(buffer.raw[:length])["valid"])

    def test_output_that_was_not_read_stays_and_an_error_replaces_it(self) -> None:
        converter = _library.new_converter(_library.new_profile(b'{"keys":"camelCase"}', 0, 0), 0, 0)
        read = _library._library.convert_read
        buffer = ctypes.create_string_buffer(8)
        address = ctypes.addressof(buffer)
        self.assertEqual(_library.finish(converter, b'{"a_b":1}', 9), 8)
        self.assertEqual((read(converter, address, 3), buffer.raw[:3]), (3, b'{"a'))
        self.assertEqual(_library.finish(converter, b"[]", 2), 7)
        self.assertEqual((read(converter, address, 8), buffer.raw[:7], read(converter, address, 8)), (7, b'B":1}[]', 0))
        self.assertEqual(_library.finish(converter, b"[1]", 3), 3)
        self.assertLess(_library.finish(converter, b"[}", 2), -8)
        self.assertEqual((read(converter, address, 8), buffer.raw), (8, b'{"code":'))
        # The rest of the error is not part of the next output.
        self.assertEqual(_library.finish(converter, b"[2]", 3), 3)
        self.assertEqual((read(converter, address, 8), buffer.raw[:3]), (3, b"[2]"))
        _library.feed(converter, b"[", 1)
        _library.reset(converter)
        self.assertEqual(_library.finish(converter, None, 0) < 0, True)
        _library.free_converter(converter)
        _library.free_converter(None)
        _library.free_profile(None)
