#!/usr/bin/env python3
"""Draws the results of `make bench-peers` as an SVG: MB of input a second, as bars, for each task and program.

    python3 Benchmarks/peers/chart.py .build/bench-peers.json docs/images/peers.svg

A bar is the geometric mean over the documents of the project's goal, or over all documents if one of these is missing.
"""

import json
import math
import pathlib
import statistics
import sys

from comparison_table import AIMED_AT, Cell, shown

TITLES = {"keys": "Rewrite all keys", "minify": "Remove white space, validated"}
NAMES = {"convert": "Convert", "rapidjson": "RapidJSON", "tuned": "RapidJSON, tuned", "node": "Node.js"}
WIDTH, LABEL, VALUE, BAR, STEP, TOP = 760, 130, 90, 16, 24, 34

STYLE = """
    .us { fill: #0969da } .other { fill: #8c959f } text { fill: #1f2328 } .head { font-weight: bold }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .us { fill: #4493f8 } .other { fill: #656c76 } }
"""


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    cells = [Cell(**cell) for cell in json.loads(source.read_text())]
    target.write_text(drawn(cells))


def drawn(cells):
    names = {cell.document for cell in cells}
    chosen = AIMED_AT if set(AIMED_AT) <= names else sorted(names)
    lines, y = [], 0
    for task in dict.fromkeys(cell.task for cell in cells):
        speeds = means([cell for cell in cells if cell.task == task and cell.document in chosen])
        scale = (WIDTH - LABEL - VALUE) / max(speeds.values())
        lines.append(f'  <text class="head" x="0" y="{y + 18}">{TITLES.get(task, task)}, MB/s on one core</text>')
        y += TOP
        for program, speed in sorted(speeds.items(), key=lambda pair: -pair[1]):
            kind = "us" if program == "convert" else "other"
            length = max(1, round(speed * scale))
            lines += [
                f'  <text x="{LABEL - 8}" y="{y + 13}" text-anchor="end">{NAMES.get(program, program)}</text>',
                f'  <rect class="{kind}" x="{LABEL}" y="{y}" width="{length}" height="{BAR}"/>',
                f'  <text x="{LABEL + length + 6}" y="{y + 13}">{shown(speed)}</text>',
            ]
            y += STEP
        y += 12
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="13">',
            "  <title>MB of JSON a second for each program, made by Benchmarks/peers/chart.py</title>",
            f"  <style>{STYLE}  </style>",
            *lines,
            "</svg>\n",
        ]
    )


def means(cells):
    """The geometric mean of MB/s for each program that has a result for every document."""
    documents = {cell.document for cell in cells}
    speeds = {}
    for program in dict.fromkeys(cell.program for cell in cells):
        of_program = [cell for cell in cells if cell.program == program]
        if {cell.document for cell in of_program} == documents:
            logarithms = [math.log(cell.megabytes_per_second) for cell in of_program]
            speeds[program] = math.exp(statistics.fmean(logarithms))
    return speeds


if __name__ == "__main__":
    main()
