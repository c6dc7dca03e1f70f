#!/usr/bin/env python3
"""The verdict of the profiles' JSON Schema on the rows of `Fixtures/profile-schema/rows.json`, and on small changes of them.

Prints a JSON line for each: the profile's text, whether the schema accepts it, whether `openapi.yaml` accepts it and, if
the row says so, whether it is a valid profile.
"""

import copy
import json
import pathlib

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).parents[2]
ROWS = ROOT / "Tests/Fixtures/profile-schema/rows.json"
STRANGERS = [None, True, 0, -1, 1, 1.5, "", "x", "/a", "/a/*", "/**", "~", [], {}, ["a"], [1], {"a": 1}]


def places(value, path=()):
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in steps:
        yield from places(child, path + (step,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def near_misses(profile):
    """The profile with another value at each path, without each value, and with an unknown key in each object."""
    for path in places(profile):
        for stranger in STRANGERS:
            if path:
                changed = copy.deepcopy(profile)
                at(changed, path[:-1])[path[-1]] = stranger
                yield changed
        if path:
            changed = copy.deepcopy(profile)
            del at(changed, path[:-1])[path[-1]]
            yield changed
        if isinstance(at(profile, path), dict):
            changed = copy.deepcopy(profile)
            at(changed, path)["unheardOf"] = 1
            yield changed


def main():
    schema = json.loads((ROOT / "profile.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    description = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))
    described = jsonschema.Draft202012Validator(description | {"$ref": "#/components/schemas/ProfileDocument"})
    rows = json.loads(ROWS.read_text("utf-8"))
    printed = set()

    def show(text, said=None, unseen=False):
        if text not in printed:
            printed.add(text)
            profile = json.loads(text)
            row = {"isTaken": validator.is_valid(profile), "isDescribed": described.is_valid(profile)}
            print(json.dumps(row | {"profile": text, "isProfile": said, "isUnseen": unseen}))

    for profile in rows["good"]:
        show(json.dumps(profile), True)
    for profile in rows["bad"]:
        show(json.dumps(profile), False)
    for row in rows["badUnseen"]:
        show(row["text"], False, True)
    for profile in rows["good"]:
        for changed in near_misses(profile):
            show(json.dumps(changed))


if __name__ == "__main__":
    main()
