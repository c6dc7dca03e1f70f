#!/usr/bin/env python3
"""Checks that no file of the engine or of the profiles names a type of a folder above its own. Within a module, the compiler does not.

A name counts if the files that declare it as a type are in one folder only."""

import collections
import pathlib
import re
import sys

# The folders of each module, from the lowest to the highest, as in CONTRIBUTING.md.
LAYERS = {
    "Sources/ConvertCore/ConvertEngine": [
        "Unicode", "Keys", "Bytes", "JSON", "Selectors", "Dates", "Values", "Tree", "Paths", "KeyCache", "Plan", "KeyMapping", "Held", "Convert",
        "Async",
    ],
    "Sources/ConvertCore/ConvertProfiles": ["Profile", "Inference", "Explain"],
}
DECLARATION = re.compile(r"^[ \w()@]*\b(?:struct|class|enum|protocol|actor|typealias) +([A-Z]\w+)", re.MULTILINE)
# Comments and strings, which may name anything.
IGNORED = re.compile(r'//[^\n]*|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"')


def text_of(path: pathlib.Path) -> str:
    return IGNORED.sub(" ", path.read_text())


def errors(module: pathlib.Path, layers: list[str], homes: dict[str, set[pathlib.Path]]):
    folders = [module / layer for layer in layers]
    found = sorted(path for path in module.iterdir() if path.is_dir())
    if found != sorted(folders):
        yield f"{module} has the folders {', '.join(path.name for path in found)}; {__file__} lists others"
        return
    for path in sorted(module.glob("*/*.swift")):
        for name in sorted(set(re.findall(r"\b[A-Z]\w+\b", text_of(path)))):
            home = next(iter(homes[name])) if len(homes[name]) == 1 else None
            if home in folders and folders.index(home) > folders.index(path.parent):
                yield f"{path} names {name} of {home}, a folder above its own"


def main() -> int:
    homes = collections.defaultdict(set)
    for path in pathlib.Path("Sources/ConvertCore").rglob("*.swift"):
        for name in DECLARATION.findall(text_of(path)):
            homes[name].add(path.parent)
    found = [error for module, layers in LAYERS.items() for error in errors(pathlib.Path(module), layers, homes)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
