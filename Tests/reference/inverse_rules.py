"""The inverse of a profile: names, values and dates back.

While inverting, every place is known by its forward-input path. `drop`, `keep`, `prune`, `defaults` and `require` do
nothing.
"""

import shape_rules
import value_names
from dates import DateRule
from instants import NotADate
from json_text import NUMBER, Array, Literal, Number, Object, Text, Writer, exact
from selectors import ANY, RANK_NAME_STAR, best
from value_rules import NAMES, BadValue, scalar

UNREADABLE = ("auto", "iso8601", "asctime")


class Inversion:
    """One pass backwards over one value, given the forward conversion of the same profile."""

    def __init__(self, forward):
        self.forward = forward
        self.profile = forward.profile
        self.faults = forward.faults

    def run(self, node, path, given):
        """Inverts what stands at the forward-input place `path`; faults point to `given`, the place in the payload."""
        self.forward.places[given] = path
        node = self.value(node, path, given)
        jobs = []
        for source, target in self.profile.move:
            shared = shared_segments(source, target)
            if Place(source.segments[:shared]).is_at(path):
                found = shape_rules.places(node, given, target.segments[shared:])
                jobs += [(place, value, source.segments[shared:]) for place, value in found if is_named(node, place, given)]
        order = {exact(place): number for number, (place, _) in enumerate(shape_rules.walk(node, given))}
        jobs.sort(key=lambda job: order[exact(job[0])])
        for place, _, _ in jobs:
            take_out(node, given, place)
        node = self.children(node, path, given)
        for place, value, names in jobs:
            value = self.run(value, path + tuple(names), place)
            shape_rules.put_in(node, names, value, place, self.faults)
        return node

    def children(self, node, path, given):
        if isinstance(node, Object):
            members = []
            for member in node.members:
                here = given + (member.name.content,)
                around, name = self.home(path, member.name.content, here)
                place = path + tuple(around) + (name,)
                self.forward.places[here] = place
                member.output = member.name if name == member.name.content else Text(name)
                member.value = self.run(member.value, place, here)
                members.append((around, member))
            node.members = [member for around, member in members if not around]
            self.restore(node, [(around, member) for around, member in members if around], given)
        elif isinstance(node, Array):
            node.items = [self.run(item, path + (i,), given + (i,)) for i, item in zip(node.indices, node.items)]
        return node

    def home(self, path, key, here):
        """The names of the flattened objects that a member was in, mostly none, and its own."""
        for rule in self.profile.restored:
            place = path + (rule.own_name,)
            if not Place(rule.parent).is_at(path) or not rule.is_member(key) or any(
                    self.forward.replaces_backwards(place[:length]) for length in range(len(place) + 1)):
                continue
            quiet = Inversion(self.forward)
            quiet.faults = lambda *_: None
            # null stays in the place of the object.
            if quiet.name(path, here, key) != rule.own_name:
                around, name = self.home(place, key[len(rule.prefix):], here)
                return [rule.own_name] + around, name
        return [], self.name(path, here, key)

    @classmethod
    def restore(cls, node, members, given):
        """Puts members into the objects that they were in, which are made at the end of the one around them."""
        inside = {}
        for around, member in members:
            inside.setdefault(around[0], []).append((around[1:], member))
        for name, those in inside.items():
            first = those[0][1]
            restored = Object()
            node.members.append(shape_rules.made(name, restored, given + (first.name.content,)))
            for around, member in those:
                if not around:
                    member.place = given + (member.name.content,)
                    restored.members.append(member)
            cls.restore(restored, [(around, member) for around, member in those if around], given)

    def name(self, path, here, key=None):
        """The input name that the forward direction turns into the given one at this place."""
        key, profile = here[-1] if key is None else key, self.profile
        literals = [(literal_name(selector), selector) for selector, target in profile.rename if target == key]
        candidates = {name for name, selector in literals if name is not None and selector.matches(path + (name,))}
        fitting = [name for name in candidates
                   if best(profile.rename, path + (name,)) == key and self.is_inverse(path, name, key)]
        if len(fitting) == 1:
            return fitting[0]
        name = key if self.is_untouched(path + (key,)) else profile.keys_back.converted(key)
        if not fitting and self.is_inverse(path, name, key):
            return name
        if profile.on.get("lossyKey", "keep") == "error":
            self.faults("lossyKey", here)
        return key

    def renamed(self, rule, node):
        if not isinstance(node, Text):
            raise BadValue("no string")
        quiet = Inversion(self.forward)
        quiet.faults = lambda *_: None

        def resolve(path, key):
            if path is None:
                return key, None
            if isinstance(key, int) or any(self.forward.replaces_backwards(path[:length]) for length in range(len(path) + 1)):
                return key, path + (key,)
            name = quiet.name(path, (key,))
            return name, path + (name,)

        return Text(value_names.translated(self.forward, rule.rule, node.content, resolve))

    def is_inverse(self, path, name, key):
        return self.forward.name(path + (name,)) == key

    def is_untouched(self, place):
        profile = self.profile
        is_excepted = any(selector.matches(place) for selector in profile.excepted)
        return profile.keys_back is None or is_excepted or profile.is_in_opaque(place)

    def value(self, node, path, given):
        rule = best(self.profile.rules, path)
        if rule is None or (isinstance(node, Literal) and node.text == "null"):
            return node
        if not isinstance(rule, DateRule) and rule.rule.get("as") == "json":
            self.forward.quoted.add(given)
        try:
            if isinstance(rule, DateRule):
                back = date_back(rule, node)
            elif rule.rule.get("as") in NAMES:
                back = self.renamed(rule, node)
            else:
                back = value_back(rule.rule, node)
        except (NotADate, BadValue):
            if self.profile.policy("badValue") == "error":
                self.faults("badValue", given)
            return Literal("null") if self.profile.policy("badValue") == "null" else node
        same = isinstance(node, Text) and isinstance(back, Text) and node.content == back.content
        return node if same else back


def shared_segments(source, target):
    """How many leading segments two pointers share, one short of either at the most."""
    limit = min(len(source.segments), len(target.segments)) - 1
    shared = 0
    while shared < limit and source.segments[shared] == target.segments[shared]:
        shared += 1
    return shared


class Place:
    """A pointer pattern without `**`."""

    def __init__(self, segments):
        self.segments = segments

    def is_at(self, path):
        return len(path) == len(self.segments) and all(
            part is ANY or part == str(step) for part, step in zip(self.segments, path))


def is_named(node, place, given):
    """Whether only objects lie between a node and a place below it: moves put nothing into arrays."""
    return all(isinstance(step, str) for step in place[len(given):])


def take_out(node, path, place):
    """Takes out the value at a place, and the parents that this empties."""
    for child_path, child in shape_rules.children(node, path):
        if exact(child_path) == exact(place):
            shape_rules.filter_children(node, path, lambda item, _: item is not child)
            return
        if exact(child_path) == exact(place[:len(child_path)]):
            take_out(child, child_path, place)
            if not shape_rules.children(child, child_path):
                shape_rules.filter_children(node, path, lambda item, _: item is not child)
            return


def literal_name(selector):
    """The one name that a selector can match, or None."""
    if selector.is_pointer:
        return selector.segments[-1] if isinstance(selector.segments[-1], str) else None
    return selector.runs[0] if selector.rank != RANK_NAME_STAR else None


def date_back(rule, node):
    """Read with `zone`, written as the first `from` in `assumeZone`, else UTC."""
    if rule.sources[0] in UNREADABLE:
        return node
    back = DateRule({"at": [], "from": [rule.target], "to": rule.sources[0], "assumeZone": rule.zone.name,
                     "zone": rule.assumed.name if rule.assumed else "UTC"})
    return back.rewritten(node)


def value_back(rule, node):
    """Reverses `map`, `json` and a relative `url`; lossy rules leave the value."""
    if rule.get("as") == "json":
        return Text(Writer().write(node))
    base = rule.get("relativeTo", "").rstrip("/")
    if isinstance(node, (Array, Object)) and ("map" in rule or base):
        raise BadValue("a container")
    if "map" in rule:
        return map_back(rule["map"], node)
    if rule["as"] == "url" and base and isinstance(node, Text) and node.content[:1] == "/" != node.content[1:2]:
        return Text(base + node.content)
    return node


def map_back(table, node):
    """The key of the entry that says what the node says; one that spells a number or boolean loses its quotes."""
    sought = Writer(escapes="minimal").write(node)
    for key, target in table.items():
        if Writer(escapes="minimal").write(scalar(target)) == sought:
            if key in ("true", "false"):
                return Literal(key)
            return Number(key) if NUMBER.fullmatch(key) else Text(key)
    raise BadValue("not in the table")
