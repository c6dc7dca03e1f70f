"""Selectors of the mapping profile: pointer patterns and bare keys, their ranks and their overlaps."""

import re
from json_text import utf8

ANY = object()
ANY_DEPTH = object()

RANK_POINTER, RANK_STAR, RANK_DOUBLE_STAR, RANK_NAME, RANK_NAME_STAR = range(5)


class BadSelector(ValueError):
    """A selector that is not allowed in a profile."""


def unquote(text):
    """Resolves ~0, ~1 and ~2."""
    if re.search(r"~(?![012])", text):
        raise BadSelector(f"bad ~ in {text!r}")
    return text.replace("~2", "*").replace("~1", "/").replace("~0", "~")


def segment(text):
    if text == "*":
        return ANY
    if text == "**":
        return ANY_DEPTH
    if "*" in text:
        raise BadSelector(f"* inside the segment {text!r}")
    return unquote(text)


class Selector:
    """One compiled selector. A more specific selector has a smaller `rank`."""

    def __init__(self, source):
        if source == "":
            raise BadSelector("empty selector")
        self.source = source
        self.is_pointer = source.startswith("/")
        if self.is_pointer:
            self.segments = [segment(part) for part in source[1:].split("/")]
            if ANY_DEPTH in self.segments:
                self.rank = RANK_DOUBLE_STAR
            else:
                self.rank = RANK_STAR if ANY in self.segments else RANK_POINTER
        else:
            self.runs = [unquote(part) for part in source.split("*")]
            self.rank = RANK_NAME if len(self.runs) == 1 else RANK_NAME_STAR

    def matches(self, path):
        """Whether the selector matches `path` (keys are str, indices int)."""
        if self.is_pointer:
            return self.match_from(path, 0, 0)
        return bool(path) and isinstance(path[-1], str) and self.name_matches(path[-1])

    def name_matches(self, name):
        pattern = b".*".join(re.escape(utf8(run)) for run in self.runs)
        return re.fullmatch(pattern, utf8(name), re.DOTALL) is not None

    def match_from(self, path, step, part):
        if part == len(self.segments):
            return step == len(path)
        expected = self.segments[part]
        if expected is ANY_DEPTH:
            return any(self.match_from(path, later, part + 1) for later in range(step, len(path) + 1))
        if step == len(path) or not (expected is ANY or expected == str(path[step])):
            return False
        return self.match_from(path, step + 1, part + 1)

    def may_match(self, segments):
        """Whether the selector can match a path that these segments match."""
        if self.is_pointer:
            return sequences_overlap(tuple(self.segments), tuple(segments), ANY, ANY_DEPTH)
        return segments[-1] is ANY or self.name_matches(segments[-1])

    def may_match_near(self, segments):
        """Whether the selector can match a path that the segments match, or one above or below it."""
        mine, others = tuple(self.segments), tuple(segments)
        return any(sequences_overlap(mine[:end], others, ANY, ANY_DEPTH) for end in range(1, len(mine) + 1)) or any(
            sequences_overlap(mine, others[:end], ANY, ANY_DEPTH) for end in range(1, len(others) + 1))

    def below(self, path):
        """Whether the selector matches a proper ancestor of `path`."""
        return any(self.matches(path[:length]) for length in range(len(path)))


def overlap(left, right):
    """Whether two selectors of one rank can match the same path."""
    if left.is_pointer:
        return sequences_overlap(tuple(left.segments), tuple(right.segments), ANY, ANY_DEPTH)
    return sequences_overlap(glob_tokens(left), glob_tokens(right), None, ANY_DEPTH)


def glob_tokens(selector):
    tokens = []
    for number, run in enumerate(selector.runs):
        if number:
            tokens.append(ANY_DEPTH)
        tokens.extend(utf8(run))
    return tuple(tokens)


def sequences_overlap(left, right, one, many):
    """Whether a sequence can match both patterns; `one` matches one step and `many` any number of steps."""
    if not left and not right:
        return True
    if left and left[0] is many:
        return sequences_overlap(left[1:], right, one, many) or (
            bool(right) and sequences_overlap(left, right[1:], one, many)
        )
    if right and right[0] is many:
        return sequences_overlap(right, left, one, many)
    if not left or not right:
        return False
    agree = left[0] is one or right[0] is one or left[0] == right[0]
    return agree and sequences_overlap(left[1:], right[1:], one, many)


def best(rules, path):
    """The value of the (selector, value) pair with the most specific selector that matches `path`, or None."""
    matching = [(selector.rank, value) for selector, value in rules if selector.matches(path)]
    return min(matching, key=lambda pair: pair[0])[1] if matching else None
