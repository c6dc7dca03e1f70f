"""What schemathesis has to be told to ask convert-server: how lines of JSON are written."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/jsonl")
def write_lines(context, value):
    """A string is a body as it stands; any other value becomes one line."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else json.dumps(value).encode() + b"\n"
