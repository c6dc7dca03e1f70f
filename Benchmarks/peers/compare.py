#!/usr/bin/env python3
"""Compares our engine with other programs: the same documents, rounds interleaved, one table.

Run it by `make bench-peers`, which builds the programs. Every output is checked before the measurement.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import documents
import key_rule
import programs
from comparison_table import Cell, pivoted, text_of

TASKS = ["keys", "minify"]


def main():
    options = parsed_options()
    ours = options.products / "Benchmarks"
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as directory:
        source = ["--corpus", options.corpus] if options.corpus else []
        subprocess.run([ours, *source, "--write", directory], check=True)
        if options.spellings:
            paths = spelled(directory)
        else:
            paths = sorted(pathlib.Path(directory).iterdir(), key=lambda path: path.stat().st_size)
        running = programs.start_all(ours, options.directory, options.programs)
        cells = [
            cell
            for document in paths
            for task in TASKS
            if options.filter in f"{document.name}/{task}"
            for cell in measured(document, task, running, options)
        ]
        for program in running:
            program.close()
    if not cells:
        sys.exit(f"nothing matches {options.filter}")
    print(f"MB of input a second, medians of {options.rounds} interleaved rounds; ×: how many times as fast convert is\n")
    print(pivoted(cells) if options.spellings else text_of(cells))
    if options.json:
        options.json.write_text(json.dumps([vars(cell) for cell in cells], indent=1) + "\n")


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path, help="directory of the programs from Benchmarks/peers/build")
    parser.add_argument("--products", type=pathlib.Path, default=pathlib.Path(".build/release"))
    parser.add_argument("--corpus", help="directory of documents; the default is that of the Benchmarks program")
    parser.add_argument("--spellings", action="store_true", help="every document in nine spellings, and other kinds of documents")
    parser.add_argument("--programs", type=lambda text: text.split(","), help="only these peers, separated by commas, beside our own program")
    parser.add_argument("--filter", default="", help="only cells whose document/task contains this text")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.1, help="least length of one measurement")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here too")
    return parser.parse_args()


def spelled(directory):
    """Writes the documents of the directory in every spelling, and generated ones, to `spelled` in it. Returns their paths."""
    target = pathlib.Path(directory, "spelled")
    documents.write(pathlib.Path(directory), target)
    return sorted(target.iterdir())


def measured(document, task, running, options):
    """A cell for each program with a correct output."""
    right = [program for program in running if is_right(document, task, program)]
    if running[0] not in right:
        sys.exit("our own output is wrong; nothing is measured")
    samples = {program.name: [] for program in right}
    for is_warmup in [True] + [False] * options.rounds:
        for program in right:
            seconds = program.seconds(task, document, options.seconds)
            if not is_warmup:
                samples[program.name].append(seconds)
    size = document.stat().st_size
    return [Cell(document.name, size, task, name, seconds) for name, seconds in samples.items()]


def is_right(document, task, program):
    """Whether the program's output has the expected values, compared by an independent reader."""
    with tempfile.NamedTemporaryFile() as output:
        # Twice, since programs that remember keys run other code the second time.
        for _ in range(2):
            program.write(task, document, output.name)
        found = values(pathlib.Path(output.name), document)
    expected = values(document, document)
    if task == "keys":
        expected = key_rule.converted(expected)
    if found == expected:
        return True
    print(f"wrong output, left out: {program.name} {task} {document.name}")
    return False


def values(path, document):
    """The JSON texts of a file. Whole numbers are read as floats, since several peers are not more exact."""
    text = path.read_text(encoding="utf-8")
    texts = text.splitlines() if document.suffix == ".ndjson" else [text]
    return [json.loads(line, parse_int=float) for line in texts if line]


if __name__ == "__main__":
    main()
