"""Runs the cases of `Fixtures/transform`, which were written by hand, with the reference."""

import json
import pathlib
import unittest

import convert_reference
from json_text import pointer
from profile_rules import Profile

FIXTURES = pathlib.Path(__file__).parents[1] / "Fixtures/transform"


def runs_backwards(case):
    return case.name.startswith("inverse-")


class FixtureTest(unittest.TestCase):
    def test_every_case_has_its_expected_outcome(self):
        cases = sorted(path.parent for path in FIXTURES.glob("*/profile.json"))
        self.assertGreaterEqual(len(cases), 250)
        for case in cases:
            profile = (case / "profile.json").read_text("utf-8")
            with self.subTest(case.name):
                self.check(case, Profile(profile))

    def check(self, case, profile):
        lines = (case / "input.ndjson").exists()
        ending = "ndjson" if lines else "json"
        payload = (case / f"input.{ending}").read_bytes()
        if runs_backwards(case):
            output, errors = convert_reference.invert(profile, payload)
        else:
            output, errors = convert_reference.convert(profile, payload, lines)
        if (case / f"expected.{ending}").exists():
            self.assertEqual(output, (case / f"expected.{ending}").read_bytes())
            return
        expected = json.loads((case / "expected-error.json").read_text("utf-8"))
        self.assertIsNone(output)
        found = [{"code": code, "pointer": pointer(path)} for code, path in errors.certain]
        if "pointer" not in expected:
            found = [{"code": error["code"]} for error in found]
        self.assertIn(expected, found)


if __name__ == "__main__":
    unittest.main()
