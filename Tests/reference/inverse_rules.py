"""The inverse of a profile: restores keys, values and dates.

Rules are selected by the path in the forward input. `drop`, `keep`, `prune`, `defaults` and `require` do not apply
to the inverse direction.
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
    """One inverse pass over one value, given the forward conversion of the same profile."""

    def __init__(self, forward):
        self.forward = forward
        self.profile = forward.profile
        self.errors = forward.errors

    def run(self, node, path, given):
        """Inverts the value at `path` of the forward input; errors point to `given`, its path in the payload."""
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
            shape_rules.put_in(node, names, value, place, self.errors)
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
        """The keys of the flattened objects that contained a member, usually none, and the member's own key."""
        for rule in self.profile.restored:
            place = path + (rule.own_name,)
            if not Place(rule.parent).is_at(path) or not rule.is_member(key) or self.is_replaced(place):
                continue
            quiet = Inversion(self.forward)
            quiet.errors = lambda *_: None
            # null in place of the object is not flattened.
            if quiet.name(path, here, key) != rule.own_name:
                around, name = self.home(place, key[len(rule.prefix):], here)
                return [rule.own_name] + around, name
        return [], self.name(path, here, key)

    def is_replaced(self, place):
        """Whether a value of the document becomes null with what is at `place`. Rules for the objects around the document do nothing."""
        return any(self.forward.replaces_backwards(place[:length]) for length in range(len(self.profile.base), len(place) + 1))

    @classmethod
    def restore(cls, node, members, given):
        """Puts members back into their objects, which are added at the end of the surrounding object."""
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
        """The input key that the forward direction converts to the given key at this path."""
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
            self.errors("lossyKey", here)
        return key

    def renamed(self, rule, node):
        if not isinstance(node, Text):
            raise BadValue("no string")
        quiet = Inversion(self.forward)
        quiet.errors = lambda *_: None

        def resolve(path, key):
            if path is None:
                return key, None
            if isinstance(key, int) or self.is_replaced(path):
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
            if self.profile.bad_value(rule) == "error":
                self.errors("badValue", given)
            return Literal("null") if self.profile.bad_value(rule) == "null" else node
        same = isinstance(node, Text) and isinstance(back, Text) and node.content == back.content
        return node if same else back


def shared_segments(source, target):
    """The number of leading segments that two pointers share; at most all segments except the last of the shorter one."""
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
    """Whether there are only objects between a node and a path below it: moves put nothing into arrays."""
    return all(isinstance(step, str) for step in place[len(given):])


def take_out(node, path, place):
    """Removes the value at a path, and parents that become empty."""
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
    """The only key that a selector can match, or None."""
    if selector.is_pointer:
        return selector.segments[-1] if isinstance(selector.segments[-1], str) else None
    return selector.runs[0] if selector.rank != RANK_NAME_STAR else None


def date_back(rule, node):
    """Reads the date with `zone`, and writes it as the first `from` in `assumeZone`, or else in UTC."""
    if rule.sources[0] in UNREADABLE:
        return node
    back = DateRule({"at": [], "from": [rule.target], "to": rule.sources[0], "assumeZone": rule.zone.name,
                     "zone": rule.assumed.name if rule.assumed else "UTC"})
    return back.rewritten(node)


def value_back(rule, node):
    """Reverses `map`, `json` and a relative `url`; one-way rules do not change the value."""
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
    """The key of the entry with the node's value; a key that spells a number or boolean is written without quotes."""
    sought = Writer(escapes="minimal").write(node)
    for key, target in table.items():
        if Writer(escapes="minimal").write(scalar(target)) == sought:
            if key in ("true", "false"):
                return Literal(key)
            return Number(key) if NUMBER.fullmatch(key) else Text(key)
    raise BadValue("not in the table")
