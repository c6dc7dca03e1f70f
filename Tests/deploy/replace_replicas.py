"""Replaces three replicas behind a load balancer in turn, by SIGTERM and a new start, under load: no request may fail.

Usage: replace_replicas.py PROGRAM haproxy|nginx|haproxy-gateway [SECONDS-OF-LOAD-AROUND-EACH-STEP]

The balancer runs with the example of deploy/, in which only addresses are replaced. With haproxy-gateway the replicas are gateways
before a backend that sends each body back. Prints one line of JSON: how many requests succeeded, how many failed and how, and how
many replicas were replaced. Exits with 1 when any request failed or none succeeded.
"""

import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENTS = 8
DRAIN_DELAY_SECONDS = 2
BODY = b'{"firstName": "Ada", "lastName": "Lovelace"}'
ANSWER = b'{"fn":"Ada","ln":"Lovelace"}'


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for_connection(port, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            # The balancer knows its servers only after its first health checks.
            time.sleep(1)
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing listens at port {port}")


def wait_for(port, path, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.05)
    raise SystemExit(f"nothing answers at port {port}")


class Replica:
    def __init__(self, program, port, admin, configuration=None):
        self.program, self.port, self.admin, self.configuration = program, port, admin, configuration
        self.start()

    def start(self):
        if self.configuration:
            what = ["--config", self.configuration, "--admin", f"127.0.0.1:{self.admin}"]
        else:
            what = ["--profiles", PROJECT / "examples/profiles"]
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", f"127.0.0.1:{self.port}", *what,
             "--loops", "1", "--access-log", "off", "--drain-delay-seconds", str(DRAIN_DELAY_SECONDS)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.admin, "/readyz")

    def replace(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        if code != 0:
            raise SystemExit(f"SIGTERM ended a replica with {code}")
        self.start()


class Echo(http.server.BaseHTTPRequestHandler):
    """A backend with persistent connections: sends a request's body back if X-Forwarded-For lists the client and the balancer."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200 if self.headers["X-Forwarded-For"] == "127.0.0.1, 127.0.0.1" else 500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Backend(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


def gateway_configuration(folder, backend):
    """The example's profile converts requests; the backend's responses pass through unchanged."""
    document = {
        "profiles": str(PROJECT / "examples/profiles"),
        "trustedProxies": ["127.0.0.1"],
        "upstreams": {"shop": {"servers": [f"http://127.0.0.1:{backend.server_address[1]}"]}},
        "routes": [{"match": "/v1/convert/mobile", "upstream": "shop", "request": {"profile": "mobile"}}],
    }
    path = folder / "convert.json"
    path.write_text(json.dumps(document))
    return path


class Client(threading.Thread):
    """Sends requests in a loop, half of them on the same connection and half on a new one."""

    def __init__(self, port, ending, number):
        super().__init__()
        self.port, self.ending, self.number = port, ending, number
        self.answered, self.failures = 0, []

    def run(self):
        connection = None
        while not self.ending.is_set():
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
                connection.request("POST", "/v1/convert/mobile", BODY, {"Content-Type": "application/json"})
                response = connection.getresponse()
                answer = response.read()
                if response.status == 200 and answer == ANSWER:
                    self.answered += 1
                else:
                    self.failures.append(f"status {response.status}")
                # The server may close a client's connection between two requests at any time; clients must handle this.
                if response.will_close or self.answered % 2 == self.number % 2:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(type(error).__name__)
                connection = None


def start_haproxy(folder, port, ports, admins, example="haproxy.cfg"):
    environment = dict(os.environ, CONVERT_FRONTEND=f"127.0.0.1:{port}")
    for index, replica in enumerate(ports, 1):
        environment[f"CONVERT_REPLICA_{index}"] = f"127.0.0.1:{replica}"
    for index, admin in enumerate(admins, 1):
        environment[f"CONVERT_ADMIN_PORT_{index}"] = str(admin)
    return subprocess.Popen(["haproxy", "-q", "-db", "-f", PROJECT / "deploy/haproxy" / example], env=environment)


def start_haproxy_of_gateways(folder, port, ports, admins):
    return start_haproxy(folder, port, ports, admins, "gateway.cfg")


def start_nginx(folder, port, ports, admins):
    text = (PROJECT / "deploy/nginx/nginx.conf").read_text()
    for index, replica in enumerate(ports, 1):
        text = text.replace(f"server 10.0.0.1{index}:8080", f"server 127.0.0.1:{replica}")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    if re.search(r"10\.0\.0\.|8080", text):
        raise SystemExit("deploy/nginx/nginx.conf has other addresses than this test knows")
    paths = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    text = text.replace("http {\n", f"http {{\n    access_log off;\n{paths}", 1)
    (folder / "nginx.conf").write_text(f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n{text}")
    return subprocess.Popen(["nginx", "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"])


def main():
    program, kind = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        port, *ports = free_ports(4)
        admins, configuration, backend = ports, None, None
        if kind == "haproxy-gateway":
            backend = Backend(("127.0.0.1", 0), Echo)
            threading.Thread(target=backend.serve_forever, daemon=True).start()
            admins, configuration = free_ports(3), gateway_configuration(folder, backend)
        replicas = [Replica(program, *each, configuration) for each in zip(ports, admins)]
        starts = {"haproxy": start_haproxy, "nginx": start_nginx, "haproxy-gateway": start_haproxy_of_gateways}
        balancer = starts[kind](folder, port, ports, admins)
        ending = threading.Event()
        clients = [Client(port, ending, number) for number in range(CLIENTS)]
        try:
            if kind != "haproxy-gateway":
                wait_for(port, "/healthz")
            else:
                # The balancer has no health path; it is ready once it accepts connections.
                wait_for_connection(port)
            for client in clients:
                client.start()
            time.sleep(seconds)
            for replica in replicas:
                replica.replace()
                time.sleep(seconds)
        finally:
            ending.set()
            for client in clients:
                if client.is_alive():
                    client.join()
            balancer.terminate()
            balancer.wait(20)
            for replica in replicas:
                replica.process.kill()
                replica.process.wait()
    answered = sum(client.answered for client in clients)
    failures = [failure for client in clients for failure in client.failures]
    print(json.dumps({"answered": answered, "failed": len(failures), "failures": sorted(set(failures)), "replaced": len(replicas)}))
    sys.exit(0 if answered and not failures else 1)


main()
