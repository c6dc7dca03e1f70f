"""orjson as a converter: parse, rewrite the keys by recursion, write. Serves the requests of README.md."""

import functools
import sys
import time

import key_rule
import orjson

# Keys repeat: the rule is asked once for each.
rewritten = functools.cache(key_rule.rewritten)


def with_rewritten_keys(value):
    kind = type(value)
    if kind is dict:
        return {rewritten(key): with_rewritten_keys(member) for key, member in value.items()}
    if kind is list:
        return [with_rewritten_keys(element) for element in value]
    return value


def convert(texts, rewrites_keys):
    output = []
    for text in texts:
        value = orjson.loads(text)
        output.append(orjson.dumps(with_rewritten_keys(value) if rewrites_keys else value))
    return b"\n".join(output)


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
