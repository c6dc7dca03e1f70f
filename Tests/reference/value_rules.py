"""Rules of `values`: the conversion of one value by one rule."""

import base64
import hashlib
import hmac
import os
import re
from dates import listed
from json_text import INTEGER, NUMBER, Array, Literal, Number, Object, PayloadError, Text, parse

UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]-]|%[0-9A-Fa-f]{2})+")


class BadValue(ValueError):
    """The value is not what the rule expects."""


NAMES = ("name", "path", "names", "pointer")


class ValueRule:
    """One rule of `values` in the forward direction."""

    def __init__(self, rule):
        self.rule = rule
        self.bad_value = rule.get("badValue")
        self.selectors = listed(rule["at"])

    def rewritten(self, node):
        if self.rule.get("as") == "mask":
            return self.as_mask(node)
        if isinstance(node, (Array, Object)):
            raise BadValue("a container")
        if "map" in self.rule:
            return self.mapped(node)
        return getattr(self, "as_" + self.rule["as"])(node)

    def mapped(self, node):
        key = node.content if isinstance(node, Text) else node.text
        if key not in self.rule["map"]:
            raise BadValue("not in the table")
        return scalar(self.rule["map"][key])

    def as_mask(self, node):
        keep = self.rule.get("keep")
        if keep is None or not isinstance(node, (Text, Number)):
            return Text(self.rule.get("text", "***"))
        text, char = (node.content if isinstance(node, Text) else node.text), self.rule.get("char", "*")
        first, last = (int(keep[end].text) if end in keep else 0 for end in ("first", "last"))
        if len(text) <= first + last:
            return Text(char * min(len(text), 65_536))
        end = len(text) - last
        return Text(text[:first] + char * min(end - first, 65_536) + text[end:])

    def as_hash(self, node):
        text = node.content if isinstance(node, Text) else node.text
        key = self.rule["key"]
        if "env" in key:
            secret = os.environb[key["env"].encode()]
        else:
            with open(key["file"], "rb") as file:
                secret = file.read().removesuffix(b"\n")
        code = hmac.new(secret, text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        count = int(self.rule["bytes"].text) if "bytes" in self.rule else 32
        return Text(base64.urlsafe_b64encode(code[:count]).decode().rstrip("="))

    def as_string(self, node):
        return node if isinstance(node, Text) else Text(node.text)

    def as_number(self, node, pattern=NUMBER):
        text = node.content if isinstance(node, Text) else node.text
        if not pattern.fullmatch(text):
            raise BadValue("no number")
        return Number(text)

    def as_integer(self, node):
        return self.as_number(node, INTEGER)

    def as_boolean(self, node):
        text = node.content if isinstance(node, Text) else node.text
        if isinstance(node, Number) != (text in ("0", "1")) or text not in ("true", "false", "0", "1"):
            raise BadValue("no boolean")
        return Literal("true" if text in ("true", "1") else "false")

    def as_uuid(self, node):
        if not isinstance(node, Text) or not UUID.fullmatch(node.content):
            raise BadValue("no UUID")
        upper = self.rule.get("case") == "upper"
        return Text(node.content.upper() if upper else node.content.lower())

    def as_url(self, node):
        if not isinstance(node, Text) or not URL.fullmatch(node.content):
            raise BadValue("no URL")
        base = self.rule.get("relativeTo", "").rstrip("/")
        rest = node.content[len(base):]
        if base and node.content.startswith(base) and re.match(r"/(?!/)", rest):
            return Text(rest)
        return node

    def as_json(self, node):
        if not isinstance(node, Text):
            raise BadValue("no string")
        try:
            return parse(node.content.encode("utf-8", "surrogatepass"))
        except PayloadError:
            raise BadValue("no JSON text") from None


def scalar(value):
    """The node for a scalar in a profile; numbers are already of type Number."""
    if isinstance(value, str):
        return Text(value)
    if value is None or isinstance(value, bool):
        return Literal({None: "null", True: "true", False: "false"}[value])
    return value
