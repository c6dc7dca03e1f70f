"""Clients that behave badly, or in great numbers, for the server's fault tests.

    fault_clients.py TASK ADDRESS PID COUNT

prints what it found as lines of `name value`, and ends with 1 when the server did not do what every server must.
ADDRESS is HOST:PORT; PID is the server's process, whose memory and descriptors are read from /proc.
"""

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


class Answers:
    """Responses of one connection, one after the other; only those with a Content-Length."""

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
            raise EOFError("the connection ended within an answer")
        self.waiting += received


def slow_heads(server, count):
    """Clients that send a head byte by byte for ever, beside one client that works."""
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
    answers = Answers(connection)
    times = []
    for _ in range(1000):
        begin = time.perf_counter()
        connection.sendall(post("/v1/minify", len(BODY)) + BODY)
        assert answers.next() == (200, MINIFIED)
        times.append(time.perf_counter() - begin)
        time.sleep(0.002)
    stop.set()
    thread.join()
    times.sort()
    return {"p50_ms": times[499] * 1000, "p99_ms": times[989] * 1000, "max_ms": times[-1] * 1000}


def idle(server, count):
    """Connections that are kept alive after one request each, and do nothing."""
    server_before = server.resident_kilobytes()
    connections = []
    for _ in range(count):
        connection = server.connect()
        connection.sendall(GET)
        assert Answers(connection).next()[0] == 200
        connections.append(connection)
    server_after = server.resident_kilobytes()
    held = server.descriptors()
    begin = time.perf_counter()
    for connection in connections[:: max(1, count // 100)]:
        connection.sendall(GET)
        assert Answers(connection).next()[0] == 200
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
    """Connections of one request each, one after the other and a hundred at a time; descriptors go back."""
    before, memory_before = server.descriptors(), None
    begin = time.perf_counter()
    for index in range(0, count, 100):
        connections = [server.connect() for _ in range(min(100, count - index))]
        for number, connection in enumerate(connections):
            connection.sendall(GET if number % 10 == 0 else GET_LAST)
        for number, connection in enumerate(connections):
            assert Answers(connection).next()[0] == 200
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
    """An answer of `count` bytes of which nothing is read until the sender is stuck; then all of it must come."""
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
    assert Answers(other).next()[0] == 200
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
    """SIGTERM while `count` clients ask on connections of their own: who was let in is answered."""
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
            answers = Answers(connection)
            try:
                # In two pieces, so that requests are on their way when the signal comes.
                request = post("/v1/minify", len(BODY)) + BODY
                connection.sendall(request[:40])
                time.sleep(0.002)
                connection.sendall(request[40:])
                assert answers.next() == (200, MINIFIED)
                note("late" if was_told else "answered")
            except (OSError, EOFError):
                note("cut" if answers.waiting else "lost")
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


TASKS = {task.__name__.replace("_", "-"): task for task in (slow_heads, idle, short, unread, ending)}


def main():
    task, address, pid, count = sys.argv[1:]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for name, value in TASKS[task](Server(address, int(pid)), int(count)).items():
        print(name, f"{value:.1f}" if isinstance(value, float) else value)


if __name__ == "__main__":
    main()
