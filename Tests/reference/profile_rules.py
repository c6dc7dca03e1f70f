"""A profile as the reference reads it. It only checks selectors and their conflicts, which the conversion needs."""

import json
from dates import DateRule, listed
from json_text import Array, Literal, Member, Number, Object, Text, utf8
from key_words import CaseRule
from selectors import ANY, ANY_DEPTH, Selector, overlap
from value_rules import NAMES, ValueRule


class BadProfile(ValueError):
    """The profile does not load."""


class Profile:
    """The compiled forward profile."""

    def __init__(self, text):
        source = json.loads(text, parse_int=Number, parse_float=Number)
        self.keys, self.keys_back, self.excepted, self.opaque = None, None, [], []
        self.read_keys(source.get("keys"))
        self.rename = [(Selector(key), new_key(target, Selector(key))) for key, target in source.get("rename", {}).items()]
        self.rules, self.scan = [], None
        self.read_dates(source.get("dates", []))
        for rule in listed(source.get("values", [])):
            compiled = ValueRule(rule)
            self.rules.extend((Selector(selector), compiled) for selector in compiled.selectors)
        refuse_conflicts(self.rename)
        refuse_conflicts(self.rules)
        if source.get("keep") == []:
            raise BadProfile("keeps nothing")
        self.keep = [Selector(place) for place in listed(source.get("keep", [])) if isinstance(place, str)]
        self.scopes = [(Selector(place), [member_of(member) for member in listed(members)])
                       for scope in listed(source.get("keep", [])) if isinstance(scope, dict)
                       for place, members in scope.items()]
        refuse_conflicts(self.scopes)
        refuse_scopes_on_the_way(self.keep, self.scopes)
        self.drop = selectors(source, "drop")
        self.require = selectors(source, "require")
        self.base = tuple(Selector(source["unwrap"]).segments) if "unwrap" in source else ()
        self.wrap = envelope(source["wrap"]) if "wrap" in source else None
        self.move = moves(source.get("move", {}), list(self.base))
        self.flatten = [FlattenRule(rule) for rule in listed(source.get("flatten", []))]
        self.refuse_flattened(source.get("records", {}))
        self.defaults = [(Selector(place), tree(value)) for place, value in source.get("defaults", {}).items()]
        self.prune = source.get("prune", {})
        self.records = source.get("records", {})
        self.on = source.get("on", {})
        self.round_trip = source.get("roundTrip", "ignore") == "required"
        self.refuse_rules_in_replaced()
        self.refuse_rules_outside()
        if (self.move or self.flatten or self.base or self.wrap) and any(
                isinstance(rule, ValueRule) and rule.rule.get("as") in NAMES for _, rule in self.rules):
            raise BadProfile("names of moved values")
        output = source.get("output", {})
        self.indent = int(output["indent"].text) if "indent" in output else 0
        self.sort_keys = output.get("sortKeys", False)
        self.escapes = output.get("escapes", "preserve")

    def read_keys(self, keys):
        if keys is None:
            return
        if isinstance(keys, str):
            keys = {"case": keys}
        acronyms = with_common(keys.get("acronyms", [])), keys.get("acronymStyle", "title"), keys.get("digits", "join")
        self.keys = CaseRule(keys.get("case", "preserve"), *acronyms)
        # The inverse direction uses the same acronyms; if the case does not change, there is nothing to reverse.
        if keys.get("case", "preserve") != "preserve":
            self.keys_back = CaseRule(keys.get("from", "preserve"), *acronyms)
        self.excepted = selectors(keys, "except")
        self.opaque = selectors(keys, "opaque")

    def read_dates(self, dates):
        for rule in listed(dates):
            if isinstance(rule, str):
                rule = {"to": rule}
            if "precision" in rule:
                rule = rule | {"precision": int(rule["precision"].text)}
            compiled = DateRule(rule)
            if compiled.scans:
                if self.scan:
                    raise BadProfile("two scanning rules")
                self.scan = compiled
            else:
                self.rules.extend((Selector(selector), compiled) for selector in listed(rule["at"]))

    def refuse_inverse(self):
        """The inverse cannot remove a value that a move put into JSON from a string, or into a value that may become null.
        Around an unwrapped document, the last of equal keys cannot win."""
        if self.wrap and self.policy("duplicateKey") == "last":
            raise BadProfile("no inverse: the last of equal keys around the document")
        fields = [selector for selector, rule in self.rules if self.bad_value(rule) == "null"
                  or isinstance(rule, ValueRule) and rule.rule.get("as") == "json"]
        for _, target in self.move:
            for end in range(1, len(target.segments)):
                if any(field.may_match(target.segments[:end]) for field in fields):
                    raise BadProfile(f"no inverse: {target.source} leads into JSON of a string, or into what becomes null")

    def refuse_flattened(self, records):
        """A flattened object must not be moved or be or hold a record, and no move may lead into it."""
        places = [tuple(rule.selector.segments) for rule in self.flatten]
        if len(set(places)) < len(places):
            raise BadProfile("flattened twice")
        at = Selector(records["at"]).segments if records.get("onError", "fail") != "fail" and "at" in records else None
        for place in places:
            if any(source.may_match(place) for source, _ in self.move):
                raise BadProfile(f"{place} is moved")
            if at is not None and len(at) - len(place) in (0, 1) and meet(place, at[:len(place)]):
                raise BadProfile(f"{place} is or holds a record")
            if any(meet(place, target.segments[:len(place)]) for _, target in self.move):
                raise BadProfile(f"a move leads into {place}")

    @property
    def restored(self):
        """The rules of `flatten` that the inverse direction reverses."""
        return [rule for rule in self.flatten if rule.comes_back and not any(
            rule.is_taken_for(other) or rule.parent != list(other.selector.segments) and meet(other.selector.segments, rule.parent)
            for other in self.flatten if other is not rule)]

    def is_in_opaque(self, path):
        """Whether a path is below an opaque one."""
        return any(selector.below(path) for selector in self.opaque)

    def refuse_rules_outside(self):
        base = list(self.base)
        at = [Selector(self.records["at"])] if self.records.get("onError", "fail") != "fail" and "at" in self.records else []
        flattened = [rule.selector for rule in self.flatten]
        for field in self.require + [source for source, _ in self.move] + flattened + at:
            if field.segments[:len(base)] != base or base and field not in self.require and len(field.segments) == len(base):
                raise BadProfile(f"{field.source} is outside of the document")
        for scope, _ in self.scopes:
            if scope.is_pointer and scope.segments[:len(base)] != base:
                raise BadProfile(f"{scope.source} is outside of the document")
        if base and self.keep and not any(
                not field.is_pointer or field.may_match_near(base) for field in self.keep):
            raise BadProfile("nothing of the document is kept")
        if base and self.policy("duplicateKey") == "last":
            raise BadProfile("the last of equal keys around the document")

    def refuse_rules_in_replaced(self):
        """A value that is replaced as a whole contains no required path and no record; `keep` does not search it in buffered objects."""
        replaced = [selector for selector, rule in self.rules if self.bad_value(rule) == "null"
                    or isinstance(rule, ValueRule) and rule.rule.get("as") == "mask"]
        at = [Selector(self.records["at"])] if self.records.get("onError", "fail") != "fail" and "at" in self.records else []
        for selector in self.require + at:
            for field in replaced:
                if field.is_pointer and field.segments == [ANY_DEPTH] or any(
                        field.may_match(selector.segments[:end]) for end in range(1, len(selector.segments))):
                    raise BadProfile(f"{selector.source} leads into {field.source}")
        buffers = self.move or self.flatten or "last" in (self.policy("collision"), self.policy("duplicateKey"))
        if replaced and buffers and any(not field.is_pointer or ANY_DEPTH in field.segments[:-1] for field in self.keep):
            raise BadProfile("keep seeks in replaced values of buffered objects")

    def policy(self, name):
        return self.on.get(name, "error")

    def bad_value(self, rule):
        """What happens to a value that the rule does not accept."""
        return rule.bad_value or self.policy("badValue")


class FlattenRule:
    """One rule of `flatten`."""

    def __init__(self, rule):
        rule = {"at": rule} if isinstance(rule, str) else rule
        self.selector = Selector(rule["at"])
        self.prefix = rule.get("prefix", "")
        self.names = listed(rule.get("names", []))
        self.parent, self.own_name = self.selector.segments[:-1], self.selector.segments[-1]
        if "prefix" in rule and (self.prefix == "" or "names" in rule) or "names" in rule and not self.names:
            raise BadProfile("nothing to know the members by, or two things")

    @property
    def comes_back(self):
        return bool(self.prefix or self.names) and self.own_name is not ANY

    def is_member(self, name):
        return utf8(name).startswith(utf8(self.prefix)) if self.prefix else name in self.names

    def is_taken_for(self, other):
        """Whether a key in the same object may belong to either rule."""
        shared = any(map(self.is_member, other.names)) or any(map(other.is_member, self.names)) or (
            self.prefix and other.prefix and (self.prefix.startswith(other.prefix) or other.prefix.startswith(self.prefix)))
        return bool(shared) and meet(self.parent, other.parent)


def meet(one, other):
    """Whether two patterns without `**` can match the same path."""
    return len(one) == len(other) and all(mine is ANY or its is ANY or mine == its for mine, its in zip(one, other))


def envelope(wrap):
    place, others = (wrap["at"], wrap.get("with", {})) if isinstance(wrap, dict) else (wrap, {})
    return Selector(place).segments if place.startswith("/") else [place], others


def moves(section, base):
    rules = []
    for start, end in section.items():
        if isinstance(end, dict):
            prefix = Selector(start).segments
            for name, target in end.items():
                rules.append((Selector(start + name), joined(prefix if prefix[:len(base)] == base else base + prefix, target)))
        else:
            rules.append((Selector(start), joined(base, end)))
    sources = [tuple(source.segments) for source, _ in rules]
    if len(set(sources)) < len(sources):
        raise BadProfile("two moves of one source")
    return rules


def joined(prefix, target):
    selector = Selector(target)
    selector.segments = prefix + selector.segments
    return selector


def member_of(text):
    selector = Selector(text)
    return selector.segments if selector.is_pointer else selector.runs


def refuse_scopes_on_the_way(keep, scopes):
    for scope, members in scopes:
        segments = scope.segments if scope.is_pointer else [ANY_DEPTH, scope.runs[0] if len(scope.runs) == 1 else ANY]
        if keep and not (scope.is_pointer and all(field.is_pointer for field in keep) and any(
                surely(field.segments, segments[:end]) for field in keep for end in range(1, len(segments) + 1))):
            raise BadProfile("a scope outside of what stays")
        for member in members:
            for end in range(1, len(member)):
                if any(other.may_match(segments + member[:end]) for other, _ in scopes):
                    raise BadProfile("a scope on the way of another")


def surely(pattern, segments):
    """Whether a pointer matches every path that the beginning of a scope matches; False for patterns with `**`."""
    return len(pattern) == len(segments) and ANY_DEPTH not in segments and ANY_DEPTH not in pattern and all(
        part is ANY or part == step for part, step in zip(pattern, segments))


COMMON = ("API CPU CSS CSV DNS GPS GUID HTML HTTP HTTPS ID IP ISO JSON JWT MIME OS PDF PIN QR RAM REST SDK SKU SMS SQL SSH SSL SSO TCP "
          "TLS TTL UDP UI URI URL URN UTC UUID VAT VIN XML").split()


def with_common(acronyms):
    acronyms = listed(acronyms)
    if "common" not in acronyms:
        return acronyms
    own = [acronym for acronym in acronyms if acronym != "common"]
    return own + [acronym for acronym in COMMON if acronym not in own]


def selectors(section, name):
    return [Selector(source) for source in listed(section.get(name, []))]


class KeyPattern:
    """A new key that keeps the part of the input key that the `*` of its selector stands for."""

    def __init__(self, pattern, source):
        written = Selector(pattern)
        if written.is_pointer or len(written.runs) != 2:
            raise BadProfile("a pattern has one `*`")
        if source.is_pointer and source.segments[-1] is not ANY or not source.is_pointer and len(source.runs) != 2:
            raise BadProfile("the selector of a pattern has one `*` in its last key")
        self.runs = written.runs
        self.cut = ("", "") if source.is_pointer else tuple(source.runs)

    def __eq__(self, other):
        return isinstance(other, KeyPattern) and (self.runs, self.cut) == (other.runs, other.cut)

    def written(self, name):
        before, after = self.cut
        return self.runs[0] + name[len(before):len(name) - len(after)] + self.runs[1]


def new_key(target, source):
    return KeyPattern(target["pattern"], source) if isinstance(target, dict) else target


def refuse_conflicts(rules):
    for number, (left, meaning) in enumerate(rules):
        for right, other in rules[:number]:
            comparable = left.is_pointer == right.is_pointer and left.rank == right.rank
            if comparable and meaning != other and overlap(left, right):
                raise BadProfile(f"{left.source} and {right.source} say different things")


def tree(value):
    """The node for a value in a profile."""
    if isinstance(value, dict):
        node = Object()
        node.members = [Member(Text(name), tree(item)) for name, item in value.items()]
        return node
    if isinstance(value, list):
        node = Array()
        node.items = [tree(item) for item in value]
        node.indices = list(range(len(value)))
        return node
    if isinstance(value, str):
        return Text(value)
    return value if isinstance(value, Number) else Literal(json.dumps(value))
