"""A JSON parser that keeps the text as it was written, and a writer for its result.

Numbers keep their text, strings their raw spelling, objects their order and their duplicates.
"""

import re
import sys

MAX_DEPTH = 512
MAX_KEY_BYTES = 64 * 1024

sys.setrecursionlimit(20_000)

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*)"')
ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|(.))')
SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
SPACE = re.compile(r"[ \t\r\n]*")
SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
SHORTEST = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class PayloadError(Exception):
    """One error of a payload: its code and its JSON Pointer."""

    def __init__(self, code, pointer="", message="", partial=None):
        super().__init__(f"{code} {pointer} {message}")
        self.code = code
        self.pointer = pointer
        self.message = message
        self.partial = partial


class Text:
    """A string: its content, and its spelling in the payload (None if a rule wrote it)."""

    __slots__ = ("content", "raw")

    def __init__(self, content, raw=None):
        self.content = content
        self.raw = raw


class Name(str):
    """The key of a member; it is equal to every other key with the same text."""

    # The number of earlier members with this key in the same object.
    repetition = 0


class Number:
    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text


class Literal:
    """true, false or null."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text


class Array:
    """Elements keep their index in the input, since selectors and pointers use it after other elements were removed."""

    __slots__ = ("items", "indices")

    def __init__(self):
        self.items = []
        self.indices = []


class Member:
    """One member: its input key, its output key, and its value."""

    __slots__ = ("name", "output", "value", "place", "default")

    def __init__(self, name, value=None):
        self.name = name
        self.output = name
        self.value = value
        self.place = None
        self.default = False


class Object:
    __slots__ = ("members",)

    def __init__(self):
        self.members = []


def utf8(content):
    """The bytes by which keys are compared and sorted; a lone surrogate gets the three bytes of its code point."""
    return content.encode("utf-8", "surrogatepass")


def unescape(raw):
    """The content of a valid raw string; lone surrogates stay as code points."""
    if "\\" not in raw:
        return raw

    def one(match):
        return chr(int(match[1], 16)) if match[1] else SHORT[match[2]]

    def pair(match):
        high, low = match[0]
        return chr(0x10000 + ((ord(high) - 0xD800) << 10) + (ord(low) - 0xDC00))

    return SURROGATE_PAIR.sub(pair, ESCAPE.sub(one, raw))


def exact(path):
    """A path that distinguishes members with the same key, for sets of paths."""
    return tuple((step, getattr(step, "repetition", 0)) for step in path)


def pointer(path):
    """The RFC 6901 pointer for a tuple of keys and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


class Parser:
    """Recursive descent over one text. A container is attached before it is filled, so an error leaves a partial tree."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.root = None
        self.errors = []

    def document(self):
        self.space()
        self.value((), self.set_root, 0)
        self.space()
        if self.at != len(self.text):
            self.fail((), "text after the value")
        return self.root

    def set_root(self, node):
        self.root = node

    def fail(self, path, message, code="json"):
        raise PayloadError(code, pointer(path), f"{message} at character {self.at}", self.root)

    def space(self):
        self.at = SPACE.match(self.text, self.at).end()

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def value(self, path, attach, depth):
        character = self.peek()
        if character == "{" or character == "[":
            if depth == MAX_DEPTH:
                self.fail(path, "too deep", "limit")
            self.at += 1
            if character == "{":
                self.object(path, attach, depth + 1)
            else:
                self.array(path, attach, depth + 1)
        elif character == '"':
            attach(self.string(path))
        elif character == "-" or "0" <= character <= "9":
            match = NUMBER.match(self.text, self.at)
            if not match:
                self.fail(path, "bad number")
            self.at = match.end()
            attach(Number(match[0]))
        else:
            for word in ("true", "false", "null"):
                if self.text.startswith(word, self.at):
                    self.at += len(word)
                    return attach(Literal(word))
            rest = self.text[self.at:]
            if rest and any(word.startswith(rest) for word in ("true", "false", "null")):
                attach(Literal("null" if rest[0] == "n" else "true"))  # cut off, but certainly a literal
            self.fail(path, "no value")

    def string(self, path):
        match = STRING.match(self.text, self.at)
        if not match:
            self.fail(path, "bad string")
        self.at = match.end()
        return Text(unescape(match[1]), match[1])

    def array(self, path, attach, depth):
        node = Array()
        attach(node)
        self.space()
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            index = len(node.items)
            self.space()
            node.indices.append(index)
            node.items.append(Literal("null"))
            self.value(path + (index,), lambda item: node.items.__setitem__(index, item), depth)
            self.space()
            if self.peek() == ",":
                self.at += 1
            elif self.peek() == "]":
                self.at += 1
                return
            else:
                self.fail(path, "array not closed")

    def object(self, path, attach, depth):
        node = Object()
        attach(node)
        self.space()
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            self.space()
            if self.peek() != '"':
                self.fail(path, "no name")
            name = self.string(path)
            if len(name.raw.encode("utf-8")) > MAX_KEY_BYTES:
                self.fail(path, "name too long", "limit")
            name.content = Name(name.content)
            name.content.repetition = sum(member.name.content == name.content for member in node.members)
            member = Member(name, Literal("null"))
            node.members.append(member)
            self.space()
            if self.peek() != ":":
                self.fail(path, "no colon")
            self.at += 1
            self.space()
            self.value(path + (name.content,), lambda value: setattr(member, "value", value), depth)
            self.space()
            if self.peek() == ",":
                self.at += 1
            elif self.peek() == "}":
                self.at += 1
                return
            else:
                self.fail(path, "object not closed")


def parse(data):
    """Parses one document in strict UTF-8. A byte order mark at the start is skipped."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return Parser(data.decode("utf-8")).document()
    except UnicodeDecodeError as error:
        partial = Parser(data[:error.start].decode("utf-8"))
        try:
            partial.document()
        except PayloadError:
            pass
        raise PayloadError("json", "", f"not UTF-8 at byte {error.start}", partial.root) from None


def escaped(content, ascii_only):
    """The shortest legal form of a string's content, without quotes."""
    pieces = []
    for character in content:
        code = ord(character)
        if character in SHORTEST:
            pieces.append(SHORTEST[character])
        elif code < 0x20 or 0xD800 <= code <= 0xDFFF:
            pieces.append(f"\\u{code:04x}")
        elif ascii_only and code > 0xFFFF:
            offset = code - 0x10000
            pieces.append(f"\\u{0xD800 + (offset >> 10):04x}\\u{0xDC00 + (offset & 0x3FF):04x}")
        elif ascii_only and code > 0x7F:
            pieces.append(f"\\u{code:04x}")
        else:
            pieces.append(character)
    return "".join(pieces)


class Writer:
    """Writes a tree, minified or indented."""

    def __init__(self, indent=0, escapes="preserve", sort_keys=False):
        self.indent = indent
        self.escapes = escapes
        self.sort_keys = sort_keys

    def text(self, node):
        if self.escapes == "preserve" and node.raw is not None:
            return f'"{node.raw}"'
        return f'"{escaped(node.content, self.escapes == "ascii")}"'

    def line(self, level):
        return "\n" + " " * (self.indent * level) if self.indent else ""

    def write(self, node, level=0):
        pieces = []
        self.put(node, level, pieces)
        return "".join(pieces)

    def put(self, node, level, pieces):
        if isinstance(node, Text):
            pieces.append(self.text(node))
        elif isinstance(node, (Number, Literal)):
            pieces.append(node.text)
        elif isinstance(node, Array):
            self.put_all(("[", "]"), [("", item) for item in node.items], level, pieces)
        else:
            members = node.members
            if self.sort_keys:
                members = sorted(members, key=lambda member: utf8(member.output.content))
            colon = ": " if self.indent else ":"
            self.put_all(("{", "}"), [(self.text(m.output) + colon, m.value) for m in members], level, pieces)

    def put_all(self, brackets, entries, level, pieces):
        pieces.append(brackets[0])
        for number, (label, value) in enumerate(entries):
            pieces.append(("," if number else "") + self.line(level + 1) + label)
            self.put(value, level + 1, pieces)
        pieces.append((self.line(level) if entries else "") + brackets[1])
