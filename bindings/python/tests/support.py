"""The fixtures of the project, and the outcome of a call."""

import json
from pathlib import Path
from typing import Any, NamedTuple, Optional

from convert_json import ConvertError

root = Path(__file__).parents[3]
fixtures = root / "Tests/Fixtures"


class Case(NamedTuple):
    name: str
    profile: bytes
    input: bytes
    direction: str
    framing: str
    output: Optional[bytes]
    error: "dict[str, Any]"


def cases() -> "list[Case]":
    """The cases. Tests/Fixtures/transform/README.md describes their files."""
    found = []
    for profile in sorted(fixtures.glob("transform/*/profile.json")):
        case = profile.parent
        has_lines = (case / "input.ndjson").exists()
        ending = "ndjson" if has_lines else "json"
        error = case / "expected-error.json"
        found.append(Case(
            case.name, profile.read_bytes(), (case / f"input.{ending}").read_bytes(),
            "inverse" if case.name.startswith("inverse-") else "forward", "lines" if has_lines else "document",
            None if error.exists() else (case / f"expected.{ending}").read_bytes(),
            json.loads(error.read_bytes()) if error.exists() else {}))
    return found


def outcome(call: Any) -> Any:
    """The bytes that a call returns, or the members of its error."""
    try:
        return call()
    except ConvertError as error:
        return vars(error)
