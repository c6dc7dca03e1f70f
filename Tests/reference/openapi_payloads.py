"""Payloads and rewritten descriptions: what fits the one before the profile fits the other after it.

For each description and profile, `convert-server openapi` rewrites the description. Then random payloads that fit the original
schemas of responses are converted, and must fit the rewritten ones. Random payloads that fit the rewritten schemas of
requests are converted backwards, and must fit the original ones. jsonschema decides what fits.

    python3 Tests/reference/openapi_payloads.py PROGRAM --seed 1 --schemas 200

It makes random schemas, and uses the profiles of examples/profiles and its own.
"""

import sys

# This directory has a module `selectors`, which would hide Python's own.
sys.path = [path for path in sys.path if not path.endswith("reference")]

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile

import jsonschema
import referencing
import referencing.jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

checker = jsonschema.FormatChecker(formats=())


@checker.checks("date-time")
def is_date_time(value):
    if not isinstance(value, str):
        return True
    return re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", value) is not None


@checker.checks("date")
def is_date(value):
    return not isinstance(value, str) or re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None


@checker.checks("uuid")
def is_uuid(value):
    return not isinstance(value, str) or re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value) is not None


def plain(schema, inside=True):
    """OpenAPI 3.0's dialect as JSON Schema: `nullable` and boolean limits."""
    if isinstance(schema, list):
        return [plain(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(schema.get("$ref"), str):
        return {"$ref": schema["$ref"]}
    result = {key: plain(value) for key, value in schema.items() if key not in ("example", "default", "discriminator", "xml")
              or isinstance(value, dict) and "type" in value}
    if schema.get("nullable") is True:
        del result["nullable"]
        if isinstance(schema.get("type"), str):
            result["type"] = [schema["type"], "null"]
    for name, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(name), bool):
            del result[name]
            if schema[name] and limit in result:
                result[name] = result.pop(limit)
    return result


class Description:
    """A description, whose parts are validated with all references followed."""

    def __init__(self, document):
        self.document = document
        shown = plain(document) if str(document.get("openapi", "")).startswith("3.0") else document
        self.shown = shown
        resource = referencing.Resource(contents=shown, specification=referencing.jsonschema.DRAFT202012)
        self.registry = referencing.Registry().with_resource("doc:", resource)
        self.validators = {}

    def validator(self, pointer):
        if pointer not in self.validators:
            reference = "doc:#" + "".join("/" + escaped(step) for step in pointer)
            self.validators[pointer] = jsonschema.Draft202012Validator(
                {"$ref": reference}, registry=self.registry, format_checker=checker)
        return self.validators[pointer]

    def at(self, pointer):
        value = self.shown
        for step in pointer:
            value = value[step]
        return value

    def resolved(self, schema):
        for _ in range(30):
            if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
                return schema
            value = self.shown
            for step in schema["$ref"][1:].split("/")[1:]:
                step = re.sub("%([0-9a-fA-F]{2})", lambda m: chr(int(m[1], 16)), step)
                step = step.replace("~1", "/").replace("~0", "~")
                value = value[int(step)] if isinstance(value, list) else value[step]
            schema = value
        return True


def escaped(step):
    text = step.replace("~", "~0").replace("/", "~1")
    return "".join(c if c.isalnum() and c.isascii() or c in "-._~!$&'()*+,;=:@" else
                   "".join("%%%02X" % byte for byte in c.encode()) for c in text)


class Payloads:
    """Random instances of the schemas of a description. Not all of them fit: jsonschema decides."""

    WORDS = ["", "x", "a_b", "Ada Lovelace", "snake_case", "2024-07-14", "é"]

    def __init__(self, description, seed, names):
        self.description = description
        self.names = names
        self.random = random.Random(seed)

    def make(self, schema, depth=0):
        choose = self.random
        schema = self.description.resolved(schema)
        if schema is True or schema is False or not isinstance(schema, dict):
            return choose.choice([None, True, 1, "x"])
        if "const" in schema:
            return schema["const"]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return choose.choice(schema["enum"])
        merged = dict(schema)
        for part in schema.get("allOf", []):
            merged = self.merge(merged, self.description.resolved(part), depth)
        for name in ("anyOf", "oneOf"):
            if merged.get(name):
                choice = self.description.resolved(choose.choice(merged[name]))
                rest = {key: value for key, value in merged.items() if key != name}
                return self.make(self.merge(rest, choice, depth), depth + 1)
        kinds = merged.get("type")
        if isinstance(kinds, list):
            kinds = choose.choice(kinds)
        if kinds is None:
            if "properties" in merged or "required" in merged or "additionalProperties" in merged:
                kinds = "object"
            elif "items" in merged or "prefixItems" in merged:
                kinds = "array"
            elif "format" in merged or "pattern" in merged or "minLength" in merged:
                kinds = "string"
            else:
                return choose.choice([None, True, 1, 1.5, "x"])
        if depth > 12:
            return {} if kinds == "object" else [] if kinds == "array" else self.scalar(kinds, merged)
        if kinds == "object":
            return self.object(merged, depth)
        if kinds == "array":
            return self.array(merged, depth)
        return self.scalar(kinds, merged)

    def merge(self, schema, other, depth):
        if not isinstance(other, dict):
            return schema
        result = dict(schema)
        for part in other.get("allOf", []) if depth < 12 else []:
            result = self.merge(result, self.description.resolved(part), depth + 1)
        for key, value in other.items():
            if key == "properties":
                result[key] = {**value, **result.get(key, {})}
            elif key == "required" and isinstance(value, list):
                result[key] = list(result.get(key, [])) + value
            elif key != "allOf":
                result.setdefault(key, value)
        return result

    def object(self, schema, depth):
        choose = self.random
        required = schema.get("required") if isinstance(schema.get("required"), list) else []
        result = {}
        properties = schema.get("properties", {})
        for name, part in properties.items():
            if name in required or choose.random() < (0.8 if depth < 3 else 0.3 if depth < 6 else 0):
                result[name] = self.make(part, depth + 1)
        for name in required:
            if name not in result:
                result[name] = self.make(properties.get(name, True), depth + 1)
        additional = schema.get("additionalProperties")
        if isinstance(additional, dict) and depth < 5:
            for name in choose.sample(self.names, 2):
                if name not in properties:
                    result[name] = self.make(additional, depth + 1)
        return result

    def array(self, schema, depth):
        least = schema.get("minItems", 0)
        most = min(schema.get("maxItems", least + 3), least + 3)
        count = self.random.randint(least, max(most, least)) if depth < 6 else least
        first = schema.get("prefixItems", [])
        return [self.make(first[i] if i < len(first) else schema.get("items", True), depth + 1) for i in range(count)]

    def scalar(self, kind, schema):
        choose = self.random
        if kind == "null":
            return None
        if kind == "boolean":
            return choose.random() < 0.5
        if kind in ("integer", "number"):
            low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
            high = schema.get("maximum", schema.get("exclusiveMaximum", low + 2_000_000_000))
            value = choose.randint(int(low), max(int(high), int(low)))
            return value if kind == "integer" or choose.random() < 0.5 else value + 0.5
        form = schema.get("format")
        if form == "date-time":
            return "20%02d-%02d-%02dT%02d:%02d:%02d%s" % (
                choose.randint(0, 40), choose.randint(1, 12), choose.randint(1, 28), choose.randint(0, 23),
                choose.randint(0, 59), choose.randint(0, 59), choose.choice(["Z", "+02:00", ".250Z", "-05:30"]))
        if form == "date":
            return "20%02d-%02d-%02d" % (choose.randint(0, 40), choose.randint(1, 12), choose.randint(1, 28))
        if form == "uuid":
            return "%08X-1111-4111-8111-%012x" % (choose.getrandbits(32), choose.getrandbits(48))
        if form in ("uri", "url"):
            return "https://www.example.com/a?b=1"
        if form == "uri-reference":
            return "/a/b"
        text = choose.choice(self.WORDS)
        return text.ljust(schema.get("minLength", 0), "x")[:schema.get("maxLength", 1000)]


def bodies(document):
    """The schemas of JSON bodies: the pointer, and whether it is a response."""
    for path, item in document.get("paths", {}).items():
        for method in METHODS:
            operation = item.get(method) if isinstance(item, dict) else None
            if not isinstance(operation, dict):
                continue
            found = []
            for status, response in operation.get("responses", {}).items():
                if isinstance(response, dict) and "$ref" not in response and status.startswith("2"):
                    found.append((response, ("responses", status), True))
            body = operation.get("requestBody")
            if isinstance(body, dict) and "$ref" not in body:
                found.append((body, ("requestBody",), False))
            for value, place, is_response in found:
                for kind, media in (value.get("content") or {}).items():
                    essence = kind.split(";")[0].strip().lower()
                    if isinstance(media, dict) and "schema" in media and (
                            essence == "application/json" or essence.endswith("+json") and "patch" not in essence):
                        yield ("paths", path, method) + place + ("content", kind, "schema"), is_response


class Check:
    def __init__(self, program, count, seed):
        self.program = program
        self.count = count
        self.seed = seed
        self.counts = collections.Counter()
        self.failures = []

    def convert(self, profile, direction, payloads):
        """The payloads after the profile; None for each that it refuses."""
        lines = "".join(json.dumps(payload) + "\n" for payload in payloads)
        run = subprocess.run(
            [self.program, "convert", "-p", profile, "--direction", direction, "--ndjson", "--on-error", "null"],
            input=lines.encode(), capture_output=True)
        if run.returncode != 0:
            return None, run.stderr.decode()
        return [json.loads(line) for line in run.stdout.decode().split("\n") if line], run.stderr.decode()

    def rewrite(self, profile, path, *options):
        return subprocess.run(
            [self.program, "openapi", "-p", profile, *options, path], capture_output=True, text=True)

    def document(self, path, profile):
        """Checks all bodies of one description under a profile."""
        run = self.rewrite(profile, path)
        if run.returncode != 0:
            reason = run.stderr.strip().split("\n")[-1]
            self.counts["refused"] += 1
            self.counts["refused: " + re.sub(r"^.*?: openapi: ", "", re.sub(r"\(.*?\)", "", reason))[:100].strip()] += 1
            return
        self.counts["rewritten"] += 1
        original = Description(json.load(open(path)))
        rewritten = Description(json.loads(run.stdout))
        if "openapi" in original.document:
            pairs = list(bodies(original.document))
        else:
            pairs = [((), True)]
        # Keys that the profile cannot restore are said in warnings.
        restores = "clients cannot send" not in run.stderr and has_inverse(profile)
        restores = restores and not WEAKENED.search(json.dumps(original.shown))
        for pointer, is_response in pairs[:60]:
            name = f"{os.path.basename(path)} {os.path.basename(profile)} {'/'.join(pointer)}"
            if is_response:
                self.pair(name, original, rewritten, pointer, profile, "forward")
            elif restores:
                self.pair(name, rewritten, original, pointer, profile, "inverse")

    def pair(self, name, source, target, pointer, profile, direction):
        # Backwards, keys that no rule knows are spelled alike on both sides.
        names = ["extra_key", "otherKey", "created_at", "zz"] if direction == "forward" else ["zz", "extra", "more"]
        payloads = Payloads(source, f"{self.seed} {name}", names)
        schema, fits = source.at(pointer), source.validator(pointer)
        instances = []
        try:
            for _ in range(self.count):
                instance = payloads.make(schema)
                if instance is not None and fits.is_valid(instance):
                    instances.append(instance)
        except (RecursionError, referencing.exceptions.Unresolvable, re.error):
            self.counts["unusable"] += 1
            return
        self.counts[f"{direction} instances"] += len(instances)
        if not instances:
            self.counts[f"{direction} schemas without instances"] += 1
            return
        results, errors = self.convert(profile, direction, instances)
        if results is None or len(results) != len(instances):
            self.failures.append(f"{name}: {direction}: {errors[:300]}")
            return
        wanted = target.validator(pointer)
        for instance, result in zip(instances, results):
            if result is None:
                self.counts[f"{direction} refused by the converter"] += 1
                continue
            error = jsonschema.exceptions.best_match(wanted.iter_errors(result))
            if error is None:
                self.counts[f"{direction} fits"] += 1
                continue
            self.counts[f"{direction} does not fit"] += 1
            if len(self.failures) < 40:
                place = "/".join(str(step) for step in error.absolute_path)
                self.failures.append(
                    f"{name}: {direction}: at /{place}: {error.message[:160]}\n    {json.dumps(instance)[:200]}\n    {json.dumps(result)[:200]}")
            return


# A rewritten schema says less than these say, if a rule makes different values equal.
WEAKENED = re.compile(r'"(oneOf|not|if)"')

# The inverse of these profiles does not restore all values.
ONE_WAY = ["map.json", "dates-keep.json", "dates-null.json", "dotnet.json", "values.json"]


def has_inverse(profile):
    if os.path.basename(profile) in ONE_WAY:
        return False
    document = json.load(open(profile))
    keys = document.get("keys")
    return keys is None or isinstance(keys, dict) and ("from" in keys or keys.get("case", "preserve") == "preserve")


# MARK: Random schemas

NAMES = ["id", "first_name", "created_at", "zip", "status", "tags", "home_address", "parent", "payload", "items", "note", "secret"]


class Schemas:
    """Random schemas over a few names, so that the profiles' rules meet them."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def document(self):
        if choose_openapi := self.random.randrange(3):
            return self.openapi(choose_openapi == 1)
        schema = self.schema(0)
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$defs"] = {name: self.schema(1) for name in ("Node", "Leaf")}
        return schema

    def openapi(self, is_version_30):
        """The same schema for what is received and for what is sent."""
        body = {"content": {"application/json": {"schema": self.schema(0)}}}
        document = {
            "openapi": "3.0.3" if is_version_30 else "3.1.0",
            "info": {"title": "Random", "version": "1"},
            "paths": {"/": {"post": {
                "requestBody": body, "responses": {"200": {"description": "", **body}}}}},
            "components": {"schemas": {name: self.schema(1) for name in ("Node", "Leaf")}},
        }
        return of_openapi(document, is_version_30)

    def schema(self, depth):
        choose = self.random
        kinds = ["object"] * (4 if depth < 2 else 2 if depth < 4 else 0) + ["array"] * (1 if depth < 4 else 0)
        kinds += ["string", "integer", "number", "boolean", "date", "ref", "enum", "choice", "null"] if depth else []
        kind = choose.choice(kinds)
        if kind == "object":
            return self.object(depth)
        if kind == "array":
            schema = {"type": "array", "items": self.schema(depth + 1)}
            if choose.random() < 0.3:
                schema["minItems"] = 1
            if choose.random() < 0.2:
                schema["uniqueItems"] = True
            if choose.random() < 0.2:
                schema["prefixItems"] = [self.schema(depth + 1)]
            return schema
        if kind == "date":
            return {"type": "string", "format": "date-time"}
        if kind == "ref":
            return {"$ref": "#/$defs/" + choose.choice(["Node", "Leaf"])}
        if kind == "enum":
            return {"enum": choose.sample(["on", "off", 1, 0, True, None, "2024-07-14T18:30:00+02:00"], 3)}
        if kind == "choice":
            return {choose.choice(["anyOf", "oneOf"]): [self.schema(depth + 1), self.schema(depth + 1)]}
        if kind == "null":
            return {"type": [choose.choice(["string", "integer", "object"]), "null"]}
        schema = {"type": kind}
        if kind == "string" and choose.random() < 0.3:
            schema["minLength"] = choose.choice([1, 3])
        if kind == "integer" and choose.random() < 0.3:
            schema["minimum"] = 1
        return schema

    def object(self, depth):
        choose = self.random
        names = choose.sample(NAMES, choose.randint(1, 5))
        schema = {"type": "object", "properties": {name: self.schema(depth + 1) for name in names}}
        required = [name for name in names if choose.random() < 0.4]
        if required:
            schema["required"] = required
        if choose.random() < 0.3:
            schema["additionalProperties"] = choose.choice([False, {"type": "string"}, {"type": "integer"}])
        if choose.random() < 0.15:
            schema["allOf"] = [{"properties": {choose.choice(NAMES): {"description": "x"}}}]
        if choose.random() < 0.1 and len(names) > 1:
            schema["dependentRequired"] = {names[0]: [names[1]]}
        if choose.random() < 0.1:
            schema["not"] = {"required": [choose.choice(NAMES)], "properties": {"status": {"const": "off"}}}
        if choose.random() < 0.1:
            schema["if"] = {"required": [names[0]]}
            schema["then"] = {"required": [choose.choice(names)]}
        return schema


def of_openapi(schema, is_version_30):
    """A schema with the references and, for version 3.0, the keywords of OpenAPI."""
    if isinstance(schema, list):
        return [of_openapi(element, is_version_30) for element in schema]
    if not isinstance(schema, dict):
        return schema
    result = {}
    for key, value in schema.items():
        if is_version_30 and key in ("prefixItems", "dependentRequired", "if", "then"):
            continue
        if key == "$ref":
            value = value.replace("#/$defs/", "#/components/schemas/")
        elif is_version_30 and key == "const":
            key, value = "enum", [value]
        elif is_version_30 and key == "type" and isinstance(value, list):
            result["nullable"] = True
            value = value[0]
        result[key] = of_openapi(value, is_version_30)
    return result


SNAKE = {"case": "camelCase", "from": "snake_case"}
PROFILES = {
    "snake": {"keys": SNAKE},
    "renames": {"rename": {"first_name": "fn", "/items/*/id": "key", "/**/note": "remark"}},
    "dates": {"keys": SNAKE, "dates": {"at": "created_at", "from": "rfc3339", "to": "epoch-s"}},
    "scan": {"dates": "epoch-s"},
    "dates-keep": {"dates": {"at": "created_at", "from": "rfc3339", "to": "epoch-s"}, "on": {"badValue": "keep"}},
    "dates-null": {"dates": {"at": "created_at", "from": "rfc3339", "to": "epoch-s"}, "on": {"badValue": "null"}},
    "values": {"values": [{"at": "zip", "as": "string"}, {"at": "id", "as": "number"}, {"at": "/status", "as": "boolean"},
                          {"at": "note", "as": "mask"}, {"at": "payload", "as": "json"}]},
    "map": {"values": {"at": "status", "map": {"on": 1, "off": 0, "1": "on", "0": "off", "true": None}}, "on": {"badValue": "keep"}},
    "drop": {"keys": SNAKE, "drop": ["secret", "/items/0", "/**/note"]},
    "keep": {"keep": ["/id", "/items/*/id", "home_address"]},
    "keep-objects": {"keep": {"/items/*": ["id", "/home_address/zip"]}},
    "prune": {"prune": {"null": True, "emptyString": True}, "keys": SNAKE},
    "prune-elements": {"prune": {"null": True, "emptyArray": True, "emptyObject": True, "inArrays": True}},
    "defaults": {"defaults": {"/id": 1, "/home_address/zip": "x", "/items/*/status": None}},
    "move": {"move": {"/home_address/zip": "/zip_code", "/first_name": "/name/first"}},
    "move-back": {"move": {"/items/*": {"/home_address/zip": "/zip_code"}}, "keys": SNAKE},
    "flatten": {"flatten": {"at": "/home_address", "prefix": "home_"}, "on": {"collision": "keep"}},
    "wrap": {"wrap": {"at": "/data/body", "with": {"ok": True}}},
    "records": {"records": {"at": "/items/*", "onError": "skip"}, "values": {"at": "/items/*/id", "as": "integer"}},
    "opaque": {"keys": {**SNAKE, "opaque": ["/payload"], "except": ["/home_address/zip", "first_name"]}},
}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--count", type=int, default=20, help="payloads for each schema")
    arguments.add_argument("--schemas", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    check = Check(options.program, options.count, options.seed)
    with tempfile.TemporaryDirectory() as directory:
        profiles = sorted(str(path) for path in (ROOT / "examples/profiles").glob("*.json"))
        for name, profile in PROFILES.items():
            path = os.path.join(directory, name + ".json")
            json.dump(profile, open(path, "w"))
            profiles.append(path)
        for number in range(options.schemas):
            path = os.path.join(directory, f"schema-{options.seed}-{number}.json")
            json.dump(Schemas(f"{options.seed} {number}").document(), open(path, "w"))
            check.document(path, profiles[number % len(profiles)])
    for name, count in sorted(check.counts.items()):
        print(f"{count:8} {name}")
    for failure in check.failures:
        print("FAILED", failure)
    failed = len(check.failures)
    print(f"{check.counts['rewritten']} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
