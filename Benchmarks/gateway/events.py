#!/usr/bin/env python3
"""Measures what a gateway with `response.events` adds to the latency of an event, with many open streams.

    events.py PROGRAM [--streams 1000] [--events 10000] [--flight 1 16] [--json FILE]

This program is the backend and all clients. The gateway runs on one core with one event loop, this program on the others.
Events are sent on one stream after the other, `flight` at a time. The latency is the time from the write of the backend to the
arrival at the client. `direct` is without a gateway, `passed` through it unchanged, `converted` and `compressed` with
`response.events`. The added latency is the difference of the percentiles to `direct`. Run nothing else at the same time.
"""

import argparse
import json
import os
import pathlib
import resource
import select
import socket
import subprocess
import tempfile
import time
import zlib

EVENT = (
    'event: delta\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created_at":1700000000,"sequence_number":%d,'
    '"choices":[{"index":0,"delta":{"role":"assistant","text_content":"Hello, Ada"},"finish_reason":null}]}\n\n'
)
END = b"\n\n\r\n"


def main():
    options = parsed_options()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[1:])
    backend = listening()
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        gateway, port = started(options.program, pathlib.Path(directory), backend.getsockname()[1], cores[0])
        try:
            for way, path, field in [
                ("direct", "/raw", ""),
                ("passed", "/raw", ""),
                ("converted", "/live", ""),
                ("compressed", "/live", "Accept-Encoding: gzip\r\n"),
            ]:
                streams, seen = opened(backend, backend.getsockname()[1] if way == "direct" else port, path, field, options.streams)
                decoders = {client: zlib.decompressobj(31) for _, client in streams} if field else {}
                for flight in options.flight:
                    rows.append({"way": way, "flight": flight, **measured(streams, seen, decoders, flight, options.events, way)})
                for pair in streams:
                    for connection in pair:
                        connection.close()
                time.sleep(0.5)
            ticks = sum(int(n) for n in pathlib.Path(f"/proc/{gateway.pid}/stat").read_text().rsplit(") ", 1)[1].split()[11:13])
        finally:
            # The gateway would wait for the open streams.
            gateway.kill()
            gateway.wait()
    print(f"{options.streams} streams, {options.events} events of {len(EVENT % 1)} bytes, microseconds")
    print(f"{'':12}{'in flight':>10}{'p50':>8}{'p99':>8}{'most':>8}{'added p50':>11}{'added p99':>11}")
    base = {row["flight"]: row for row in rows if row["way"] == "direct"}
    for row in rows:
        row["added_p50"], row["added_p99"] = (row[key] - base[row["flight"]][key] for key in ("p50", "p99"))
        print(
            f"{row['way']:12}{row['flight']:>10}{row['p50']:>8.0f}{row['p99']:>8.0f}{row['most']:>8.0f}"
            f"{row['added_p50']:>11.0f}{row['added_p99']:>11.0f}"
        )
    events = 3 * len(options.flight) * options.events
    print(f"processor time of the gateway: {ticks / os.sysconf('SC_CLK_TCK') / events * 1e6:.0f} microseconds an event, opening included")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2))


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--flight", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--json", type=pathlib.Path, help="write the results here too")
    return parser.parse_args()


def listening():
    backend = socket.create_server(("127.0.0.1", 0), backlog=4096)
    backend.settimeout(20)
    return backend


def started(program, directory, backend_port, core):
    """The gateway on its own core, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (directory / "p.json").write_text('{ "keys": "camelCase" }')
    upstream = {"servers": f"http://127.0.0.1:{backend_port}", "maxConnections": 65536}
    configuration = {
        "listen": f"127.0.0.1:{port}",
        "admin": f"unix:{directory}/admin",
        "profiles": ".",
        "maxBufferedBytes": 1 << 30,
        "upstreams": {"u": upstream},
        "routes": [
            {"match": "/raw", "upstream": "u"},
            {"match": "/live", "upstream": "u", "response": {"profile": "p", "events": True}},
        ],
    }
    (directory / "c.conf").write_text(json.dumps(configuration))
    gateway = subprocess.Popen(
        [program, "serve", "--config", directory / "c.conf", "--loops", "1", "--access-log", "off"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return gateway, port
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the gateway does not start")


def opened(backend, port, path, field, count):
    """Streams as pairs of sockets: the backend's and the client's. The client has received the beginning of its response."""
    streams = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{field}\r\n".encode())
        upstream, _ = backend.accept()
        upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        upstream.settimeout(20)
        while b"\r\n\r\n" not in upstream.recv(65536):
            pass
        upstream.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        streams.append((upstream, client))
    heads = {}
    for _, client in streams:
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(65536)
        # The header of the compression may have arrived as well.
        heads[client] = head.partition(b"\r\n\r\n")[2]
    return streams, heads


def measured(streams, seen, decoders, flight, count, way):
    """The percentiles of the latency of an event. `seen` has the bytes that arrived at each client before its event."""
    latencies = []
    sent = 0
    while sent < count:
        waiting = {}
        poller = select.epoll()
        batch = [streams[(sent + n) % len(streams)] for n in range(flight)]
        for _, client in batch:
            poller.register(client, select.EPOLLIN)
        by_number = {client.fileno(): client for _, client in batch}
        for upstream, client in batch:
            body = (EVENT % sent).encode()
            chunk = b"%x\r\n%s\r\n" % (len(body), body)
            waiting[client] = time.perf_counter_ns()
            upstream.sendall(chunk)
            sent += 1
        while waiting:
            ready = poller.poll(20)
            if not ready:
                raise SystemExit(f"{way}: no event within 20 s")
            for number, _ in ready:
                now = time.perf_counter_ns()
                client = by_number[number]
                seen[client] += client.recv(65536)
                if is_whole(seen[client], decoders.get(client)):
                    latencies.append((now - waiting.pop(client)) / 1000)
                    seen[client] = b""
        poller.close()
    latencies = sorted(latencies[len(latencies) // 10 :])
    return {
        "p50": latencies[len(latencies) // 2],
        "p99": latencies[len(latencies) * 99 // 100],
        "most": latencies[-1],
    }


def is_whole(data, decoder):
    """Whether the whole event has arrived, in one or several chunks. Decoders keep their state, so they get only whole chunks."""
    if decoder is None:
        return data.endswith(END)
    content = b""
    while data:
        size, _, rest = data.partition(b"\r\n")
        if len(rest) < int(size or b"0", 16) + 2:
            return False
        content += rest[: int(size, 16)]
        data = rest[int(size, 16) + 2 :]
    return decoder.decompress(content).endswith(b"\n\n")


if __name__ == "__main__":
    main()
