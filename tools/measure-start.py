"""Measures how fast convert-server starts and how much memory it needs while it is idle. Usage: measure-start.py PROGRAM

Prints `start_ms`, the time from the start of the process to its first response, the best of ten runs; and `idle_kb`, the resident
memory of the last run after that response.
"""

import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

RUNS = 10
SETTLING_SECONDS = 0.5


def first_answer(line):
    """Requests /healthz at the address in a log line `listening on`, and expects 200."""
    host, port = re.fullmatch(r"http://(.*):(\d+)", json.loads(line)["address"]).groups()
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        response = b""
        while data := client.recv(4096):
            response += data
    assert response.startswith(b"HTTP/1.1 200 "), response


def resident_kb(process):
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)[1])


def main(program):
    command = [program, "serve", "--listen", "127.0.0.1:0", "--profiles", "examples/profiles"]
    times = []
    for _ in range(RUNS):
        begin = time.monotonic()
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            first_answer(server.stdout.readline())
            times.append(time.monotonic() - begin)
            time.sleep(SETTLING_SECONDS)
            idle = resident_kb(server.pid)
        finally:
            server.terminate()
            server.communicate(timeout=10)
    print(f"start_ms {min(times) * 1000:.1f}")
    print(f"idle_kb {idle}")


main(sys.argv[1])
