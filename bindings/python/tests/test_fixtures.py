import random
import unittest

from convert_json import Profile

from .support import cases, outcome


class FixtureTests(unittest.TestCase):
    def test_there_are_as_many_cases_as_files(self) -> None:
        self.assertGreaterEqual(len(cases()), 450)

    def test_every_case_has_its_expected_outcome_byte_for_byte(self) -> None:
        for case in cases():
            with self.subTest(case.name):
                profile = Profile(case.profile)
                call = profile.convert if case.direction == "forward" else profile.inverse
                result = outcome(lambda: call(case.input, framing=case.framing))
                if case.output is not None:
                    self.assertEqual(result, case.output)
                else:
                    self.assertEqual({name: result[name] for name in case.error}, case.error)

    def test_every_case_has_the_same_outcome_byte_by_byte_and_in_random_cuts(self) -> None:
        numbers = random.Random(4)
        for case in cases():
            converter = Profile(case.profile).converter(case.direction, framing=case.framing)
            whole = outcome(lambda: converter.finish(case.input))
            length = len(case.input)
            cuts = [list(range(length))] + [sorted(numbers.choices(range(length + 1), k=4)) for _ in range(8)]
            for cut in cuts:
                ends = [*cut, length]
                pieces = [case.input[start:end] for start, end in zip([0, *cut], ends)]
                result = outcome(lambda: b"".join([converter.feed(piece) for piece in pieces] + [converter.finish()]))
                self.assertEqual(result, whole, f"{case.name} cut at {cut}")
