"""orjson or yyjson as a converter: parse, rewrite the keys by recursion, write. Handles the requests of README.md.

usage: python_peer.py orjson|yyjson
"""

import functools
import sys
import time

import key_rule
import orjson
import yyjson

# Keys repeat, so each is converted once and remembered.
rewritten = functools.cache(key_rule.rewritten)


def with_rewritten_keys(value):
    kind = type(value)
    if kind is dict:
        return {rewritten(key): with_rewritten_keys(member) for key, member in value.items()}
    if kind is list:
        return [with_rewritten_keys(element) for element in value]
    return value


def by_orjson(text, rewrites_keys):
    value = orjson.loads(text)
    return orjson.dumps(with_rewritten_keys(value) if rewrites_keys else value)


def by_yyjson(text, rewrites_keys):
    document = yyjson.Document(text)
    if rewrites_keys:
        document = yyjson.Document(with_rewritten_keys(document.as_obj))
    return document.dumps().encode()


convert_text = {"orjson": by_orjson, "yyjson": by_yyjson}[sys.argv[1]]


def convert(texts, rewrites_keys):
    return b"\n".join(convert_text(text, rewrites_keys) for text in texts)


@functools.cache
def texts_of(path):
    with open(path, "rb") as file:
        data = file.read()
    return data.splitlines() if path.endswith(".ndjson") else [data]


for line in sys.stdin:
    verb, task, path, argument = line.split()
    texts = texts_of(path)
    if verb == "write":
        with open(argument, "wb") as file:
            file.write(convert(texts, task == "keys"))
        print("done", flush=True)
        continue
    count = 0
    start = time.perf_counter_ns()
    while True:
        convert(texts, task == "keys")
        count += 1
        elapsed = time.perf_counter_ns() - start
        if elapsed >= float(argument) * 1e9:
            break
    print(count, elapsed, flush=True)
