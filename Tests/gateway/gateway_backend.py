"""A backend that sends exactly the bytes of a script, and records every byte that it receives.

    gateway_backend.py [--one-port] LISTENERS [UNIX-SOCKET]

prints one line, `ports CONTROL REFUSING FULL LISTENER...`, and ends when the connection to its control port ends. REFUSING refuses
connections, FULL neither accepts nor refuses them. Listeners are counted from 0; a Unix socket is the last. With --one-port they have
the same port, at 127.0.0.1, 127.0.0.2 and so on.

Commands on the control port are lines; N is the number of bytes that follow the line.

    script LISTENER PATH STEPS    the script for the next request for PATH (`*`: any path; LISTENER -1: any), then STEPS lines of:
        send N                    send these bytes
        repeat TIMES N            send these bytes TIMES times
        sleep MILLISECONDS
        gate NAME                 wait until the gate is opened
        body                      read the request's body here; without this step it is read before all other steps
        tunnel                    send back all bytes that arrive, until the end
        hang                      wait until the peer closes the connection
        close, end, reset         close; end the sending side; reset
    open NAME                     opens a gate
    down LISTENER, up LISTENER    refuses connections; accepts them again
    fin LISTENER                  closes that listener's open connections
    requests FIRST                requests from this number on, as `request CONNECTION LISTENER IS-COMPLETE N M` with head and body
    connections                   each as `connection LISTENER STATE N` with its bytes; STATE is open, fin, reset or closed (by itself)

Scripts for one path are used in order; the last one is repeated until there is another. A reply is a line with its length, then its bytes.
"""

import os
import socket
import struct
import sys
import threading
import time

MAX_SECONDS = 60
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
PAYLOAD_STEPS = {"send", "repeat"}
BLOCK_BYTES = 1 << 16


class Gone(Exception):
    """The peer has ended or reset the connection."""


class Finished(Exception):
    """The script has ended the connection."""


class Backend:
    def __init__(self, listeners, path, has_one_port=False):
        self.lock = threading.Lock()
        self.scripts = {}
        self.gates = {}
        self.requests = []
        self.connections = []
        self.places = [("127.0.0.1", 0)] * listeners + ([path] if path else [])
        self.listeners = [None] * len(self.places)
        for index in range(len(self.places)):
            if has_one_port and 0 < index < listeners:
                self.places[index] = (f"127.0.0.{index + 1}", self.places[0][1])
            self.up(index)
        self.refusing = socket.socket()
        self.refusing.bind(("127.0.0.1", 0))
        self.full, self.fillers = full_listener()

    def ports(self):
        return [place[1] for place in self.places if isinstance(place, tuple)]

    def up(self, index):
        place = self.places[index]
        if isinstance(place, str):
            if os.path.exists(place):
                os.unlink(place)
            listener = socket.socket(socket.AF_UNIX)
        else:
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(512)
        self.places[index] = listener.getsockname()
        self.listeners[index] = listener
        threading.Thread(target=self.accept, args=(listener, index), daemon=True).start()

    def down(self, index):
        # A shutdown wakes the thread that waits in accept; a close alone would leave the port open until that thread returns.
        self.listeners[index].shutdown(socket.SHUT_RDWR)
        self.listeners[index].close()

    def accept(self, listener, index):
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            with self.lock:
                connection = Connection(self, peer, index, len(self.connections))
                self.connections.append(connection)
            threading.Thread(target=connection.serve, daemon=True).start()

    def gate(self, name):
        with self.lock:
            return self.gates.setdefault(name, threading.Event())

    def script(self, listener, path):
        with self.lock:
            for key in [(listener, path), (-1, path), (listener, "*"), (-1, "*")]:
                waiting = self.scripts.get(key)
                if not waiting:
                    continue
                if len(waiting) > 1 and waiting[0]["used"]:
                    waiting.pop(0)
                waiting[0]["used"] = True
                return waiting[0]["steps"]
        return [("send", 1, OK)]


def full_listener():
    """A listener whose queue is full, so that the system responds to no further SYN."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    fillers = []
    for _ in range(4):
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex(listener.getsockname())
        fillers.append(filler)
    return listener, fillers


class Connection:
    def __init__(self, backend, peer, listener, number):
        self.backend, self.peer, self.listener, self.number = backend, peer, listener, number
        self.received = bytearray()
        self.position = 0
        self.state = "open"
        if peer.family != socket.AF_UNIX:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def serve(self):
        try:
            while True:
                self.exchange()
        except Gone as gone:
            self.state = str(gone)
        except Finished:
            self.state = "closed"
        finally:
            self.peer.close()

    def exchange(self):
        end = self.await_bytes(b"\r\n\r\n")
        head = bytes(self.received[self.position : end])
        self.position = end
        request = {"connection": self, "head": head, "body": bytearray(), "complete": False}
        with self.backend.lock:
            self.backend.requests.append(request)
        path = head.split(b"\r\n", 1)[0].split(b" ")[1].split(b"?")[0].decode("latin-1")
        steps = self.backend.script(self.listener, path)
        if not any(step[0] == "body" for step in steps):
            self.read_body(request)
        for step in steps:
            self.perform(step, request)
        if not request["complete"]:
            self.read_body(request)

    def perform(self, step, request):
        name = step[0]
        try:
            if name in PAYLOAD_STEPS:
                self.send(step[1], step[2])
            elif name == "sleep":
                time.sleep(step[1] / 1000)
            elif name == "gate":
                self.backend.gate(step[1]).wait(MAX_SECONDS)
            elif name == "body":
                self.read_body(request)
            elif name == "tunnel":
                self.tunnel()
            elif name == "hang":
                while True:
                    self.more()
            elif name == "end":
                self.peer.shutdown(socket.SHUT_WR)
            elif name == "close":
                raise Finished
            elif name == "reset":
                self.peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                raise Finished
        except (ConnectionResetError, BrokenPipeError):
            raise Gone("reset") from None

    def send(self, times, data):
        # Many short pieces at once: one call for each would take longer than the tested time.
        several = max(1, min(times, BLOCK_BYTES // max(1, len(data))))
        block = data * several
        for _ in range(times // several):
            self.peer.sendall(block)
        self.peer.sendall(data * (times % several))

    def tunnel(self):
        while True:
            if self.position == len(self.received):
                self.more()
            data = bytes(self.received[self.position :])
            self.position = len(self.received)
            self.peer.sendall(data)

    def more(self):
        try:
            data = self.peer.recv(1 << 18)
        except OSError:
            raise Gone("reset") from None
        if not data:
            raise Gone("fin")
        self.received += data

    def await_bytes(self, wanted):
        """Waits for `wanted` from the current position on; returns the position after it."""
        start = self.position
        while True:
            found = self.received.find(wanted, start)
            if found >= 0:
                return found + len(wanted)
            start = max(self.position, len(self.received) - len(wanted) + 1)
            self.more()

    def take(self, count):
        while len(self.received) - self.position < count:
            self.more()
        self.position += count
        return self.received[self.position - count : self.position]

    def read_body(self, request):
        fields = [line.split(b":", 1) for line in request["head"].lower().split(b"\r\n")[1:] if b":" in line]
        fields = {name: value.strip() for name, value in fields}
        body = request["body"]
        if fields.get(b"transfer-encoding") == b"chunked":
            while True:
                end = self.await_bytes(b"\r\n")
                count = int(bytes(self.received[self.position : end]).split(b";")[0], 16)
                self.position = end
                if count == 0:
                    break
                body += self.take(count)
                self.take(2)
            while (end := self.await_bytes(b"\r\n")) > self.position + 2:
                request["head"] += b"(trailer) " + bytes(self.received[self.position : end])
                self.position = end
            self.position = end
        else:
            missing = int(fields.get(b"content-length", 0))
            while missing > 0:
                if len(self.received) == self.position:
                    self.more()
                piece = self.take(min(missing, len(self.received) - self.position))
                body += piece
                missing -= len(piece)
        request["complete"] = True


class Control:
    def __init__(self, backend, peer):
        self.backend, self.stream = backend, peer.makefile("rwb")

    def serve(self):
        while line := self.stream.readline():
            name, *words = line.decode().split()
            reply = getattr(self, f"do_{name}")(*words) or b""
            self.stream.write(b"%d\n" % len(reply) + reply)
            self.stream.flush()

    def do_script(self, listener, path, count):
        steps = []
        for _ in range(int(count)):
            name, *words = self.stream.readline().decode().split()
            if name in PAYLOAD_STEPS:
                times = int(words[0]) if name == "repeat" else 1
                steps.append((name, times, self.stream.read(int(words[-1]))))
            elif name == "sleep":
                steps.append((name, float(words[0])))
            else:
                steps.append((name, *words))
        with self.backend.lock:
            self.backend.scripts.setdefault((int(listener), path), []).append({"steps": steps, "used": False})

    def do_open(self, name):
        self.backend.gate(name).set()

    def do_down(self, listener):
        self.backend.down(int(listener))

    def do_up(self, listener):
        self.backend.up(int(listener))

    def do_fin(self, listener):
        for connection in list(self.backend.connections):
            if connection.listener == int(listener) and connection.state == "open":
                connection.peer.shutdown(socket.SHUT_WR)

    def do_requests(self, first):
        # A bytearray grows in place: otherwise thousands of long heads would take seconds.
        reply = bytearray()
        for request in self.backend.requests[int(first) :]:
            connection, head, body = request["connection"], request["head"], bytes(request["body"])
            numbers = [connection.number, connection.listener, int(request["complete"]), len(head), len(body)]
            reply += f"request {' '.join(map(str, numbers))}\n".encode() + head + body
        return reply

    def do_connections(self):
        reply = bytearray()
        for connection in list(self.backend.connections):
            received = bytes(connection.received)
            reply += f"connection {connection.listener} {connection.state} {len(received)}\n".encode() + received
        return reply


def main():
    words = [word for word in sys.argv[1:] if word != "--one-port"]
    backend = Backend(int(words[0]), words[1] if len(words) > 1 else None, "--one-port" in sys.argv)
    control = socket.create_server(("127.0.0.1", 0))
    control.settimeout(MAX_SECONDS)
    numbers = [each.getsockname()[1] for each in (control, backend.refusing, backend.full)] + backend.ports()
    print("ports", *numbers, flush=True)
    peer, _ = control.accept()
    peer.settimeout(None)
    Control(backend, peer).serve()


if __name__ == "__main__":
    main()
