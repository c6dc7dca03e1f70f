"""Prints the public symbols of a symbol graph that have no documentation comment. The exit code is 1 if there are any."""

import json
import sys


def undocumented(path):
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    # Symbols that the compiler makes have no location in the sources. A protocol's requirements are documented at the protocol.
    inherited = {
        relation["source"]
        for relation in graph["relationships"]
        if "sourceOrigin" in relation or relation["kind"] == "defaultImplementationOf"
    }
    for symbol in graph["symbols"]:
        written = "location" in symbol and symbol["kind"]["identifier"] != "swift.extension"
        if written and "docComment" not in symbol and symbol["identifier"]["precise"] not in inherited:
            location = symbol["location"]
            file = location["uri"].split("/Sources/")[-1]
            yield f"Sources/{file}:{location['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main():
    found = sorted({line for path in sys.argv[1:] for line in undocumented(path)})
    for line in found:
        print(f"{line} has no documentation comment")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
