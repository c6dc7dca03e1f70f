"""The servers of the comparison. They run on free ports of loopback and on one core each."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.request

SCRIPTS = pathlib.Path(__file__).resolve().parent
START_SECONDS = 10
MODULES = pathlib.Path("/usr/lib/nginx/modules")


class Missing(Exception):
    """The reason why a server cannot take part."""


class Server:
    """A running server. `paths` has the path of each task; `cannot_tell_arrays` allows `{}` for `[]`."""

    def __init__(self, name, command, port, paths, directory, environment=None, cannot_tell_arrays=False):
        self.name = name
        self.port = port
        self.paths = paths
        self.cannot_tell_arrays = cannot_tell_arrays
        slug = "".join(letter for letter in name if letter.isalnum())
        self.log = directory / f"{slug}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})})
        try:
            self.await_start()
        except BaseException:
            self.end()
            raise

    def await_start(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise Missing(f"{self.name} did not start: {self.log.read_text(errors='replace')[-300:].strip()}")

    def url(self, task):
        return f"http://127.0.0.1:{self.port}{self.paths[task]}"

    def response(self, task, body):
        """The server's response to `body`, read by Python."""
        request = urllib.request.Request(self.url(task), data=body, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.loads(response.read())

    def processor_seconds(self):
        """The processor time of the server and its children so far."""
        total = 0
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if str(self.process.pid) in (entry.name, fields[1]):
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def empty_log(self):
        os.truncate(self.log, 0)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def ours(name, program, core, directory, access_log):
    if not program.exists():
        raise Missing(f"{program} is not built")
    port = free_port()
    command = [
        *on_core(core), program, "serve", "--listen", f"127.0.0.1:{port}", "--loops", "1", "--access-log", access_log]
    # /v1/minify returns minified bodies unchanged, but parses and validates them. It is the nearest task to an echo.
    paths = {"camel": "/v1/normalize?keys=camelCase", "echo": "/v1/minify"}
    return Server(name, command, port, paths, directory)


def echo(program, core, directory):
    """Our sockets, poller and wire, without the parts that are built on them."""
    if not program.exists():
        raise Missing(f"{program} is not built")
    port = free_port()
    return Server("convert's wire", [*on_core(core), program, port], port, {"echo": "/"}, directory)


def node(core, directory):
    program = found("node")
    port = free_port()
    command = [*on_core(core), program, SCRIPTS / "node_server.mjs", port]
    return Server("node", command, port, {"camel": "/camel", "echo": "/echo"}, directory)


def nginx(core, directory):
    program = found("nginx")
    modules = [MODULES / "ndk_http_module.so", MODULES / "ngx_http_lua_module.so"]
    if not all(module.exists() for module in modules):
        raise Missing("nginx has no Lua module (libnginx-mod-http-lua)")
    port = free_port()
    values = {
        "modules": "\n".join(f"load_module {module};" for module in modules),
        "user": "root" if os.geteuid() == 0 else "nobody",
        "directory": directory, "port": port, "scripts": SCRIPTS,
    }
    text = (SCRIPTS / "nginx.conf").read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    configuration = directory / "nginx.conf"
    configuration.write_text(text)
    command = [*on_core(core), program, "-p", directory, "-c", configuration]
    return Server(
        "nginx+Lua", command, port, {"camel": "/camel", "echo": "/echo"}, directory, cannot_tell_arrays=True)


def on_core(core):
    return [found("taskset"), "-c", str(core)]


def found(program):
    # Daemons are often not on the PATH of users.
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if path is None:
        raise Missing(f"{program} is not installed")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
