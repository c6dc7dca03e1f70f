#!/usr/bin/env python3
"""Compares our gateway with nginx in front of the same backend: responses unchanged, and with keys in camelCase by Lua and cjson.

Run it by `make bench-gateway`. Every response is checked before the measurement; README.md describes the comparison.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import urllib.request

SCRIPTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SCRIPTS.parent / "http"))

import servers  # noqa: E402
from bodies import PAYLOAD, camelised, page, without_empty_arrays  # noqa: E402

PATHS = {"camel": "/camel", "pass": "/pass"}
# The ratios to nginx that our gateway must reach.
AIMS = {"camel": 4.0, "pass": 0.6}


class Proxy(servers.Server):
    def __init__(self, name, command, port, directory, cannot_tell_arrays=False):
        super().__init__(name, command, port, PATHS, directory, cannot_tell_arrays=cannot_tell_arrays)
        self.samples = {task: [] for task in PATHS}

    def got(self, task):
        """A response to a client that accepts no compression."""
        with urllib.request.urlopen(self.url(task), timeout=10) as response:
            return json.loads(response.read())


def main():
    options = parsed_options()
    with tempfile.TemporaryDirectory(prefix="bench-gateway-") as name, contextlib.ExitStack() as stack:
        directory = pathlib.Path(name)
        payload = options.corpus / PAYLOAD
        body = payload.read_bytes() if payload.exists() else page(7_944)
        (directory / "payload.json").write_bytes(body)
        backend = backend_of(options, directory)
        stack.callback(backend.end)
        proxies = [ours(options, program, directory / ("convert" if number == 1 else f"convert-{number}"), backend.port)
                   for number, program in enumerate(options.program, 1)]
        proxies.append(nginx(options, directory, backend.port))
        for proxy in proxies:
            stack.callback(proxy.end)
            check(proxy, json.loads(body))
        rounds = measure(proxies, options)
    print(f"{options.connections} connections, {len(body):,} B a response, medians of {rounds} rounds of {options.seconds} s; "
          f"proxies on core {options.server_core}, wrk and the backend on core {options.load_core}; "
          f"load of the machine at the end: {os.getloadavg()[0]:.1f}\n")
    results = tell(proxies)
    if options.json:
        options.json.write_text(json.dumps({"rounds": rounds, **results}, indent=1) + "\n")


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, action="append",
                        help="convert-server to measure; repeat the option to measure a second one beside it")
    parser.add_argument("--corpus", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("CONVERT_CORPUS", "../shared/corpus")))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2, help="length of one measurement, a whole number because of wrk")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--load-core", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="write the results here too")
    options = parser.parse_args()
    options.program = options.program or [pathlib.Path(".build/static/convert-server")]
    return options


def backend_of(options, directory):
    port = servers.free_port()
    configuration = written("backend.conf", directory, "backend", port=port)
    command = [*servers.on_core(options.load_core), servers.found("nginx"), "-p", directory, "-c", configuration]
    return servers.Server("backend", command, port, PATHS, directory)


def ours(options, program, directory, backend):
    if not program.exists():
        raise servers.Missing(f"{program} is not built")
    port = servers.free_port()
    (directory / "profiles").mkdir(parents=True)
    (directory / "profiles" / "camel.json").write_text('{ "keys": "camelCase" }')
    routes = [{"match": "/pass", "upstream": "backend"},
              {"match": "/camel", "upstream": "backend", "response": {"profile": "camel"}}]
    document = {"listen": [f"127.0.0.1:{port}"], "profiles": "profiles", "loops": 1, "accessLog": False,
                "upstreams": {"backend": {"servers": [f"http://127.0.0.1:{backend}"]}}, "routes": routes}
    configuration = directory / "convert.json"
    configuration.write_text(json.dumps(document))
    command = [*servers.on_core(options.server_core), program, "serve", "--config", configuration]
    return Proxy(directory.name, command, port, directory)


def nginx(options, directory, backend):
    modules = [servers.MODULES / "ndk_http_module.so", servers.MODULES / "ngx_http_lua_module.so"]
    if not all(module.exists() for module in modules):
        raise servers.Missing("nginx has no Lua module (libnginx-mod-http-lua)")
    port = servers.free_port()
    configuration = written(
        "nginx.conf", directory, "proxy", port=port, backend=backend, scripts=SCRIPTS,
        modules="\n".join(f"load_module {module};" for module in modules))
    command = [*servers.on_core(options.server_core), servers.found("nginx"), "-p", directory, "-c", configuration]
    return Proxy("nginx", command, port, directory, cannot_tell_arrays=True)


def written(file, directory, name, **values):
    values |= {"user": "root" if os.geteuid() == 0 else "nobody", "directory": directory, "name": name}
    text = (SCRIPTS / file).read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    path = directory / f"{name}.conf"
    path.write_text(text)
    return path


def check(proxy, document):
    for task in PATHS:
        response, expected = proxy.got(task), camelised(document) if task == "camel" else document
        if proxy.cannot_tell_arrays and task == "camel":
            response, expected = without_empty_arrays(response), without_empty_arrays(expected)
        if response != expected:
            sys.exit(f"{proxy.name} gives a wrong response to {task}")


def measure(proxies, options):
    for done in range(options.rounds):
        # Every round begins with another one, so that none always runs after the same one.
        first = done % len(proxies)
        order = proxies[first:] + proxies[:first]
        for task in PATHS:
            for proxy in order:
                proxy.samples[task].append(load(proxy, task, options))
        print(f"round {done + 1}", file=sys.stderr)
    return options.rounds


def load(proxy, task, options):
    command = [
        *servers.on_core(options.load_core), servers.found("wrk"), "--threads", "1", "--connections",
        str(options.connections), "--duration", f"{options.seconds}s", "--timeout", "10s",
        "--script", str(SCRIPTS / "get.lua"), proxy.url(task)]
    before = proxy.processor_seconds()
    output = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=options.seconds + 20, stdin=subprocess.DEVNULL)
    sample = json.loads(output.stdout.strip().splitlines()[-1])
    if sample["errors"]:
        sys.exit(f"{proxy.name}, {task}: {sample['errors']} errors")
    sample["processor_microseconds"] = (proxy.processor_seconds() - before) * 1e6
    return sample


def rates(proxy, task):
    return [sample["requests"] / sample["microseconds"] * 1e6 for sample in proxy.samples[task]]


def costs(proxy, task):
    return [sample["processor_microseconds"] / sample["requests"] for sample in proxy.samples[task]]


def tell(proxies):
    *ours, other = proxies
    results = {}
    print(f"{'task':8}{'proxy':10}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}{'CPU µs':>9}")
    for task in PATHS:
        for proxy in proxies:
            samples = proxy.samples[task]
            p50, p99 = (statistics.median(sample[name] for sample in samples) / 1000 for name in ("p50", "p99"))
            print(f"{task:8}{proxy.name:10}{statistics.median(rates(proxy, task)):12,.0f}{p50:9.2f}{p99:9.2f}"
                  f"{statistics.median(costs(proxy, task)):9.1f}")
        results[task] = {"aim": AIMS[task], "samples": {proxy.name: proxy.samples[task] for proxy in proxies}}
        for mine in ours:
            speed = statistics.median(a / b for a, b in zip(rates(mine, task), rates(other, task)))
            cost = statistics.median(b / a for a, b in zip(costs(mine, task), costs(other, task)))
            name = "ratio" + mine.name.removeprefix("convert")
            print(f"{task:8}{name:10}{speed:11.2f}×{'':18}{cost:8.2f}×   aim: {AIMS[task]}×")
            results[task][mine.name] = {"speed": speed, "processor_time": cost}
        print()
    return results


if __name__ == "__main__":
    try:
        main()
    except servers.Missing as reason:
        sys.exit(str(reason))
