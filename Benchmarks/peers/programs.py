"""The programs of the comparison. Each converts a document once into a file, or again and again for a time."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent


class Missing(Exception):
    """The program is not on this machine."""


class Failed(Exception):
    """The program ended without a response."""


class Serving:
    """A program that runs during the whole comparison and handles the requests of README.md."""

    def __init__(self, name, *command):
        self.name = name
        if shutil.which(command[0]) is None:
            raise Missing(f"{name}: {command[0]} is not there")
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def write(self, task, document, output):
        self._ask("write", task, document, output)

    def seconds(self, task, document, wanted):
        """The seconds of one conversion, measured for about `wanted` seconds."""
        count, nanoseconds = self._ask("time", task, document, wanted).split()
        return int(nanoseconds) / int(count) / 1e9

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def _ask(self, *words):
        try:
            print(*words, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"{self.name} ended at: {' '.join(map(str, words))}")
        return line


class Jq:
    """jq, which handles no requests: it is started for each sample, with as many copies of the document as the time allows.

    The time of a start without input is subtracted.
    """

    def __init__(self):
        self.name = "jq"
        if shutil.which("jq") is None:
            raise Missing("jq: it is not there")
        self.start_seconds = {}
        self.copies = {}

    def write(self, task, document, output):
        with open(output, "wb") as file:
            self._run(task, pathlib.Path(document).read_bytes(), file)

    def seconds(self, task, document, wanted):
        data = pathlib.Path(document).read_bytes() + b"\n"
        copies = self.copies.get((task, document), 1)
        elapsed = self._beyond_start(task, data * copies)
        # If the conversions took less time than the start, the difference would be mostly noise.
        while elapsed < max(wanted / 2, self.start_seconds[task]):
            copies *= 2
            elapsed = self._beyond_start(task, data * copies)
        self.copies[task, document] = copies
        return elapsed / copies

    def close(self):
        pass

    def _beyond_start(self, task, data):
        if task not in self.start_seconds:
            self.start_seconds[task] = min(self._run(task, b"", subprocess.DEVNULL) for _ in range(5))
        return self._run(task, data, subprocess.DEVNULL) - self.start_seconds[task]

    @staticmethod
    def _run(task, data, output):
        filter_words = ["--from-file", HERE / "keys.jq"] if task == "keys" else ["."]
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            start = time.perf_counter()
            subprocess.run(["jq", "--compact-output", *filter_words], stdin=file, stdout=output, check=True)
            return time.perf_counter() - start


def start_all(ours, directory, wanted=None):
    """Our program first, then every peer on this machine, or only the wanted ones. Prints the missing ones."""
    makers = {
        "simdjson": lambda: Serving("simdjson", directory / "simdjson_peer"),
        "rapidjson": lambda: Serving("rapidjson", directory / "rapidjson_peer"),
        "tuned": lambda: Serving("tuned", directory / "rapidjson_peer", "--tuned"),
        "yyjson": lambda: Serving("yyjson", python_with("yyjson", directory), HERE / "python_peer.py", "yyjson"),
        "orjson": lambda: Serving("orjson", python_with("orjson", directory), HERE / "python_peer.py", "orjson"),
        "node": lambda: Serving("node", "node", HERE / "node_peer.mjs"),
        "jq": Jq,
    }
    programs = [Serving("convert", ours, "--peer")]
    for name, make in makers.items():
        if wanted is not None and name not in wanted:
            continue
        try:
            programs.append(make())
        except Missing as reason:
            print(f"skipped: {reason}")
    return programs


def python_with(module, directory):
    """The interpreter that has a module."""
    python = directory / "venv/bin/python3"
    probe = [python, "-c", f"import {module}"]
    if not os.access(python, os.X_OK) or subprocess.run(probe, stderr=subprocess.DEVNULL).returncode:
        raise Missing(f"{module}: it is not in the virtual environment")
    return python
