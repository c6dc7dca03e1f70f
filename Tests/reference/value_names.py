"""Keys in values: converts a key, a path, a list of keys or paths, or a pointer."""

import re
from selectors import ANY

INDEX = re.compile(r"0|[1-9][0-9]*")
BRACKETS = re.compile(r"((?:\[(?:0|[1-9][0-9]*)\])*)$")
ORDER = re.compile(r"[: +](?:asc|desc)$", re.IGNORECASE | re.ASCII)
# An index that no selector of a generated profile matches literally.
SOME_INDEX = 10 ** 9


def translated(conversion, rule, content, resolve):
    """The converted text. `resolve(path, name)` returns (output key, the member's path in the forward input or None)."""
    if len(content.encode("utf-8", "surrogatepass")) > 65_536:
        return content
    base = () if "of" not in rule else place_of(rule["of"])
    separator = rule.get("separator", ".")
    if rule["as"] == "name":
        return resolve(base, content)[0]
    if rule["as"] == "path":
        return path(base, content, separator, resolve)
    if rule["as"] == "names":
        return ",".join(element(base, part, separator, resolve) for part in content.split(","))
    fragment = content[:1] if content[:1] == "#" else ""
    pointer = content[len(fragment):]
    if pointer[:1] != "/" or re.search(r"~(?![01])", pointer):
        return content
    out, here = fragment, ()
    for segment in pointer[1:].split("/"):
        name, here = step(here, segment.replace("~1", "/").replace("~0", "~"), resolve)
        out += "/" + name.replace("~", "~0").replace("/", "~1")
    return out


def place_of(pointer):
    from selectors import Selector
    return tuple(SOME_INDEX if part is ANY else part for part in Selector(pointer).segments)


def element(base, text, separator, resolve):
    """An element of a list: signs and spaces, a path, and perhaps its order."""
    ordered = text.lstrip("-+ ")
    order = ORDER.search(ordered)
    if order and not ordered[:order.start() + 1].endswith(separator):
        ordered = ordered[:order.start()]
    else:
        order = None
    return text[:len(text) - len(text.lstrip("-+ "))] + path(base, ordered, separator, resolve) + (order.group() if order else "")


def path(base, text, separator, resolve):
    if text == "":
        return text
    out, here = [], base
    for part in text.split(separator):
        brackets = BRACKETS.search(part).group(1)
        name = part[:len(part) - len(brackets)]
        spelled = ""
        if name or not brackets:
            spelled, here = step(here, name, resolve)
        for index in re.findall(r"[0-9]+", brackets):
            _, here = step(here, index, resolve)
        out.append(spelled + brackets)
    return separator.join(out)


def step(here, name, resolve):
    if INDEX.fullmatch(name):
        return name, resolve(here, int(name))[1] if here is not None else None
    return resolve(here, name) if here is not None else (name, None)
