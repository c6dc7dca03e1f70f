import array
import copy
import gc
import inspect
import json
import mmap
import multiprocessing
import pickle
import re
import resource
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

import convert_json
from convert_json import ConvertError, Profile

from .support import root


class PackageTests(unittest.TestCase):
    camel = Profile({"keys": {"case": "camelCase", "from": "snake_case"}})

    def test_the_version_is_that_of_the_last_release(self) -> None:
        released = re.search(r"^## \[([\d.]+)\]", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
        assert released is not None
        self.assertEqual(convert_json.__version__, released[1])

    def test_profiles_and_payloads_may_be_texts_bytes_and_views(self) -> None:
        mapping = {"keys": "camelCase"}
        for document in ('{"keys":"camelCase"}', b'{"keys":"camelCase"}', mapping, MappingProxyType(mapping)):
            for payload in ('{"a_b":"é"}', '{"a_b":"é"}'.encode(), bytearray('{"a_b":"é"}'.encode())):
                self.assertEqual(Profile(document).convert(payload), '{"aB":"é"}'.encode())
        self.assertEqual(self.camel.convert(memoryview(b'x{"a_b":1}')[1:]), b'{"aB":1}')
        self.assertEqual(self.camel.convert(array.array("B", b'{"a_b":1}')), b'{"aB":1}')
        # A zero byte does not end a payload.
        with self.assertRaises(ConvertError):
            self.camel.convert(b'{"a_b":1}\0')

    def test_other_types_are_refused(self) -> None:
        values: list[Any] = [5, None, 1.5, True, [123, 125], {123}, Path("profile.json")]
        for value in values:
            expected = f"^expected str or bytes-like, found {type(value).__name__}$"
            for call in (self.camel.convert, self.camel.inverse, self.camel.converter().feed, Profile):
                with self.assertRaisesRegex(TypeError, expected):
                    call(value)
            with self.assertRaisesRegex(TypeError, expected):
                next(self.camel.stream([value]))
        document: Any = {"a_b": 1}
        with self.assertRaisesRegex(TypeError, r"^expected str or bytes-like, found dict: pass json\.dumps\(value\)$"):
            self.camel.convert(document)
        with self.assertRaisesRegex(TypeError, "not iterable"):
            self.camel.stream(document["a_b"])
        with self.assertRaises(UnicodeEncodeError):
            self.camel.convert('"\ud800"')

    def test_a_copy_of_a_profile_has_its_own_handle(self) -> None:
        profile = Profile({"keys": {"case": "camelCase", "from": "snake_case"}}, max_depth=2)
        profile.convert("{}")
        copies = [copy.copy(profile), copy.deepcopy(profile)]
        copies += [pickle.loads(pickle.dumps(profile, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        self.assertEqual(len({one._handle for one in [profile, *copies]}), len(copies) + 1)
        del profile
        gc.collect()
        for one in copies:
            self.assertEqual(one.inverse(b'{"aB":1}'), b'{"a_b":1}')
            with self.assertRaises(ConvertError):
                one.convert("[[[]]]")

    def test_a_profile_goes_to_another_process(self) -> None:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(self.camel.convert, (b'{"a_b":1}',)), b'{"aB":1}')

    def test_a_converter_is_not_copied(self) -> None:
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "make one with Profile.converter"):
                call(self.camel.converter())

    def test_long_output_is_complete(self) -> None:
        for count in (0, 1, 4_000, 70_000, 6_000_000):
            self.assertEqual(self.camel.convert('{"a_b":"%s"}' % ("x" * count)), b'{"aB":"%s"}' % (b"x" * count))

    def test_an_error_has_code_pointer_line_column_and_rule(self) -> None:
        profile = Profile({"dates": {"at": "/at", "from": "rfc3339"}})
        with self.assertRaises(ConvertError) as caught:
            profile.convert('{\n  "at": "yesterday"\n}')
        error = caught.exception
        self.assertEqual(
            (error.code, error.pointer, error.line, error.column, error.offset, error.rule),
            ("badValue", "/at", 2, 9, 10, "/dates"))
        self.assertEqual(str(error), "line 2, column 9: expected a date in the format rfc3339 (/at)")
        self.assertEqual(vars(pickle.loads(pickle.dumps(error))), vars(error))
        self.assertEqual(profile.convert('{"at":null}'), b'{"at":null}')

    def test_an_error_of_a_profile_has_all_its_errors_and_hints(self) -> None:
        with self.assertRaises(ConvertError) as caught:
            Profile('{\n "keys": "camelcase",\n "dates": "iso8601"}')
        error = caught.exception
        self.assertEqual((error.code, error.line, error.column, error.rule), ("profile", 2, 10, "/keys"))
        self.assertEqual([fault["line"] for fault in error.faults], [2, 3])
        self.assertIn("camelCase", error.hint or "")
        self.assertEqual(str(error), (
            "line 2, column 10: `camelcase` is not a valid value (/keys); did you mean `camelCase`? (and 1 more error)"))
        with self.assertRaisesRegex(ConvertError, "^line 1, column 1: expected an object, found an array; write "):
            Profile("[]")
        with self.assertRaisesRegex(ConvertError, r" \(and 2 more errors\)$"):
            Profile({"keys": "x", "dates": "x", "unwrap": "x"})

    def test_a_profile_without_an_inverse_converts_forward(self) -> None:
        profile = Profile({"keys": "camelCase"})
        self.assertEqual(profile.convert('{"a_b":1}'), b'{"aB":1}')
        with self.assertRaises(ConvertError) as caught:
            profile.inverse("{}")
        self.assertEqual(caught.exception.code, "profile")

    def test_a_stream_gives_output_before_its_end(self) -> None:
        pieces = iter([b'{"user_id":7,', b'"first_na', b'me":"Ada"}'])
        stream = self.camel.stream(pieces)
        self.assertTrue(next(stream).startswith(b'{"userId":7'))
        self.assertEqual(list(pieces), [b'"first_na', b'me":"Ada"}'])
        self.assertEqual(b"".join(self.camel.stream(['{"a_b":', "1}"])), b'{"aB":1}')
        text = b'{"a_b":1}'
        with mmap.mmap(-1, len(text)) as mapped:
            mapped[:] = text
            for payload in (text.decode(), text, bytearray(text), memoryview(text), array.array("b", text), mapped):
                # One piece: its output is one piece, too.
                self.assertEqual(list(self.camel.stream(payload)), [b'{"aB":1}'])
        # Also before the first piece of output is taken.
        with self.assertRaisesRegex(ValueError, "expected one of"):
            self.camel.stream([], "back")
        with self.assertRaises(ConvertError):
            Profile({"keys": "camelCase"}).stream([], "inverse")

    def test_a_converter_begins_again_after_an_end_an_error_and_a_reset(self) -> None:
        converter = self.camel.converter("inverse")
        for unfinished in ('{"aB":', '{"aB":]'):
            try:
                converter.feed(unfinished)
            except ConvertError:
                continue
            converter.reset()
        self.assertEqual(converter.finish('{"aB":1}'), b'{"a_b":1}')
        self.assertEqual(converter.finish('{"aB":2}'), b'{"a_b":2}')

    def test_output_of_an_interrupted_payload_does_not_go_into_the_next_one(self) -> None:
        def interrupt(*_: Any) -> None:
            raise InterruptedError

        payload = b'[{"a_b":1}' + b',{"a_b":1}' * 4_000_000 + b"]"
        converter = self.camel.converter()
        former = signal.signal(signal.SIGALRM, interrupt)
        try:
            for convert in (self.camel.convert, converter.finish, converter.feed):
                with self.assertRaises(InterruptedError):
                    signal.setitimer(signal.ITIMER_REAL, 0.01)
                    convert(payload)
                    signal.pause()
                self.assertEqual(self.camel.convert(b'{"c_d":2}') + converter.finish(b'{"c_d":2}'), b'{"cD":2}' * 2)
        finally:
            signal.signal(signal.SIGALRM, former)

    def test_bad_records_are_counted(self) -> None:
        profile = Profile({"records": {"onError": "skip"}, "dates": {"at": "at", "from": "rfc3339"}})
        converter = profile.converter(framing="lines")
        self.assertEqual(converter.finish('{"at":"x"}\n{"at":null}\n'), b'{"at":null}\n')
        self.assertEqual(converter.skipped_records, 1)

    def test_limits_are_those_of_the_profile(self) -> None:
        self.assertEqual(Profile({}, max_depth=2).convert("[[]]"), b"[[]]")
        with self.assertRaises(ConvertError) as caught:
            Profile({}, max_depth=2).convert("[[[]]]")
        self.assertEqual(caught.exception.code, "limit")
        with self.assertRaises(ConvertError) as caught:
            Profile({"output": {"sortKeys": True}}, max_held_bytes=1000).convert('{"a":"%s"}' % ("x" * 100_000))
        self.assertEqual(caught.exception.code, "limit")

    def test_limits_that_the_library_does_not_support_are_refused(self) -> None:
        nested = b"[" * 32_768 + b"]" * 32_768
        self.assertEqual(Profile({}, max_depth=32_768, max_held_bytes=sys.maxsize).convert(nested), nested)
        for depth in (-1, 32_769, 2**64 + 1):
            with self.assertRaisesRegex(ValueError, "^max_depth: expected a whole number from 0 to 32768$"):
                Profile({}, max_depth=depth)
        for count in (-1, 2**63, 2**64 + 1):
            with self.assertRaisesRegex(ValueError, "^max_held_bytes: expected a whole number from 0 to "):
                Profile({}, max_held_bytes=count)
        with self.assertRaises(TypeError):
            Profile({}, max_depth=1.5)  # type: ignore[arg-type]

    def test_a_check_reports_warnings_and_effects(self) -> None:
        report = Profile({"rename": {"/user_id": "id", "/nmae": "label"}}).check('{"user_id": 7, "name": "Ada"}')
        self.assertEqual(report["valid"], True)
        self.assertEqual(report["explanation"]["effects"][0]["out"], "/id")
        self.assertEqual(report["explanation"]["idleRules"][0]["pointer"], "/rename/~1nmae")
        self.assertNotIn("explanation", Profile({}).check())
        # More than the first buffer has room for.
        renames = {f"/key_{number}": f"label{number}" for number in range(500)}
        report = Profile({"rename": renames}).check("{}")
        self.assertEqual(len(report["explanation"]["idleRules"]), 500)

    def test_unknown_directions_and_framings_are_refused(self) -> None:
        for call in (lambda: self.camel.converter("back"), lambda: self.camel.convert("{}", framing="csv")):
            with self.assertRaisesRegex(ValueError, "expected one of"):
                call()

    def test_threads_share_a_profile_and_a_converter(self) -> None:
        profile = Profile({"keys": {"case": "camelCase", "from": "snake_case"}})
        converter = profile.converter()
        failures: list[str] = []

        def work(number: int) -> None:
            rest = b",1" * 5000 + b"]}"
            for _ in range(200):
                if profile.convert(b'{"user_id":[%d' % number + rest) != b'{"userId":[%d' % number + rest:
                    failures.append("convert")
                if profile.inverse(b'{"aB":%d}' % number) != b'{"a_b":%d}' % number:
                    failures.append("inverse")
                if converter.finish(b'{"a_b":%d}' % number) != b'{"aB":%d}' % number:
                    failures.append("converter")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_memory_is_freed_with_its_objects(self) -> None:
        def use(rounds: int) -> int:
            for _ in range(rounds):
                profile = Profile({"keys": "camelCase", "rename": {f"key_{number}": "x" for number in range(50)}})
                profile.convert('{"a_b":1}')
                profile.converter().feed("[")
            gc.collect()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        self.assertLess(use(3000) - use(1500), 8 << 10)

    def test_the_examples_of_the_documentation_print_the_documented_output(self) -> None:
        text = (root / "docs/c-and-python.md").read_text() + (root / "bindings/python/README.md").read_text()
        examples = re.findall(r"^```py\n(.*?)^```\n\n```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(examples), 3)
        for code, expected in examples:
            result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
            self.assertEqual(result.stdout, expected, result.stderr)

    def test_the_types_of_all_public_functions_are_known_when_the_program_runs(self) -> None:
        members = [
            member.fget if isinstance(member, property) else member
            for owner in (convert_json.Converter, Profile, ConvertError) for name, member in vars(owner).items()
            if name == "__init__" or not name.startswith("_")]
        functions = [member for member in members if inspect.isfunction(member)]
        self.assertGreaterEqual(len(functions), 12)
        for function in functions:
            self.assertIn("return", get_type_hints(function), function.__qualname__)

    def test_numbers_keep_every_digit(self) -> None:
        self.assertEqual(self.camel.convert('{"a_b":12345678901234567890.10}'), b'{"aB":12345678901234567890.10}')
        self.assertEqual(json.loads(self.camel.convert('{"a_b":1}')), {"aB": 1})
