"""Checks that convert.schema.json accepts and refuses the same configurations as the program does in its tests."""

import json
import pathlib
import sys

import jsonschema

project = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((project / "convert.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
errors = []
for folder, is_valid in [("accepted", True), ("refused", False), ("refused-by-meaning", True)]:
    files = sorted((project / "Tests/Fixtures/configuration" / folder).glob("*.json"))
    if not files:
        errors.append(f"{folder}: there are no configurations")
    for file in files:
        if validator.is_valid(json.loads(file.read_text())) != is_valid:
            errors.append(f"{file}: the schema {'refuses' if is_valid else 'accepts'} it")
for file in sorted(project.glob("examples/**/convert*.json")) + sorted(project.glob("deploy/**/convert*.json")):
    errors += [f"{file}: {error.message}" for error in validator.iter_errors(json.loads(file.read_text()))]
print("\n".join(errors), end="\n" if errors else "")
sys.exit(1 if errors else 0)
