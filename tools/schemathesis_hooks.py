"""Hooks that schemathesis needs for convert-server: how to send lines of JSON and property lists."""

import json

import schemathesis

# The types whose bodies are strings in the document but have their own grammar.
TEXTS = ("application/x-ndjson", "application/jsonl", "application/x-plist")


@schemathesis.serializer(*TEXTS)
def write_text(context, value):
    """Sends a string unchanged. Any other value becomes one line; only a part of a form can be another value."""
    if isinstance(value, bytes):
        return value
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else json.dumps(value).encode() + b"\n"


@schemathesis.hook
def filter_case(context, case):
    """Leaves out bodies of these types that are not strings.

    The document says that such a body is a string, so the tool sends an object or a number and expects a refusal. But every
    body is a string of bytes when it is sent, and the server correctly accepts `{}` as a line of JSON.
    """
    return case.media_type not in TEXTS or isinstance(case.body, (str, bytes))
