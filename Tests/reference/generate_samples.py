#!/usr/bin/env python3
"""Profiles, payloads and the reference's output for them: samples from which a profile is inferred, and others to test it.

    generate_samples.py --count N [--seed S] [--sections keys,rename] [--samples 20] [--others 20] > cases.ndjson

One profile a line: `profile` (text), `samples` and `others`, each a list of input and output (texts). It contains only
payloads that the profile converts without an error.
"""

import argparse
import json

from convert_reference import convert
from generate_pairs import LATER_SECTIONS, SECTIONS, Generator
from profile_rules import BadProfile, Profile

# The sections that a profile is mainly inferred for.
COMMON = ["keys", "rename", "dates", "values", "drop", "move"]
MAX_PAYLOADS = 20  # for each that is wanted


def case(seed, sections, samples, others):
    """The case of one seed; None if its profile does not load or refuses too many payloads."""
    generator = Generator(seed, sections)
    source = json.dumps(generator.profile(), ensure_ascii=False)
    try:
        profile = Profile(source)
    except BadProfile:
        return None
    pairs = []
    for _ in range(MAX_PAYLOADS * (samples + others)):
        data = generator.payload(False)
        output, _ = convert(profile, data)
        if output is None:
            continue
        pairs.append([data.decode(), output.decode()])
        if len(pairs) == samples + others:
            return {"profile": source, "samples": pairs[:samples], "others": pairs[samples:]}
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sections", default=",".join(COMMON), help="or all: " + ",".join(SECTIONS + LATER_SECTIONS))
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--others", type=int, default=20)
    options = parser.parse_args()
    sections = SECTIONS + LATER_SECTIONS if options.sections == "all" else options.sections.split(",")
    seed, made = options.seed, 0
    while made < options.count:
        found = case(seed, sections, options.samples, options.others)
        seed += 1
        if found:
            print(json.dumps(found))
            made += 1


if __name__ == "__main__":
    main()
