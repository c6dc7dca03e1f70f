#!/usr/bin/env python3
"""A slow and simple converter for mapping profiles: an independent implementation of the specification for the tests.

    convert_reference.py --profile PROFILE [--ndjson] < payload > converted

Exit code 65 and `code pointer` on stderr for an error in the payload, 78 for a profile that does not load.
"""

import argparse
import sys

import json_text
import shape_rules
import value_names
from dates import DateRule
from instants import NotADate
from inverse_rules import UNREADABLE, Inversion, Place, date_back, literal_name, shared_segments
from json_text import Array, Literal, Object, PayloadError, Text, Writer, exact, pointer, utf8
from profile_rules import BadProfile, KeyPattern, Profile, tree
from selectors import BadSelector, Selector, best
from value_rules import NAMES, BadValue


class Errors:
    """All errors of one payload. `certain` ones must stop the conversion; `possible` ones may."""

    def __init__(self):
        self.certain = []
        self.possible = []

    def __call__(self, code, path, certain=True):
        (self.certain if certain else self.possible).append((code, path))

    def forget_those_in(self, removed, with_names):
        """Removes duplicate-key errors in records that were left out, or of their keys: duplicates are found before records are removed."""
        def stays(path):
            return not any(exact(path[:length]) in removed for length in range(len(path) + with_names))

        self.certain = [(code, path) for code, path in self.certain if stays(path)]


class Conversion:
    """One pass of the fixed order of operations over one value."""

    def __init__(self, profile, absent=frozenset(), forward=True):
        self.profile = profile
        self.forward = forward
        # Bad records; `require` treats them as left out.
        self.absent = absent
        self.errors = Errors()
        # The values parsed from JSON in strings: no rule applies inside them.
        self.embedded = []
        # The inverse: for each path in its payload, the path in the forward input.
        self.places = {}
        # Paths in the inverse's payload whose values become strings: the values inside them have no path in the forward input.
        self.quoted = set()

    def inverse(self, root):
        """The inverse direction: restores keys, values and dates."""
        given = tuple(self.profile.wrap[0]) if self.profile.wrap else ()
        root = self.unwrapped(root, given)
        if root is None:
            return Object()
        root = Inversion(self).run(root, self.profile.base, given)
        self.collisions(root, given, True)
        return root

    def unwrapped(self, root, names):
        root = shape_rules.unwrapped(root, names)
        if root is None:
            self.errors("require", names)
        return root

    def run(self, root):
        profile, base = self.profile, self.profile.base
        root = self.unwrapped(root, base)
        if root is None:
            return Object()
        for selector in profile.require:
            for alternatives in shape_rules.missing(root, selector, self.absent, base):
                self.errors("require", alternatives[0])
                for path in alternatives[1:]:
                    self.errors("require", path, certain=False)
        shape_rules.keep(root, profile.keep, base)
        if profile.scopes:
            shape_rules.keep_in_scopes(root, base, profile.scopes)
        shape_rules.drop(root, profile.drop, base)
        root = self.values(root, base)
        self.names(root, base)
        shape_rules.move(root, profile.move, self.errors, base)
        if profile.flatten:
            flattened = [(rule.selector, rule.prefix) for rule in profile.flatten]
            shape_rules.flatten(root, base, flattened, self.embedded, self.errors)
        if profile.prune:
            shape_rules.prune(root, profile.prune)
        for selector, value in profile.defaults:
            shape_rules.add_default(root, selector.segments, value)
        self.collisions(root, base, True)
        return root

    def duplicates(self, node, path, masks=True):
        """on.duplicateKey, applied to the input, but not inside masked values. Values that are removed are not masked."""
        policy = self.profile.policy("duplicateKey")
        masks = masks and self.may_stay(path)
        inside = len(path) >= len(self.profile.base)
        if masks and inside and isinstance(node, (Object, Array)) and is_mask(best(self.profile.rules, path)):
            return
        rule = best(self.profile.rules, path)
        if inside and rule is not None and self.profile.bad_value(rule) == "null":
            masks = False
        if isinstance(node, Object):
            members = node.members[::-1] if policy == "last" else node.members
            seen, kept = set(), []
            for member in members:
                if member.name.content in seen and policy == "error":
                    self.errors("duplicateKey", path + (member.name.content,))
                if member.name.content not in seen or policy in ("keep", "error"):
                    kept.append(member)
                seen.add(member.name.content)
            node.members = kept[::-1] if policy == "last" else kept
        for child_path, child in shape_rules.children(node, path):
            self.duplicates(child, child_path, masks)

    def may_stay(self, path):
        """Whether neither `drop` nor `keep` removes the value at a path, whatever it is, if its parents stay."""
        profile = self.profile
        base = profile.base
        if not self.forward or path[:len(base)] != base[:len(path)]:
            return False
        if len(path) <= len(base):
            return True
        if any(selector.matches(path) for selector in profile.drop):
            return False
        if not self.may_stay_in_scopes(path):
            return False
        return not profile.keep or any(
            selector.matches(path[:length]) for selector in profile.keep for length in range(len(path) + 1)
        ) or any(shape_rules.may_lead_below(selector, path) for selector in profile.keep)

    def may_stay_in_scopes(self, path):
        for length in range(len(self.profile.base), len(path)):
            members = best(self.profile.scopes, path[:length])
            way = path[length:]
            if members is not None and not any(shape_rules.leads(segments, way[:len(segments)]) for segments in members):
                return False
        return True

    def is_at(self, selector, place):
        """Whether a selector matches a path of the payload."""
        given = tuple(self.profile.wrap[0]) if self.profile.wrap else ()
        if not self.forward and place[:len(given)] != given:
            return False
        is_quoted = any(place[:length] in self.quoted for length in range(len(place)))
        return not is_quoted and selector.matches(self.places.get(place, place))

    def values(self, node, path):
        """`values` and `dates`: at most one rule applies to a path, and scanning comes last."""
        rule = best(self.profile.rules, path)
        is_null = isinstance(node, Literal) and node.text == "null"
        if rule and not is_null:
            try:
                after = same_spelling(node, self.renamed(rule, node) if is_of_names(rule) else rule.rewritten(node))
                if self.profile.round_trip and isinstance(rule, DateRule):
                    self.refuse_other(node, date_back(rule, after))
                if isinstance(after, (Object, Array)):
                    self.embedded.append(after)
                return after
            except (NotADate, BadValue):
                if self.profile.bad_value(rule) == "error":
                    self.errors("badValue", path)
                if self.profile.bad_value(rule) == "null":
                    return Literal("null")
        elif self.profile.scan and not rule:
            node = same_spelling(node, self.profile.scan.scanned(node))
        if isinstance(node, Object):
            for member in node.members:
                member.value = self.values(member.value, path + (member.name.content,))
        elif isinstance(node, Array):
            node.items = [self.values(item, path + (i,)) for i, item in zip(node.indices, node.items)]
        return node

    def renamed(self, rule, node):
        """The converted text of a value that contains keys."""
        if not isinstance(node, Text):
            raise BadValue("no string")
        return Text(value_names.translated(self, rule.rule, node.content, self.resolved))

    def resolved(self, path, name):
        """The output key of a member, and its path; the path is None if the member is removed or has no known path."""
        here = None if path is None else path + (name,)
        if here is None or not all(self.may_stay(here[:length]) for length in range(len(here) + 1)):
            return name, None
        if any(self.replaces(here[:length]) for length in range(len(here))):
            return name, here
        return (name if isinstance(name, int) else self.name(here)), here

    def replaces_backwards(self, place):
        rule = best(self.profile.rules, place)
        if rule is None or self.profile.bad_value(rule) != "null":
            return False
        if isinstance(rule, DateRule):
            return rule.sources[0] not in UNREADABLE
        return "map" in rule.rule or rule.rule["as"] in NAMES or rule.rule["as"] == "url" and "relativeTo" in rule.rule

    def replaces(self, place):
        rule = best(self.profile.rules, place)
        return rule is not None and (is_mask(rule) or self.profile.bad_value(rule) == "null")

    def names(self, node, path):
        if any(node is embedded for embedded in self.embedded):
            return
        if isinstance(node, Object):
            for member in node.members:
                name = self.name(path + (member.name.content,))
                member.output = member.name if name == member.name.content else Text(name)
                if self.profile.round_trip and not self.moves(path + (member.name.content,)):
                    self.refuse_lossy(path, member.name.content, name)
        for child_path, child in shape_rules.children(node, path):
            self.names(child, child_path)

    def refuse_lossy(self, path, name, output):
        """roundTrip required: the inverse must neither confuse a member with another one nor give it another key."""
        profile, here = self.profile, path + (name,)
        put_here = any(Place(source.segments[:shared]).is_at(path) and target.segments[shared:] == [output]
                       for source, target in profile.move for shared in [shared_segments(source, target)])
        taken = False
        if best(profile.rename, here) is None and not profile.is_in_opaque(here):
            rivals = [path + (literal_name(selector),) for selector, target in profile.rename
                      if target == output and literal_name(selector) is not None
                      and selector.matches(path + (literal_name(selector),))]
            taken = any(best(profile.rename, rival) == output for rival in rivals)
        if put_here or taken:
            self.errors("collision", here)
            return
        back = Inversion(Conversion(profile))
        if back.name(path, path + (output,)) != name or back.errors.certain:
            self.errors("lossyKey", here)

    def moves(self, place):
        return any(source.matches(place) for source, _ in self.profile.move)

    @staticmethod
    def refuse_other(before, back):
        """roundTrip required: the inverse must restore a date exactly."""
        if type(before) is not type(back) or text_of(before) != text_of(back):
            raise NotADate("comes back as another text")

    def name(self, path):
        """The output key at a path: opaque, then rename, then except, then the case rule."""
        profile = self.profile
        if profile.is_in_opaque(path):
            return path[-1]
        renamed, name = best(profile.rename, path), path[-1]
        if isinstance(renamed, KeyPattern):
            name = renamed.written(name)
        elif renamed is not None:
            return renamed
        if profile.keys is None or any(selector.matches(path) for selector in profile.excepted):
            return name
        return profile.keys.converted(name)

    def collisions(self, node, path, certain):
        """on.collision: members with the same input key are kept or removed together."""
        losers = set()
        if isinstance(node, Object):
            policy = self.profile.policy("collision")
            groups = {}
            for member in node.members:
                origin = member.place or path + (member.name.content,)
                groups.setdefault(member.output.content, {}).setdefault(origin, []).append(member)
            for group in groups.values():
                if len(group) > 1 and policy == "error":
                    for origin in self.later(group, node.members):
                        self.errors("collision", origin, certain)
                elif len(group) > 1 and policy != "keep":
                    order = node.members if policy == "first" else node.members[::-1]
                    names = {id(member): origin for origin in group for member in group[origin]}
                    winner = next(names[id(member)] for member in order if id(member) in names)
                    for origin in group:
                        if origin != winner:
                            losers.update(id(member) for member in group[origin])
        if isinstance(node, Object):
            for member in node.members:
                inner = member.place or path + (member.name.content,)
                self.collisions(member.value, inner, certain and id(member) not in losers)
            node.members = [member for member in node.members if id(member) not in losers]
        elif isinstance(node, Array):
            for child_path, child in shape_rules.children(node, path):
                self.collisions(child, child_path, certain)

    def later(self, group, members):
        """The origins of members that come after a member with another input key and the same output key."""
        first = list(group)[0]
        later = [origin for origin in group if origin != first]
        order = {id(member): number for number, member in enumerate(members)}
        start = min(order[id(member)] for origin in later for member in group[origin])
        if any(order[id(member)] > start for member in group[first]):
            later.append(first)
        return later


def is_of_names(rule):
    return not isinstance(rule, DateRule) and rule.rule.get("as") in NAMES


def is_mask(rule):
    return rule is not None and not isinstance(rule, DateRule) and rule.rule.get("as") == "mask"


def text_of(node):
    return node.content if isinstance(node, Text) else node.text


def same_spelling(before, after):
    """The old node if a rule does not change a string's content, so that the string keeps its escapes; else the new one."""
    if isinstance(before, Text) and isinstance(after, Text) and before.content == after.content:
        return before
    return after


def convert_value(profile, data, writer, errors, at=None, run=Conversion.run):
    """The output for one JSON text, or None after errors; records that `onError` removes are removed first."""
    action = profile.records.get("onError", "fail")
    selector = Selector(at) if at else None
    removed = set()
    while True:
        try:
            root = json_text.parse(data)
        except PayloadError as error:
            errors(error.code, tuple())
            # A scalar that is cut off may also be an error when it is complete.
            partial = Conversion(profile, forward=run is Conversion.run)
            found = error.partial if error.partial is not None else Text("")
            partial.duplicates(found, ())
            run(partial, found)
            errors.possible.extend(partial.errors.certain + partial.errors.possible)
            return None
        conversion = Conversion(profile, removed, run is Conversion.run)
        conversion.duplicates(root, ())
        conversion.errors.forget_those_in(removed, action == "skip")
        take_out_records(root, (), removed, action)
        root = run(conversion, root)
        bad = set()
        if selector and action != "fail":
            bad = bad_records(conversion, selector) - removed
        if bad:
            removed |= bad
            continue
        errors.certain.extend(conversion.errors.certain)
        errors.possible.extend(conversion.errors.possible)
        return None if conversion.errors.certain else writer.write(in_envelope(profile, root, run is Conversion.run))


def in_envelope(profile, root, forward=True):
    if forward and profile.wrap:
        return shape_rules.wrapped(root, profile.wrap[0], tree(profile.wrap[1]))
    if not forward and profile.base:
        return shape_rules.wrapped(root, profile.base, None)
    return root


def bad_records(conversion, selector):
    """The records with errors. Collisions count only without other errors; collisions of records only without any inside records."""
    def records(errors, depths):
        return {exact(path[:n]) for _, path in errors for n in depths(path) if conversion.is_at(selector, path[:n])}

    errors = conversion.errors.certain
    others = [error for error in errors if error[0] != "collision"]
    if others:
        return records(others, lambda path: range(len(path) + 1))
    return records(errors, lambda path: range(len(path))) or records(errors, lambda path: [len(path)])


def take_out_records(root, path, removed, action):
    def stays(node, child_path):
        take_out_records(node, child_path, removed, action)
        return exact(child_path) not in removed

    if action == "skip":
        shape_rules.filter_children(root, path, stays)
    elif isinstance(root, Array):
        root.items = [Literal("null") if exact(path + (i,)) in removed else item for i, item in zip(root.indices, root.items)]
        for child_path, child in shape_rules.children(root, path):
            take_out_records(child, child_path, removed, action)
    elif isinstance(root, Object):
        for member in root.members:
            if exact(path + (member.name.content,)) in removed:
                member.value = Literal("null")
            take_out_records(member.value, path + (member.name.content,), removed, action)


def convert_lines(profile, data, errors):
    """NDJSON: each line is a record, blank lines are removed, and every record ends in a line feed."""
    action = profile.records.get("onError", "fail")
    writer = Writer(0, profile.escapes, profile.sort_keys)
    pieces = []
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if not line.strip(b" \t\r"):
            continue
        own = Errors()
        text = None
        if line.startswith(b"\xef\xbb\xbf"):
            own("json", ())
        else:
            text = convert_value(profile, line, writer, own)
        errors.possible.extend(own.possible)
        if text is not None:
            pieces.append(text + "\n")
        elif action == "null":
            pieces.append(writer.write(in_envelope(profile, Literal("null"))) + "\n")
        elif action == "fail":
            errors.certain.extend(own.certain)
            return None
    return "".join(pieces)


def invert(profile, data):
    """(output bytes or None, Errors) for one document in the inverse direction."""
    errors = Errors()
    writer = Writer(profile.indent, profile.escapes, profile.sort_keys)
    text = convert_value(profile, data, writer, errors, profile.records.get("at"), Conversion.inverse)
    return (None if text is None else utf8(text)), errors


def convert(profile, data, lines=False):
    """(output bytes or None, Errors)."""
    errors = Errors()
    if lines:
        text = convert_lines(profile, data, errors)
    else:
        writer = Writer(profile.indent, profile.escapes, profile.sort_keys)
        text = convert_value(profile, data, writer, errors, profile.records.get("at"))
    return (None if text is None else utf8(text)), errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--profile", required=True)
    parser.add_argument("--ndjson", action="store_true")
    options = parser.parse_args()
    try:
        with open(options.profile, encoding="utf-8") as file:
            profile = Profile(file.read())
    except (BadProfile, BadSelector, OSError) as error:
        print(error, file=sys.stderr)
        return 78
    payload = sys.stdin.buffer.read()
    output, errors = convert(profile, payload, options.ndjson)
    if output is None:
        code, path = errors.certain[0]
        print(code, pointer(path), file=sys.stderr)
        return 65
    sys.stdout.buffer.write(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
