#!/usr/bin/env python3
"""Profiles, payloads and the reference's output for them: samples from which a profile is inferred, and others to test it.

    generate_samples.py --count N [--seed S] > cases.ndjson

One profile a line: `profile` (text), `samples` and `others`, each a list of input and output (texts). It contains only
payloads that the profile converts without an error.
"""

import argparse
import json

from convert_reference import convert
from generate_pairs import Generator
from profile_rules import BadProfile, Profile

# The sections that a profile is mainly inferred for.
SECTIONS = ["keys", "rename", "dates", "values", "drop", "move"]
SAMPLES = 20
OTHERS = 20
MAX_PAYLOADS = 20 * (SAMPLES + OTHERS)


def case(seed):
    """The case of one seed; None if its profile does not load or refuses too many payloads."""
    generator = Generator(seed, SECTIONS)
    source = json.dumps(generator.profile(), ensure_ascii=False)
    try:
        profile = Profile(source)
    except BadProfile:
        return None
    pairs = []
    for _ in range(MAX_PAYLOADS):
        data = generator.payload(False)
        output, _ = convert(profile, data)
        if output is None:
            continue
        pairs.append([data.decode(), output.decode()])
        if len(pairs) == SAMPLES + OTHERS:
            return {"profile": source, "samples": pairs[:SAMPLES], "others": pairs[SAMPLES:]}
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seed, made = options.seed, 0
    while made < options.count:
        found = case(seed)
        seed += 1
        if found:
            print(json.dumps(found))
            made += 1


if __name__ == "__main__":
    main()
