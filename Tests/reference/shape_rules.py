"""Rules that change which members there are: keep, drop, require, move, flatten, defaults, prune."""

from json_text import Array, Literal, Member, Object, Text, exact
from selectors import ANY, ANY_DEPTH, best


def children(node, path):
    """(child path, child) of a container, by input names and indices."""
    if isinstance(node, Object):
        return [(path + (member.name.content,), member.value) for member in node.members]
    if isinstance(node, Array):
        return [(path + (index,), item) for index, item in zip(node.indices, node.items)]
    return []


def filter_children(node, path, stays):
    """Takes out the children for which `stays` says no; arrays close up, indices stay the input's."""
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

    # Around the document only paths keep all below them.
    if selectors and not any(selector.is_pointer and selector.below(base) for selector in selectors):
        stays(root, base)


def keep_in_scopes(node, path, scopes):
    """Of each place that a scope names only the listed members stay."""
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
    """Whether a pointer passes the place segment by segment before its first `**`."""
    if not selector.is_pointer or len(path) >= len(selector.segments):
        return False
    walked = selector.segments[:len(path)]
    return all(part is ANY or part == str(step) for part, step in zip(walked, path))


def unwrapped(root, names):
    """The value that the first members of these names lead to, or None."""
    path = ()
    for name in names:
        root = next((child for child_path, child in children(root, path) if str(child_path[-1]) == name), None)
        if root is None:
            return None
    return root


def wrapped(root, names, others):
    """The value in an object of other members, at the place of the names."""
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
    """Whether something below the place may be meant."""
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
    """Paths that `require` misses, where `absent` ones count as left out. Where several parents are missing too, each may be called the missing place."""
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
    """(path, node) of everything in the input that the segments (without `**`) name."""
    if not segments:
        return [(path, node)]
    found = []
    for child_path, child in children(node, path):
        if segments[0] is ANY or segments[0] == str(child_path[-1]):
            found.extend(places(child, child_path, segments[1:]))
    return found


def move(root, rules, fault, base=()):
    """Takes all sources out, then puts them in, in input order, at the end of their new parents."""
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
    # From the inside out, since one source may stand in another.
    for _, path, value, _, _ in reversed(jobs):
        take_out(root, base, path)
    for _, path, value, anchor, target in jobs:
        put_in(anchor, target, value, path, fault)


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


def put_in(parent, target, value, source, fault):
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
        fault("move", source)


def made(name, value, place):
    """A member that the input did not have at this place."""
    member = Member(Text(name), value)
    member.place = place
    return member


def flatten(node, path, rules, embedded, fault):
    """The members of objects take their places, from the inside out. No rule looks into JSON that a string held."""
    if any(node is text for text in embedded):
        return
    if isinstance(node, Array):
        for place, item in children(node, path):
            flatten(item, place, rules, embedded, fault)
            if best(rules, place) is not None and not is_null(item):
                fault("flatten", place)
    if not isinstance(node, Object):
        return
    members = []
    for member in node.members:
        place = member.place or path + (member.name.content,)
        flatten(member.value, place, rules, embedded, fault)
        prefix = best(rules, place)
        if prefix is None or is_null(member.value):
            members.append(member)
        elif not isinstance(member.value, Object) or any(member.value is text for text in embedded):
            fault("flatten", place)
        else:
            for inner in member.value.members:
                inner.place = inner.place or place + (inner.name.content,)
                inner.output = Text(prefix + inner.output.content) if prefix else inner.output
                members.append(inner)
    node.members = members


def is_null(value):
    return isinstance(value, Literal) and value.text == "null"


def prune(node, options):
    """Bottom up; the root itself is never pruned."""
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
    """Adds a member where it is absent; `*` means what exists, missing literal parents are made."""
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
