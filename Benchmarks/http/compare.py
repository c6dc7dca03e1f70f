#!/usr/bin/env python3
"""Compares our HTTP server with node and nginx+Lua: the same bodies, rounds interleaved, one table.

Run it by `make bench-http`. Every response is checked before the measurement; README.md describes the comparison.
"""

import argparse
import contextlib
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import servers
from bodies import bodies, camelised, without_empty_arrays
from results import Cell, text_of

TASKS = ["camel", "echo"]
SCRIPTS = pathlib.Path(__file__).resolve().parent


def main():
    options = parsed_options()
    with tempfile.TemporaryDirectory(prefix="bench-http-") as name, contextlib.ExitStack() as stack:
        directory = pathlib.Path(name)
        running, skipped = started(options, directory, stack)
        files = written(bodies(options.corpus), directory)
        cells = checked_cells(running, files, options, skipped)
        rounds = measure(cells, options, skipped)
    print(f"{options.connections} connections, one core for each server, another for wrk; medians of {rounds} rounds of "
          f"{options.seconds} s; load of the machine at the end: {os.getloadavg()[0]:.1f}\n")
    print(text_of(cells))
    for line in skipped:
        print(f"skipped: {line}")
    if options.json:
        document = {"rounds": rounds, "skipped": skipped, "cells": [cell.summary() for cell in cells]}
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    if not any(cell.samples for cell in cells):
        sys.exit("nothing was measured")


def parsed_options():
    default_corpus = os.environ.get("CONVERT_CORPUS", "../shared/corpus")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, action="append",
                        help="convert-server to measure; repeat the option to measure a second one beside it")
    parser.add_argument("--echo", type=pathlib.Path, default=pathlib.Path(".build/static/EchoServer"))
    parser.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path(default_corpus))
    parser.add_argument("--filter", default="", help="only cells whose task/body/server contains this text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=2, help="length of one measurement, a whole number because of wrk")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--load-core", type=int, default=1)
    parser.add_argument("--most-seconds", type=float, default=220, help="time limit: a round that would end later does not begin")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here too")
    options = parser.parse_args()
    options.program = options.program or [pathlib.Path(".build/static/convert-server")]
    options.ends = time.monotonic() + options.most_seconds
    return options


def started(options, directory, stack):
    """The running servers, which end with `stack`, and the reasons of the missing ones."""
    core = options.server_core
    makers = []
    for number, program in enumerate(options.program, 1):
        name = "convert" if number == 1 else f"convert-{number}"
        makers.append(functools.partial(servers.ours, name, program, core, directory, "off"))
        makers.append(functools.partial(servers.ours, f"{name}+log", program, core, directory, "on"))
    makers.append(functools.partial(servers.echo, options.echo, core, directory))
    makers += [functools.partial(servers.node, core, directory), functools.partial(servers.nginx, core, directory)]
    running, skipped = [], []
    for maker in makers:
        try:
            server = maker()
        except servers.Missing as reason:
            skipped.append(str(reason))
            continue
        stack.callback(server.end)
        running.append(server)
    return running, skipped


def written(contents, directory):
    files = {}
    for name, content in contents.items():
        files[name] = directory / f"{len(files)}.json"
        files[name].write_bytes(content)
    return files


def checked_cells(running, files, options, skipped):
    """A cell for each task, body and server with a correct response."""
    cells = []
    for task in TASKS:
        for body, file in files.items():
            for server in running:
                if task not in server.paths or options.filter not in f"{task}/{body}/{server.name}":
                    continue
                error = error_of(server, task, file.read_bytes())
                if error:
                    skipped.append(f"{task} {body} {server.name}: {error}")
                else:
                    cells.append(Cell(task, body, file, server))
    return cells


def error_of(server, task, body):
    """The difference between the server's response and the expected one, compared value by value, or None."""
    document = json.loads(body)
    expected = camelised(document) if task == "camel" else document
    try:
        response = server.response(task, body)
    except (OSError, ValueError) as error:
        return f"no response: {error}"
    if server.cannot_tell_arrays:
        response, expected = without_empty_arrays(response), without_empty_arrays(expected)
    return None if response == expected else "wrong response"


def measure(cells, options, skipped):
    """Measures every cell once in each round. Returns the number of rounds."""
    slowest = 0
    for done in range(options.rounds):
        began = time.monotonic()
        if began + slowest > options.ends:
            skipped.append(f"{options.rounds - done} of {options.rounds} rounds, for want of time")
            return done
        # Every round begins with another one, so that none always runs after the same one.
        first = done * len(cells) // options.rounds
        for cell in cells[first:] + cells[:first]:
            try:
                cell.samples.append(load(cell, options))
            except (subprocess.SubprocessError, ValueError, servers.Missing) as error:
                reason = getattr(error, "stderr", None) or error
                skipped.append(f"{cell.task} {cell.body} {cell.server.name}: wrk: {reason}")
                cells.remove(cell)
            cell.server.empty_log()
        slowest = max(slowest, time.monotonic() - began)
        print(f"round {done + 1}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return options.rounds


def load(cell, options):
    """One measurement by wrk."""
    command = [
        *servers.on_core(options.load_core), servers.found("wrk"), "--threads", "1",
        "--connections", str(options.connections), "--duration", f"{options.seconds}s",
        "--timeout", "10s",
        "--script", str(SCRIPTS / "post.lua"), cell.server.url(cell.task), "--", str(cell.file)]
    before = cell.server.processor_seconds()
    output = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=options.seconds + 20, stdin=subprocess.DEVNULL)
    sample = json.loads(output.stdout.strip().splitlines()[-1])
    if sample["errors"]:
        raise ValueError(f"{sample['errors']} errors")
    if not sample["requests"]:
        raise ValueError("no response at all; the machine has other work")
    sample["processor_microseconds"] = (cell.server.processor_seconds() - before) * 1e6
    return sample


if __name__ == "__main__":
    main()
