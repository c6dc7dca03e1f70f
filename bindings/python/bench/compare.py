"""Measures convert_json.rest_framework beside djangorestframework-camel-case: compare.py [DIRECTORY].

The documents are those of a directory, else of $CONVERT_CORPUS, else of ../shared/corpus. The times are those of the fastest round.
"""

import io
import json
import math
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable

from django.conf import settings

settings.configure()
from djangorestframework_camel_case import parser, render  # noqa: E402

from convert_json import rest_framework  # noqa: E402


def fastest(call: Callable[[], Any]) -> float:
    """Milliseconds of the fastest round within one second."""
    times = []
    end = time.perf_counter() + 1
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def measure(data: Any) -> "list[tuple[float, float]]":
    """Milliseconds of the other package and of ours, for `render` and for `parse`."""
    renderers = render.CamelCaseJSONRenderer(), rest_framework.CamelCaseJSONRenderer()
    parsers = parser.CamelCaseJSONParser(), rest_framework.CamelCaseJSONParser()
    text = renderers[0].render(data)
    assert renderers[1].render(data) == text
    assert len({json.dumps(one.parse(io.BytesIO(text))) for one in parsers}) == 1
    rendering = [fastest(lambda: one.render(data)) for one in renderers]
    parsing = [fastest(lambda: one.parse(io.BytesIO(text))) for one in parsers]
    return [(rendering[0], rendering[1]), (parsing[0], parsing[1])]


print("| document | `render`, ms | here, ms | | `parse`, ms | here, ms | |\n|---|---|---|---|---|---|---|")
ratios: "list[list[float]]" = []
corpus = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CONVERT_CORPUS", "../shared/corpus"))
for path in sorted(corpus.glob("*json")):
    content = path.read_text()
    times = measure([json.loads(line) for line in content.splitlines()] if path.suffix == ".ndjson" else json.loads(content))
    ratios.append([there / here for there, here in times])
    cells = [f"{there:.2f} | {here:.2f} | {there / here:.1f} ×" for there, here in times]
    print(f"| {path.name} | {' | '.join(cells)} |", flush=True)
means = [math.exp(sum(map(math.log, column)) / len(ratios)) for column in zip(*ratios)]
print("| geometric mean |" + " |".join(f" | | {mean:.1f} ×" for mean in means) + " |")
