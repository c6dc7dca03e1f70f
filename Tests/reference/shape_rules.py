"""Rules that add, remove, move or require members: keep, drop, require, move, flatten, defaults, prune."""

from json_text import Array, Literal, Member, Object, Text, exact
from selectors import ANY, ANY_DEPTH, best


def children(node, path):
    """The (child path, child) pairs of a container; paths have the input's keys and indices."""
    if isinstance(node, Object):
        return [(path + (member.name.content,), member.value) for member in node.members]
    if isinstance(node, Array):
        return [(path + (index,), item) for index, item in zip(node.indices, node.items)]
    return []


def filter_children(node, path, stays):
    """Removes the children for which `stays` is false; the remaining elements keep the indices of the input."""
    if isinstance(node, Object):
        node.members = [m for m in node.members if stays(m.value, path + (m.name.content,))]
    elif isinstance(node, Array):
        kept = [(i, item) for i, item in zip(node.indices, node.items) if stays(item, path + (i,))]
        node.indices = [index for index, _ in kept]
        node.items = [item for _, item in kept]


def keep(root, selectors, base=()):
    def stays(node, path):
        if any(selector.matches(path) for selector in selectors):
            return True
        filter_children(node, path, stays)
        if not isinstance(node, (Object, Array)):
            return False
        return bool(children(node, path)) or any(walks_through(selector, path) for selector in selectors)

    if selectors and not any(selector.below(base) for selector in selectors):
        stays(root, base)


def keep_in_scopes(node, path, scopes):
    """Keeps only the listed members of each object that a scope matches."""
    listed_members = best(scopes, path)
    if listed_members is not None:
        def stays(child, child_path):
            way = child_path[len(path):]
            if any(leads(segments, way) and len(segments) == len(way) for segments in listed_members):
                return True
            filter_children(child, child_path, stays)
            return isinstance(child, (Object, Array)) and any(leads(segments, way) for segments in listed_members)

        filter_children(node, path, stays)
    for child_path, child in children(node, path):
        keep_in_scopes(child, child_path, scopes)


def leads(segments, way):
    return len(segments) >= len(way) and all(part is ANY or part == str(step) for part, step in zip(segments, way))


def walks_through(selector, path):
    """Whether the first segments of a pointer, before any `**`, match the whole path."""
    if not selector.is_pointer or len(path) >= len(selector.segments):
        return False
    walked = selector.segments[:len(path)]
    return all(part is ANY or part == str(step) for part, step in zip(walked, path))


def unwrapped(root, names):
    """The value at the path of these keys, or None; the first of equal keys counts."""
    path = ()
    for name in names:
        root = next((child for child_path, child in children(root, path) if str(child_path[-1]) == name), None)
        if root is None:
            return None
    return root


def wrapped(root, names, others):
    """An object with other members, and with the value at the path of these keys."""
    wrapper = parent = others or Object()
    for name in names[:-1]:
        standing = [member.value for member in parent.members if member.output.content == name]
        if not standing:
            standing = [Object()]
            parent.members.append(Member(Text(name), standing[0]))
        parent = standing[0]
    parent.members.append(Member(Text(names[-1]), root))
    return wrapper


def may_lead_below(selector, path):
    """Whether the selector may match a path below this one."""
    def leads(step, part):
        if part == len(selector.segments):
            return False
        if step == len(path):
            return True
        expected = selector.segments[part]
        if expected is ANY_DEPTH:
            return True
        return (expected is ANY or expected == str(path[step])) and leads(step + 1, part + 1)

    return not selector.is_pointer or leads(0, 0)


def drop(root, selectors, base=()):
    def stays(node, path):
        if any(selector.matches(path) for selector in selectors):
            return False
        filter_children(node, path, stays)
        return True

    if selectors:
        filter_children(root, base, stays)


def missing(root, selector, absent=frozenset(), base=()):
    """The missing paths of `require`; `absent` ones count as missing. If parents are missing too, each path may be reported."""
    segments = selector.segments
    last_star = max((i for i, part in enumerate(segments) if part is ANY), default=-1)
    found = []

    def visit(node, path, step):
        if step == len(segments):
            return
        matching = [(p, child) for p, child in children(node, path)
                    if segments[step] in (ANY, str(p[-1])) and exact(p) not in absent]
        for child_path, child in matching:
            visit(child, child_path, step + 1)
        if not matching and step > last_star:
            found.append([path + tuple(segments[step:end]) for end in range(len(segments), step, -1)])

    visit(root, base, len(base))
    return found


def places(node, path, segments):
    """The (path, node) pairs of the input that the segments (without `**`) match."""
    if not segments:
        return [(path, node)]
    found = []
    for child_path, child in children(node, path):
        if segments[0] is ANY or segments[0] == str(child_path[-1]):
            found.extend(places(child, child_path, segments[1:]))
    return found


def move(root, rules, error, base=()):
    """Removes all sources, then adds them in input order at the end of their new parents."""
    order = {exact(path): number for number, (path, _) in enumerate(walk(root, base))}
    jobs = []
    for source, target in rules:
        shared = 0
        limit = min(len(source.segments), len(target.segments)) - 1
        while shared < limit and source.segments[shared] == target.segments[shared]:
            shared += 1
        for anchor_path, anchor in places(root, base, source.segments[len(base):shared]):
            for path, value in places(anchor, anchor_path, source.segments[shared:]):
                jobs.append((order[exact(path)], path, value, anchor, target.segments[shared:]))
    jobs.sort(key=lambda job: job[0])
    # Inner values first, since one source may be inside another.
    for _, path, value, _, _ in reversed(jobs):
        take_out(root, base, path)
    for _, path, value, anchor, target in jobs:
        put_in(anchor, target, value, path, error)


def walk(node, path):
    yield path, node
    for child_path, child in children(node, path):
        yield from walk(child, child_path)


def take_out(node, path, target):
    for child_path, child in children(node, path):
        if exact(child_path) == exact(target):
            filter_children(node, path, lambda item, _: item is not child)
            return
        if exact(child_path) == exact(target[:len(child_path)]):
            take_out(child, child_path, target)


def put_in(parent, target, value, source, error):
    for name in target[:-1]:
        if not isinstance(parent, Object):
            break
        standing = [member.value for member in parent.members if member.output.content == name]
        if not standing:
            standing = [Object()]
            parent.members.append(made(name, standing[0], source))
        parent = standing[0]
    if isinstance(parent, Object):
        parent.members.append(made(target[-1], value, source))
    else:
        error("move", source)


def made(name, value, place):
    """A new member; `place` is the path in the input from which it comes."""
    member = Member(Text(name), value)
    member.place = place
    return member


def flatten(node, path, rules, embedded, error):
    """Replaces objects by their members, inner objects first. No rule applies inside JSON from a string."""
    if any(node is text for text in embedded):
        return
    if isinstance(node, Array):
        for place, item in children(node, path):
            flatten(item, place, rules, embedded, error)
            if best(rules, place) is not None and not is_null(item):
                error("flatten", place)
    if not isinstance(node, Object):
        return
    members = []
    for member in node.members:
        place = member.place or path + (member.name.content,)
        flatten(member.value, place, rules, embedded, error)
        prefix = best(rules, place)
        if prefix is None or is_null(member.value):
            members.append(member)
        elif not isinstance(member.value, Object) or any(member.value is text for text in embedded):
            error("flatten", place)
        else:
            for inner in member.value.members:
                inner.place = inner.place or place + (inner.name.content,)
                inner.output = Text(prefix + inner.output.content) if prefix else inner.output
                members.append(inner)
    node.members = members


def is_null(value):
    return isinstance(value, Literal) and value.text == "null"


def prune(node, options):
    """Removes empty values, inner ones first; the root itself is never removed."""
    def empty(value):
        if isinstance(value, Literal):
            return value.text == "null" and options.get("null", False)
        if isinstance(value, Text):
            return value.content == "" and options.get("emptyString", False)
        if isinstance(value, Array):
            return not value.items and options.get("emptyArray", False)
        return isinstance(value, Object) and not value.members and options.get("emptyObject", False)

    if isinstance(node, Object):
        for member in node.members:
            prune(member.value, options)
        node.members = [member for member in node.members if not empty(member.value)]
    elif isinstance(node, Array):
        for item in node.items:
            prune(item, options)
        if options.get("inArrays", False):
            filter_children(node, (), lambda item, _: not empty(item))


def add_default(node, segments, value):
    """Adds a member if it is absent. `*` matches only existing children; missing literal parents are made."""
    if segments[0] is ANY:
        for _, child in children(node, ()):
            if len(segments) > 1:
                add_default(child, segments[1:], value)
        return
    if not isinstance(node, Object):
        return
    standing = [member.value for member in node.members if member.output.content == segments[0]]
    if len(segments) == 1:
        if not standing:
            node.members.append(made(segments[0], value, None))
    elif standing:
        for child in standing:
            add_default(child, segments[1:], value)
    elif ANY not in segments and ANY_DEPTH not in segments:
        parent = Object()
        node.members.append(made(segments[0], parent, None))
        add_default(parent, segments[1:], value)
