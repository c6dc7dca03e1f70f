"""Hostile clients, or large numbers of clients, for the server's fault tests.

    fault_clients.py TASK ADDRESS PID COUNT

prints its measurements as lines of `name value`, and exits with 1 if the server did not behave as every server must.
ADDRESS is HOST:PORT; PID is the server's process, whose memory and descriptors are read from /proc.
"""

import gzip
import json
import os
import resource
import signal
import socket
import sys
import threading
import time

MAX_SECONDS = 20
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
GET_LAST = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
BODY = b'{ "first_name" : "Ada" }'
MINIFIED = b'{"first_name":"Ada"}'


def post(path, body_bytes, last=False):
    fields = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {body_bytes}"]
    if last:
        fields.append("Connection: close")
    return ("\r\n".join(fields) + "\r\n\r\n").encode()


class Server:
    def __init__(self, address, pid):
        host, port = address.rsplit(":", 1)
        self.place = (host, int(port))
        self.pid = pid

    def connect(self):
        return socket.create_connection(self.place, timeout=MAX_SECONDS)

    def resident_kilobytes(self, line="VmRSS"):
        with open(f"/proc/{self.pid}/status") as status:
            return next(int(text.split()[1]) for text in status if text.startswith(line + ":"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


class Responses:
    """The responses on one connection, in order; they must have a Content-Length."""

    def __init__(self, connection):
        self.connection = connection
        self.waiting = b""

    def next(self):
        while b"\r\n\r\n" not in self.waiting:
            self.more()
        head, self.waiting = self.waiting.split(b"\r\n\r\n", 1)
        fields = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:])
        length = int(fields[b"content-length"])
        while len(self.waiting) < length:
            self.more()
        body, self.waiting = self.waiting[:length], self.waiting[length:]
        return int(head.split()[1]), body

    def more(self):
        received = self.connection.recv(65536)
        if not received:
            raise EOFError("the connection ended within a response")
        self.waiting += received


def slow_heads(server, count):
    """Clients that send a head byte by byte without end, beside one normal client."""
    stop = threading.Event()

    def dribble():
        text = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"a" * 4000
        clients = []
        while not stop.is_set():
            while len(clients) < count:
                clients.append([server.connect(), 0])
            for client in clients:
                try:
                    client[0].send(text[client[1] : client[1] + 1])
                    client[1] += 1
                except OSError:
                    client[0].close()
                    client[0] = None
            clients = [client for client in clients if client[0]]
            stop.wait(0.1)

    thread = threading.Thread(target=dribble, daemon=True)
    thread.start()
    time.sleep(0.5)
    connection = server.connect()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    responses = Responses(connection)
    times = []
    for _ in range(1000):
        begin = time.perf_counter()
        connection.sendall(post("/v1/minify", len(BODY)) + BODY)
        assert responses.next() == (200, MINIFIED)
        times.append(time.perf_counter() - begin)
        time.sleep(0.002)
    stop.set()
    thread.join()
    times.sort()
    return {"p50_ms": times[499] * 1000, "p99_ms": times[989] * 1000, "max_ms": times[-1] * 1000}


def idle(server, count):
    """Connections that stay open after one request each, and stay idle."""
    server_before = server.resident_kilobytes()
    connections = []
    for _ in range(count):
        connection = server.connect()
        connection.sendall(GET)
        assert Responses(connection).next()[0] == 200
        connections.append(connection)
    server_after = server.resident_kilobytes()
    held = server.descriptors()
    begin = time.perf_counter()
    for connection in connections[:: max(1, count // 100)]:
        connection.sendall(GET)
        assert Responses(connection).next()[0] == 200
    again = time.perf_counter() - begin
    for connection in connections:
        connection.close()
    return {
        "descriptors": held,
        "resident_kb": server_after,
        "bytes_per_connection": max(0, server_after - server_before) * 1024 / count,
        "again_ms": again * 1000,
    }


def short(server, count):
    """Connections with one request each, in sequence and a hundred at a time; the server must close all descriptors."""
    before, memory_before = server.descriptors(), None
    begin = time.perf_counter()
    for index in range(0, count, 100):
        connections = [server.connect() for _ in range(min(100, count - index))]
        for number, connection in enumerate(connections):
            connection.sendall(GET if number % 10 == 0 else GET_LAST)
        for number, connection in enumerate(connections):
            assert Responses(connection).next()[0] == 200
            assert number % 10 == 0 or connection.recv(1) == b""
            connection.close()
        if index >= count // 5 and memory_before is None:
            memory_before = server.resident_kilobytes()
    seconds = time.perf_counter() - begin
    until = time.monotonic() + 5
    while server.descriptors() > before and time.monotonic() < until:
        time.sleep(0.05)
    return {
        "descriptors_before": before,
        "descriptors_after": server.descriptors(),
        "growth_kb": server.resident_kilobytes() - memory_before,
        "per_second": count / seconds,
    }


def unread(server, count):
    """A response of `count` bytes that is not read until the sender blocks; then the whole response must arrive."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    connection.settimeout(MAX_SECONDS)
    connection.connect(server.place)
    before = server.resident_kilobytes()
    sent = 0

    def send():
        nonlocal sent
        connection.sendall(post("/v1/minify", count, last=True) + b'"')
        left, piece = count - 2, b"a" * 65536
        while left > 0:
            number = connection.send(piece[: min(left, len(piece))])
            left -= number
            sent += number
        connection.sendall(b'"')

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    last, since = -1, time.monotonic()
    while time.monotonic() - since < 1:
        if sent != last:
            last, since = sent, time.monotonic()
        time.sleep(0.05)
    stuck, held = sent, server.resident_kilobytes()
    other = server.connect()
    other.sendall(GET)
    assert Responses(other).next()[0] == 200
    received, head, tail = 0, b"", b""
    while data := connection.recv(1 << 20):
        if len(head) < 4096:
            head += data
        tail = (tail + data)[-16:]
        received += len(data)
    sender.join()
    assert head.startswith(b"HTTP/1.1 200 ") and b"Transfer-Encoding: chunked" in head
    assert tail.endswith(b"0\r\n\r\n")
    return {
        "sent_when_stuck": stuck,
        "received": received,
        "held_kb": held - before,
        "peak_kb": server.resident_kilobytes("VmHWM") - before,
    }


def ending(server, count):
    """SIGTERM while `count` clients send requests on their own connections: each accepted request must get a response."""
    outcomes = {"answered": 0, "refused": 0, "lost": 0, "cut": 0, "late": 0}
    lock = threading.Lock()
    told = threading.Event()

    def note(outcome):
        with lock:
            outcomes[outcome] += 1

    def ask():
        while True:
            was_told = told.is_set()
            try:
                connection = server.connect()
            except OSError:
                return note("refused")
            responses = Responses(connection)
            try:
                # In two pieces, so that some requests are incomplete when the signal arrives.
                request = post("/v1/minify", len(BODY)) + BODY
                connection.sendall(request[:40])
                time.sleep(0.002)
                connection.sendall(request[40:])
                assert responses.next() == (200, MINIFIED)
                note("late" if was_told else "answered")
            except (OSError, EOFError):
                note("cut" if responses.waiting else "lost")
            finally:
                connection.close()

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    os.kill(server.pid, signal.SIGTERM)
    told.set()
    for thread in threads:
        thread.join()
    return outcomes


# The hostile clients, one function for each kind. Each repeats its action until the time `until`; `did` counts the actions.


def connect_as_stranger(server):
    """Connects from another address than the normal client's, so that the server can distinguish the two."""
    return socket.create_connection(server.place, timeout=1, source_address=("127.0.0.3", 0))


def ask_again(server, until, did, request, count):
    """As many connections as the server accepts, up to `count`; each sends requests in a loop and reads the responses."""

    def play():
        while time.monotonic() < until:
            try:
                with connect_as_stranger(server) as connection:
                    while time.monotonic() < until:
                        connection.sendall(request)
                        did[0] += 1
                        connection.settimeout(0.01)
                        try:
                            while time.monotonic() < until and connection.recv(1 << 20):
                                pass
                        except TimeoutError:
                            pass
                        connection.settimeout(1)
            except OSError:
                time.sleep(0.01)

    players = [threading.Thread(target=play, daemon=True) for _ in range(count)]
    for player in players:
        player.start()
    for player in players:
        player.join()


def dribble(server, until, did, text, count):
    """Connections that send a text byte by byte."""
    clients = []
    while time.monotonic() < until:
        while len(clients) < count and time.monotonic() < until:
            try:
                clients.append((connect_as_stranger(server), iter(text)))
            except OSError:
                break
        for client in list(clients):
            try:
                client[0].send(bytes([next(client[1])]))
                did[0] += 1
            except (OSError, StopIteration):
                clients.remove(client)
        time.sleep(0.05)


def document(path, value, *fields):
    body = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    head = post(path, len(body)).decode()[:-2] + "".join(f"{field}\r\n" for field in fields) + "\r\n"
    return head.encode() + body


def silent(server, until, did, count):
    """As many connections as the server accepts, and one more; none sends any bytes."""
    clients = []
    while time.monotonic() < until:
        try:
            clients.append(connect_as_stranger(server))
            did[0] += 1
        except OSError:
            pass
        if len(clients) > 4 * count:
            clients.pop(0).close()
        time.sleep(0.001)


def dribbled_heads(server, until, did, count):
    dribble(server, until, did, b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 4000, count)


def dribbled_bodies(server, until, did, count):
    dribble(server, until, did, post("/v1/minify", 1 << 20) + b"[" + b" " * 4000, count)


def slow_readers(server, until, did, count):
    """Large responses, of which the client occasionally reads a byte."""
    request = document("/v1/minify", b"[" + b"1," * 500_000 + b"1]")
    clients = []
    while time.monotonic() < until:
        if len(clients) < count:
            try:
                clients.append(connect_as_stranger(server))
                clients[-1].settimeout(0.2)
                clients[-1].sendall(request)
                did[0] += 1
            except OSError:
                pass
        for client in clients:
            try:
                client.setblocking(False)
                client.recv(1)
            except OSError:
                pass
        time.sleep(0.01)


def growing(server, until, did, count):
    """Requests of 1 KB whose output would have 30 GB."""
    value = {"profile": {"defaults": {"/n/*/x": "a" * 100_000}}, "payload": {"n": [{}] * 300_000}}
    body = gzip.compress(json.dumps(value, separators=(",", ":")).encode(), 9)
    fields = ["Content-Type: application/json", "Content-Encoding: gzip", "Accept-Encoding: gzip"]
    ask_again(server, until, did, document("/v1/convert", body, *fields), count)


def costly_profiles(server, until, did, count):
    """Profiles whose compiled states multiply, and objects with 500 levels."""
    rules = ["/**/a" + "/*" * number + "/x" for number in range(38)]
    payload = "{\"b\":" * 500 + "1" + "}" * 500
    body = '{"profile":{"drop":%s},"payload":%s}' % (json.dumps(rules, separators=(",", ":")), payload)
    ask_again(server, until, did, document("/v1/convert", body.encode(), "Content-Type: application/json"), count)


def long_profiles(server, until, did, count):
    """Requests to check profiles of 100 KB."""
    rules = ["/**/a" + "/*" * (number % 40) + f"/x{number}" for number in range(1000)]
    request = document("/v1/profiles/check", {"drop": rules}, "Content-Type: application/json")
    ask_again(server, until, did, request, count)


def envelopes(server, until, did, count):
    """Envelopes of 2 MB whose profile comes last."""
    value = {"payload": {"a": ["b" * 1000] * 2000}, "profile": {"keys": "snake_case"}}
    ask_again(server, until, did, document("/v1/convert", value, "Content-Type: application/json"), count)


def pipelined(server, until, did, count):
    """500 pipelined requests at once."""
    request = b"HEAD /openapi.yaml HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n"
    ask_again(server, until, did, request * 500, count)


def new_names(server, until, did, count):
    """1 MB of keys that the server has not seen before."""
    value = {f"some_name_{number}_{os.getpid()}": number for number in range(40_000)}
    request = document("/v1/normalize?keys=camelCase", value, "Content-Type: application/json")
    ask_again(server, until, did, request, count)


def bombs(server, until, did, count):
    """10 MB, sent as 10 KB; the server refuses or converts the decoded bytes."""
    body = gzip.compress(b"[" + b"[]," * 3_000_000 + b"1]", 9)
    fields = ["Content-Type: application/json", "Content-Encoding: gzip"]
    ask_again(server, until, did, document("/v1/minify?indent=16", body, *fields), count)


def compressed(server, until, did, count):
    """Requests whose responses have 1 MB and must be compressed."""
    value = [{"id": number, "text": f"{number * 2654435761 % 4294967296:x}"} for number in range(30_000)]
    fields = ["Content-Type: application/json", "Accept-Encoding: gzip"]
    ask_again(server, until, did, document("/v1/minify", value, *fields), count)


def many_short(server, until, did, count):
    """A new connection for each request; half of the requests are not HTTP."""
    while time.monotonic() < until:
        try:
            with connect_as_stranger(server) as connection:
                connection.sendall(GET_LAST if did[0] % 2 else b"\x16\x03\x01")
                did[0] += 1
                connection.recv(4096)
        except OSError:
            pass


HOSTILE = (
    silent, dribbled_heads, dribbled_bodies, slow_readers, growing, costly_profiles, long_profiles, envelopes, pipelined,
    new_names, bombs, compressed, many_short,
)  # fmt: skip


def beside(play):
    """One normal client, on a persistent connection and on new ones, beside `play` in a separate process."""

    def task(server, count):
        seconds = 6 if count >= 100 else 2
        until = time.monotonic() + seconds
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.nice(10)
            did = [0]
            play(server, until, did, count)
            os.write(writer, b"%d" % did[0])
            os._exit(0)
        connection, times, asked, answered = server.connect(), [], 0, 0
        responses = Responses(connection)
        # The hostile client has begun by then.
        time.sleep(0.2)
        while time.monotonic() < until:
            begin = time.perf_counter()
            asked += 1
            if asked % 10 == 0:
                connection.close()
                connection = server.connect()
                responses = Responses(connection)
            connection.sendall(post("/v1/minify", len(BODY)) + BODY)
            answered += responses.next() == (200, MINIFIED)
            times.append(time.perf_counter() - begin)
            time.sleep(0.002)
        os.close(writer)
        did = int(os.read(reader, 32) or b"0")
        os.waitpid(child, 0)
        times.sort()
        return {
            "did": did,
            "asked": asked,
            "answered": answered,
            "p50_ms": times[len(times) // 2] * 1000,
            "p99_ms": times[len(times) * 99 // 100] * 1000,
            "max_ms": times[-1] * 1000,
        }

    return task


TASKS = {task.__name__.replace("_", "-"): task for task in (slow_heads, idle, short, unread, ending)}
TASKS |= {f"beside-{play.__name__.replace('_', '-')}": beside(play) for play in HOSTILE}


def main():
    task, address, pid, count = sys.argv[1:]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for name, value in TASKS[task](Server(address, int(pid)), int(count)).items():
        print(name, f"{value:.1f}" if isinstance(value, float) else value)


if __name__ == "__main__":
    main()
