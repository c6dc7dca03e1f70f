#!/usr/bin/env python3
"""Thousands of profiles and payloads, with the output of the reference for them.

    generate_pairs.py --count N [--seed S] [--sections keys,rename,dates] [--direction inverse] [--marked] > cases.ndjson

For `inverse` the payloads are documents: some are outputs of the forward direction, others have keys and values of any kind.
For `roundtrip` the profile has `roundTrip: required`, and every second payload has the keys, dates and values that the profile
expects. With `--marked` all numbers of a payload have different spellings, and so have all strings.
One case a line: `profile` (text), `lines` (NDJSON or one document), `input` and `output` (base64; output null if the payload
must be refused), `certain` and `possible` errors as "code pointer". Any certain error may be reported first. A possible one
may be reported instead, because it is in a value that another rule removes.
"""

import argparse
import base64
import json
import random
import sys

from convert_reference import convert, invert
from dates import listed
from generate_dates import date_rule, date_text, invertible_date_rule
from inverse_rules import UNREADABLE
from json_text import pointer
from profile_rules import BadProfile, Profile

WORDS = ["id", "user", "name", "url", "at", "x", "date", "b2", "Ω", "ключ", "straße", "ID", "URL", "é"]
EXACT_NAMES = ["_id", "__typename", "$ref", "a.b", "a/b", "m~n", "*", "", "0", "1", "dc:title", "items[]",
         "XMLHttpRequest",
               "userID", "md5Hash", "99Bottles", "foo__bar", " foo_bar ", "550e8400-e29b-41d4-a716-446655440000",
               "123_4",
               "created_at", "updated_at", "when", "a-b", "A B", "İd", "ǆx", "userIDs", "imageURLPath", "x\u0301Y",
               "日本Name"]
ODD_NAMES = ["URLs2go", "userURL2Path", "userURL2GO", "HTTPURLs", "iOSVersion", "XMLHTTPRequestID", "idURLX",
             "IDs_x", "URLID", "IDX",
             "x²Y", "ÀÉîÔ", "ǅxǅ", "ﬁBar", "ŉAme", "σΣΣ", "ΑΣ_ΒΣ", "a\u0301B\u0301c", "__A__", "a..B",
             "X-Request-ID", "A\u00a0b", "9a9B",
             "aªB", "ⅧaⅧ", "日Abc", "Abc日Def", "\u3000x_y\u3000", "-a-B-", "a_1_b", "a1B2C3", "éÉÉé", "İIıi", "ßß_ß",
             "ა_Ბ", "$a_b$", "@ID",
             "a_b[]", "a b\tc", "URL_ID-Url", "oXMLs", "x\u200dy_z", "a\u2028b"]
SECTIONS = ["keys", "rename", "dates"]
LATER_SECTIONS = ["values", "keep", "drop", "require", "move", "defaults", "prune", "records", "sortKeys", "last", "mask", "envelope", "scope", "hash", "names", "flatten"]
CASES = ["camelCase", "PascalCase", "snake_case", "SCREAMING_SNAKE_CASE", "kebab-case", "Train-Case", "dot.case",
         "flatcase",
         "preserve"]
NUMBERS = ["0", "-0", "1.10", "12345678901234567890", "1E400", "1e-7", "-3.50e+2", "1700000000", "1700000000123"]
MARKED = [lambda n: f"{n}", lambda n: f"-{n}.10", lambda n: f"{n}E400", lambda n: f"0.{n}e-7",
          lambda n: f'"plain {n}"', lambda n: rf'"\u00e9\/{n}"', lambda n: f'"é語😀\x7f{n}"', lambda n: rf'"{n}\ud83d\ude00\t\""']
# Values that the `map` or the `url` of a reversible profile expects.
TABLE = {"off": 0, "on": "1", "unknown": False}
BASE = "http://www.example.com"
TYPED = {"map": ['"off"', '"on"', r'"\u006fn"', '"unknown"', "null"],
         "url": [f'"{BASE}/a/b?c=d#e"', f'"{BASE}"', f'"{BASE}/"', f'"{BASE}//x"', f'"{BASE}:80/x"', f'"{BASE}.org/x"',
                 '"https://www.example.com/x"', '"mailto:a@b"', "null"]}
STRINGS = [r"", r"plain", r"\u00e9\/", r"tab\t", r"\ud83d\ude00", r"\uD800 lone", "é語😀", r"\"q\"",
         "\x7f", r"a\u0000b", "\u2028"]


class Generator:
    """One case from one seed. The set of keys is small, so that selectors match and keys collide."""

    def __init__(self, seed, sections, direction="forward", marked=False):
        self.random = random.Random(seed)
        self.direction = direction
        # The number of marked values so far; None if values are not marked.
        self.marks = 1000 if marked else None
        # The kind of the values of each key for which there is a rule.
        self.typed = {}
        # The keys on the path to the document in a payload.
        self.document = []
        # The keys of flattened objects.
        self.flattened = set()
        # The rule for values that contain keys.
        self.naming = None
        # Half of the profiles for the inverse direction are reversible.
        self.gentle = direction == "roundtrip" or direction == "inverse" and self.chance(0.5)
        self.sections = sections
        self.names = [self.name() for _ in range(self.random.randint(3, 8))]
        self.with_dates = self.has("dates", 0.6)

    def chance(self, probability):
        return self.random.random() < probability

    def has(self, section, probability):
        """Whether this profile has a section, if this section was requested at all."""
        return section in self.sections and self.chance(probability)

    def name(self):
        if self.chance(0.45):
            return self.random.choice(EXACT_NAMES if self.chance(0.7) else ODD_NAMES)
        words = [self.random.choice(WORDS) for _ in range(self.random.randint(1, 3))]
        style = self.random.randrange(5)
        if style == 0:
            return words[0].lower() + "".join(word.title() for word in words[1:])
        return self.random.choice(["_", "-", ".", "_"]).join(words if style < 4 else [word.upper() for word in words])

    # Payloads

    def raw_string(self, content):
        """A spelling of a string's content, sometimes with unnecessary escapes."""
        pieces = []
        for character in content:
            if character in '"\\' or ord(character) < 0x20:
                pieces.append(json.dumps(character)[1:-1])
            elif self.chance(0.03) and ord(character) < 0x10000:
                pieces.append(f"\\u{ord(character):04X}")
            else:
                pieces.append(character)
        return '"' + "".join(pieces) + '"'

    def space(self):
        return self.random.choice(["", "", "", "", " ", "  ", "\t", "\r"])

    def value(self, depth):
        kind = self.random.random()
        if depth > 0 and kind < 0.45:
            return self.object(depth - 1)
        if depth > 0 and kind < 0.6:
            items = [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
            return "[" + self.space() + (self.space() + "," + self.space()).join(items) + self.space() + "]"
        if self.with_dates and self.chance(0.7):
            return date_text(self.random, self.raw_string)
        if self.marks:
            self.marks += 1
            return self.random.choice(MARKED)(self.marks)
        if self.naming and self.chance(0.4):
            return self.raw_string(self.naming_value())
        if kind < 0.75:
            return self.random.choice(NUMBERS)
        if kind < 0.85:
            return self.random.choice(["true", "false", "null"])
        return '"' + self.random.choice(STRINGS) + '"'

    def object(self, depth):
        count = self.random.randint(0, min(5, len(self.names)))
        names = self.random.sample(self.names, count)
        for name in sorted(self.flattened.difference(names)):
            if self.chance(0.4):
                names.append(name)
        if names and self.chance(0.06):
            names.append(self.random.choice(names))
        members = [self.raw_string(n) + self.space() + ":" + self.space() + self.member_value(n, depth) for n in names]
        return "{" + self.space() + ("," + self.space()).join(members) + self.space() + "}"

    def member_value(self, name, depth):
        if name in self.typed and self.chance(0.95):
            return self.random.choice(TYPED[self.typed[name]])
        if name in self.flattened and depth > 0 and self.chance(0.7):
            return "null" if self.chance(0.1) else self.object(depth - 1)
        return self.value(depth)

    def payload(self, lines):
        if not lines:
            text = self.space() + self.around(self.object(3) if self.chance(0.85) else self.value(3)) + self.space()
        else:
            records = [self.around(self.value(2)) if self.chance(0.9) else self.space() for _ in range(self.random.randint(0, 4))]
            text = "".join(record + self.random.choice(["\n", "\n", "\r\n", "\n\n"]) for record in records)
            text = text.rstrip("\n") if self.chance(0.3) else text
        data = text.encode("utf-8")
        if self.chance(0.04):
            data = data[:self.random.randrange(len(data) + 1)]
        if self.chance(0.03):
            data = b"\xef\xbb\xbf" + data
        return data

    def around(self, text):
        """A document inside the objects from which it is unwrapped, in most cases."""
        if not self.document or self.chance(0.1):
            return text
        for step in reversed(self.document):
            name = step.replace("~2", "*").replace("~1", "/").replace("~0", "~")
            others = self.object(1)[1:-1].strip() if self.chance(0.4) else ""
            member = self.raw_string(name) + ":" + self.space() + text
            members = [member] + ([others] if others else [])
            self.random.shuffle(members)
            text = "{" + ",".join(members) + "}"
        return text

    # Profiles

    def quoted(self, name):
        return name.replace("~", "~0").replace("/", "~1").replace("*", "~2")

    def pointer(self):
        steps = []
        for _ in range(self.random.randint(1, 3)):
            steps.append("*" if self.chance(0.2) else str(self.random.randint(0, 2)) if self.chance(0.1)
                         else self.quoted(self.random.choice(self.names)))
        if self.chance(0.2):
            steps.insert(self.random.randrange(len(steps)), "**")
        return "/" + "/".join(steps)

    def selector(self):
        if self.chance(0.55):
            return self.pointer()
        name = self.random.choice(self.names)
        if self.chance(0.25) and name:
            cut = self.random.randrange(len(name) + 1)
            return self.random.choice([self.quoted(name[:cut]) + "*", "*" + self.quoted(name[cut:])])
        return self.quoted(name) or "/"

    def selectors(self, most):
        found = [self.selector() for _ in range(self.random.randint(1, most))]
        return found[0] if len(found) == 1 and self.chance(0.5) else found

    def keys(self):
        case = self.random.choice(CASES)
        if self.chance(0.4) and (self.direction == "forward" or case == "preserve"):
            return case
        keys = {"case": case}
        if self.direction != "forward":
            keys["from"] = self.random.choice(CASES[:7] if self.gentle else CASES)
        if self.chance(0.4):
            keys["acronyms"] = self.random.choice(["common", ["common", "iOS"], ["ID", "URL"], ["ID"], ["URL", "XML", "HTTP"], ["iOS", "ID"]])
            if self.chance(0.5):
                keys["acronymStyle"] = self.random.choice(["title", "asListed"])
        if self.chance(0.25):
            keys["digits"] = self.random.choice(["word", "word", "join"])
        if self.chance(0.4):
            keys["except"] = self.selectors(2)
        if self.chance(0.4):
            keys["opaque"] = self.selectors(2)
        return keys

    def profile(self):
        profile = {}
        if self.has("keys", 0.65):
            profile["keys"] = self.keys()
        if self.has("rename", 0.55):
            targets = self.names + ["fn", "ln", "q\"\\\n", "t/~*", "é", "u_v"]
            if self.gentle:
                profile["rename"] = self.renames_one_by_one(targets)
            else:
                profile["rename"] = {self.selector(): self.random.choice(targets)
                                     for _ in range(self.random.randint(1, 4))}
                for source in profile["rename"]:
                    if (source.endswith("/*") if source[0] == "/" else source.count("*") == 1) and self.chance(0.4):
                        pattern = self.random.choice(["*", "x_*", "*_y", "p*Q", "~2é*", "k~1*"])
                        profile["rename"][source] = {"pattern": pattern}
        if self.with_dates and self.chance(0.9):
            profile["dates"] = self.dates()
        self.shape(profile)
        if self.has("envelope", 0.2):
            self.envelope(profile)
        if self.gentle:
            profile["on"] = {"lossyKey": "error"}
        elif self.chance(0.8):
            last = ["last"] if "last" in self.sections else []
            choices = {"collision": ["error", "first", "keep"] + last, "duplicateKey": ["error", "first",
            "keep"] + last,
                       "badValue": ["error", "keep", "null"]}
            profile["on"] = {name: self.random.choice(of) for name, of in choices.items() if self.chance(0.6)}
        for rule in [] if self.gentle else listed(profile.get("dates", [])) + listed(profile.get("values", [])):
            if "at" in rule and rule.get("as") != "mask" and self.chance(0.25):
                rule["badValue"] = self.random.choice(["error", "keep", "null"])
        if self.direction == "inverse" and not self.gentle and self.chance(0.6):
            profile.setdefault("on", {})["lossyKey"] = self.random.choice(["error", "keep"])
        if self.chance(0.25):
            profile["output"] = {"escapes": self.random.choice(["preserve", "minimal", "ascii"])}
            if self.chance(0.5):
                profile["output"]["indent"] = self.random.choice([0, 1, 2, 4])
            if self.has("sortKeys", 0.5):
                profile["output"]["sortKeys"] = True
        return profile

    def scopes(self, profile):
        place = self.selector()
        members = [self.quoted(self.random.choice(self.names)) or "/" if self.chance(0.6) else self.plain_pointer()
                   for _ in range(self.random.randint(1, 3))]
        scope = {place: members if len(members) > 1 or self.chance(0.5) else members[0]}
        profile["keep"] = [scope] if self.chance(0.5) else scope
        if self.chance(0.3):
            anchor = "/" + self.quoted(self.random.choice(self.names))
            profile["keep"] = [anchor, {anchor + self.plain_pointer(): members}]

    def envelope(self, profile):
        """`unwrap` and `wrap`: selectors that must be inside the document begin with its pointer."""
        if self.direction != "roundtrip" and self.chance(0.6):
            steps = [self.quoted(self.random.choice(self.names)) for _ in range(self.random.choice([1, 1, 1, 2]))]
            unwrap = profile["unwrap"] = "/" + "/".join(steps)
            self.document = steps
            for section in ("require", "keep"):
                if section in profile:
                    profile[section] = [inside(place, unwrap) if self.chance(0.8) else place
                                        for place in listed(profile[section])]
            if "at" in profile.get("records", {}):
                profile["records"]["at"] = unwrap + profile["records"]["at"]
            if "flatten" in profile:
                profile["flatten"] = [rule | {"at": unwrap + rule["at"]} if isinstance(rule, dict) else unwrap + rule
                                      for rule in listed(profile["flatten"])]
            if "move" in profile:
                profile["move"] = {unwrap + source: target if isinstance(target, dict) else target
                                   for source, target in profile["move"].items()}
        if "unwrap" not in profile or self.chance(0.3):
            place = self.random.choice(["data", "/data", "/a~1b/*".replace("*", "~2"), "/" + self.quoted(self.random.choice(self.names))])
            profile["wrap"] = place
            if self.chance(0.5):
                others = {"ok": True, "n": {"x": ["x", "xx\"", 1]}, "data2": None}
                profile["wrap"] = {"at": "/" + place.lstrip("/"), "with": others}

    def renames_one_by_one(self, targets):
        """Renames of literal keys, each to a different key."""
        sources = self.random.sample(self.names, min(len(self.names), self.random.randint(1, 3)))
        anchors = ["", "", "/*/", "/**/", "/"]
        anchored = [self.random.choice(anchors) for _ in sources]
        return {(anchor + self.quoted(name)) or "/": target for anchor, name, target
                in zip(anchored, sources, self.random.sample(sorted(set(targets)), len(sources)))}

    def shape(self, profile):
        """The sections that change values, and those that add, move or remove members."""
        if self.direction == "roundtrip":
            return self.invertible_shape(profile)
        if self.has("values", 0.4):
            profile["values"] = [self.value_rule() for _ in range(self.random.randint(1, 2))]
        for section in ("keep", "drop"):
            if self.has(section, 0.25):
                profile[section] = self.selectors(2)
        if self.has("scope", 0.15):
            self.scopes(profile)
        if self.has("require", 0.2):
            profile["require"] = [self.plain_pointer()]
        if self.has("defaults", 0.3):
            profile["defaults"] = {self.plain_pointer(): self.random.choice(["EUR", None, [], {"a_b": 1}, "é\""])}
        if self.has("prune", 0.3):
            options = ["null", "emptyString", "emptyArray", "emptyObject", "inArrays"]
            profile["prune"] = {option: self.chance(0.5) for option in options}
        if self.has("records", 0.2):
            profile["records"] = {"at": self.plain_pointer().rpartition("/")[0] + "/*",
                                  "onError": self.random.choice(["fail", "skip", "null"])}
        if self.has("move", 0.3) and profile.get("records", {}).get("onError", "fail") == "fail":
            anchor = self.random.choice(["", "", "/*", "/" + self.quoted(self.random.choice(self.names))])
            ends = [self.plain_pointer(stars=0) for _ in range(2)]
            if not any(end.startswith(other) for end, other in (ends, ends[::-1])):
                if anchor and self.chance(0.5):
                    profile["move"] = {anchor: {ends[0]: ends[1]}}
                else:
                    profile["move"] = {anchor + ends[0]: anchor + ends[1]}

        if self.has("flatten", 0.3):
            profile["flatten"] = self.flattens()

    def flattens(self):
        rules, place = [], ""
        for _ in range(self.random.choice([1, 1, 2, 3])):
            inner = "/" + self.quoted(self.random.choice(self.names))
            start = "" if self.chance(0.6) else self.random.choice(["/*", "/*", inner, "/" + self.quoted(self.random.choice(self.names))])
            place = (place if place and self.chance(0.4) else start) + inner
            if self.chance(0.08):
                place = place.rpartition("/")[0] + "/*"
            if place[-2:] != "/*":
                self.flattened.add(place.rpartition("/")[2].replace("~2", "*").replace("~1", "/").replace("~0", "~"))
            kind = self.random.random()
            if kind < 0.25 and self.direction == "forward":
                rules.append(place if self.chance(0.8) else {"at": place})
            elif kind < 0.75:
                name = self.random.choice(self.names)
                rules.append({"at": place, "prefix": self.random.choice(["p_", "é\"\n", name + "_", name[:2] or "q"])})
            else:
                rules.append({"at": place, "names": self.random.sample(self.names + ["fn"], self.random.randint(1, 3))})
        return rules[0] if len(rules) == 1 and self.chance(0.5) else rules

    def invertible_shape(self, profile):
        """Reversible values and moves, and sections that do not affect the inverse direction."""
        if self.has("values", 0.5):
            names = self.random.sample(self.names, min(len(self.names), self.random.randint(1, 2)))
            self.typed = {name: self.random.choice(["map", "url"]) for name in names}
            rules = {"map": {"map": TABLE}, "url": {"as": "url", "relativeTo": BASE}}
            profile["values"] = [{"at": self.quoted(name) or "/"} | rules[kind] for name, kind in self.typed.items()]
        if self.has("move", 0.5):
            anchor = self.random.choice(["", "", "/*", "/" + self.quoted(self.random.choice(self.names))])
            targets = self.random.sample(["mv", "moved_to", "Ziel", "m~1n~0~2", self.quoted(self.random.choice(self.names))], 2)
            profile["move"] = {anchor + self.plain_pointer(stars=0): anchor + "/" + target
                               for target in targets[:self.random.randint(1, 2)]}
        if self.has("require", 0.1):
            profile["require"] = self.plain_pointer()
        if self.has("records", 0.1):
            profile["records"] = {"at": "/*", "onError": "fail"}

    def plain_pointer(self, stars=0.2):
        steps = ["*" if self.chance(stars) else self.quoted(self.random.choice(self.names))
                 for _ in range(self.random.randint(0, 2))]
        return "/" + "/".join(steps + [self.quoted(self.random.choice(self.names))])

    def value_rule(self):
        rule = {"at": self.selectors(2)}
        if self.chance(0.2):
            return rule | {"map": {"0": "zero", "1.10": 1, "true": None, "plain": "\u00e9"}}
        if "names" in self.sections and self.chance(0.25):
            return rule | self.name_form()
        if "hash" in self.sections and self.chance(0.12):
            # Any file that the reference and the program can read.
            key = {"key": {"file": __file__}}
            return rule | {"as": "hash"} | key | ({"bytes": self.random.randint(8, 32)} if self.chance(0.5) else {})
        if "mask" in self.sections and self.chance(0.3):
            return rule | self.mask()
        return rule | {"as": self.random.choice(["string", "number", "integer", "boolean", "json"])}

    def name_form(self):
        form = {"as": self.random.choice(["name", "path", "names", "pointer"])}
        if form["as"] in ("path", "names") and self.chance(0.3):
            form["separator"] = self.random.choice(["/", "::", "."])
        if form["as"] != "pointer" and self.chance(0.4):
            form["of"] = self.plain_pointer()
        self.naming = form
        return form

    def naming_value(self):
        """A text that contains keys of the payload."""
        def steps(pointer=False):
            found = [str(self.random.randint(0, 2)) if self.chance(0.15) else self.random.choice(self.names)
                     for _ in range(self.random.randint(1, 3))]
            return [step.replace("~", "~0").replace("/", "~1") for step in found] if pointer else found

        kind, separator = self.naming["as"], self.naming.get("separator", ".")
        if kind == "pointer":
            return self.random.choice(["", "", "#"]) + "/" + "/".join(steps(True))
        paths = []
        for _ in range(self.random.randint(1, 3) if kind == "names" else 1):
            path = separator.join(step + (f"[{self.random.randint(0, 2)}]" if self.chance(0.1) else "") for step in steps())
            if kind == "names":
                path = self.random.choice(["", "-", "+", " "]) + path + self.random.choice(["", "", ":asc", " desc"])
            paths.append(path)
        return self.random.choice(self.names) if kind == "name" else ",".join(paths)

    def mask(self):
        mask = {"as": "mask"}
        if self.chance(0.5):
            mask["keep"] = {end: self.random.randint(0, 3) for end in ("first", "last") if self.chance(0.6)}
            if self.chance(0.5):
                mask["char"] = self.random.choice(["•", "\"", "#", "😀"])
        if self.chance(0.3):
            mask["text"] = self.random.choice(["", "hidden", "é\"\n"])
        return mask

    def dates(self):
        if self.chance(0.1 if self.gentle else 0.3):
            return "rfc3339"
        rule = invertible_date_rule if self.gentle and self.chance(0.8) else date_rule
        rules = [{"at": self.selectors(2), **rule(self.random)} for _ in range(self.random.randint(1, 2))]
        if self.chance(0.1 if self.gentle else 0.3):
            scan = {}
            if self.chance(0.5):
                scan["precision"] = self.random.choice([0, 3, 9])
            if self.chance(0.5):
                scan["zone"] = self.random.choice(["UTC", "Europe/Paris", "-03:30"])
            rules.append(scan | {"to": "rfc3339"})
        return rules[0] if len(rules) == 1 and self.chance(0.5) else rules


def inside(place, document):
    """The selector, or the scope with its selectors, moved inside the document."""
    if isinstance(place, dict):
        return {inside(selector, document): members for selector, members in place.items()}
    return document + place if place[0] == "/" else place


def case(seed, sections, direction, marked=False):
    """The case for one seed; a profile that must not load is replaced by another."""
    generator = Generator(seed, sections, direction, marked)
    while True:
        source = json.dumps(generator.profile(), ensure_ascii=generator.chance(0.5))
        try:
            profile = Profile(source)
            if direction == "inverse":
                profile.refuse_inverse()
            break
        except BadProfile:
            continue
    lines = direction == "forward" and generator.chance(0.2)
    if direction == "forward":
        data = generator.payload(lines)
        output, errors = convert(profile, data, lines)
    elif direction == "roundtrip":
        source = json.dumps(json.loads(source) | {"roundTrip": "required"})
        data = canonical_payload(generator, json.loads(source), profile) if seed % 2 else hard_payload(generator)
        output, errors = convert(Profile(source), data)
    else:
        data = backwards_payload(generator, profile)
        output, errors = invert(profile, data)
    return {
        "seed": seed,
        "profile": source,
        "lines": lines,
        "input": base64.b64encode(data).decode(),
        "output": None if output is None else base64.b64encode(output).decode(),
        "certain": named(errors.certain),
        "possible": named(errors.possible),
    }


def backwards_payload(generator, profile):
    """The output of the forward direction for a payload, or a payload that also has the target keys of renames."""
    if generator.chance(0.5):
        for _ in range(8):
            output, _ = convert(profile, generator.payload(False))
            if output is not None:
                return output
    targets = [target for _, target in profile.rename if isinstance(target, str)]
    for rule in profile.flatten:
        targets += rule.names or [rule.prefix + name for name in generator.random.sample(generator.names, 2)]
    generator.names = list(dict.fromkeys(generator.names + targets))
    return generator.payload(False)


def hard_payload(generator):
    """A document whose keys often cannot be restored: digits and single letters as words, capitals, doubled separators."""
    own = generator.random.sample(generator.names, min(len(generator.names), 2))
    generator.names = list(dict.fromkeys(own + [hard_name(generator.random) for _ in range(4)]))
    return generator.payload(False)


def hard_name(random):
    words = [random.choice(["address", "line", "x", "y", "1", "2nd", "id", "URL", "md5", "a1", "B2", "é", "ß", "Ω"])
             for _ in range(random.randint(1, 4))]
    joint = random.choice(["_", "_", "_", "__", "-", ".", "", "_-"])
    ends = random.choice(["", "", "", "_", "__", "$", "@"]), random.choice(["", "", "", "_", "[]", "__"])
    if joint == "":
        words = [words[0].lower()] + [word[:1].upper() + word[1:] for word in words[1:]]
    return joint.join(words).join(ends)


def canonical_payload(generator, source, profile):
    """A document with the keys and dates that the profile expects: a reversible profile restores it exactly."""
    if profile.keys_back:
        generator.names = [name for name in generator.names
                           if profile.keys_back.converted(profile.keys.converted(name)) == name]
    data = generator.payload(False)
    rules = [rule for rule in listed(source.get("dates", [])) if isinstance(rule, dict) and "from" in rule]
    own_form = []
    for rule in rules:
        form, zone = listed(rule["from"])[0], rule.get("assumeZone", "reject").replace("reject", "UTC")
        if form not in UNREADABLE:
            own_form.append({"at": rule["at"], "from": ["auto", form], "to": form, "assumeZone": zone, "zone": zone})
    policies = {"badValue": "keep", "duplicateKey": "keep"}
    output, _ = convert(Profile(json.dumps({"dates": own_form, "on": policies})), data)
    return data if output is None else output


def named(errors):
    return sorted({f"{code} {pointer(path)}" for code, path in errors})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sections", default=",".join(SECTIONS), help="or all: " + ",".join(SECTIONS + LATER_SECTIONS))
    parser.add_argument("--direction", choices=["forward", "inverse", "roundtrip"], default="forward")
    parser.add_argument("--marked", action="store_true", help="no two scalars of a payload are alike")
    options = parser.parse_args()
    sections = SECTIONS + LATER_SECTIONS if options.sections == "all" else options.sections.split(",")
    for number in range(options.count):
        made = case(options.seed + number, sections, options.direction, options.marked)
        print(json.dumps(made, ensure_ascii=True))


if __name__ == "__main__":
    sys.exit(main())
