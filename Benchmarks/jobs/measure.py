#!/usr/bin/env python3
"""Measures `convert --ndjson --jobs N`: how much faster lines are converted on several processors than on one.

    measure.py PROGRAM DIRECTORY [--lines FILE] [--megabytes 500 1000] [--jobs 2] [--rounds 5] [--json FILE]

The lines come from --lines, from api_100.ndjson in $CONVERT_CORPUS or ../shared/corpus, or are generated. They are repeated up to the
size in --megabytes and written to DIRECTORY, or to /dev/shm if the system has it, and removed at the end. First the outputs of one job
and of N jobs are compared: they must be the same bytes. In each round, one job and then N jobs convert all lines, without an output.
The ratio is the median over the rounds. Run nothing else at the same time.
"""

import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

CHUNK = 1 << 20


def main():
    options = parsed_options()
    source = options.lines.read_bytes() if options.lines.exists() else made_up_lines()
    if not source.endswith(b"\n"):
        source += b"\n"
    rows = [measured(source, megabytes, options) for megabytes in options.megabytes]
    print(f"{'lines':>10}  {'1 job':>10}  {f'{options.jobs} jobs':>10}  ratio of {options.rounds} rounds, least and most")
    for row in rows:
        print(
            f"{row['bytes'] / 1e6:7.0f} MB  {row['one']:5.0f} MB/s  {row['several']:5.0f} MB/s  "
            f"{row['ratio']:.2f} ({row['least']:.2f} to {row['most']:.2f})"
        )
    if options.json:
        options.json.write_text(json.dumps({"processors": os.cpu_count(), "jobs": options.jobs, "rows": rows}, indent=2))


def parsed_options():
    corpus = pathlib.Path(os.environ.get("CONVERT_CORPUS", "../shared/corpus"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--lines", type=pathlib.Path, default=corpus / "api_100.ndjson")
    parser.add_argument("--megabytes", type=int, nargs="+", default=[500, 1000])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, help="write the results here too")
    return parser.parse_args()


def made_up_lines():
    orders = ({"order_id": n, "created_at": "2026-01-02T03:04:05Z", "line_items": [{"unit_price": 9.5}] * (n % 9)} for n in range(500))
    return "".join(json.dumps(order, separators=(",", ":")) + "\n" for order in orders).encode()


def measured(source, megabytes, options):
    options.directory.mkdir(parents=True, exist_ok=True)
    memory = pathlib.Path("/dev/shm")
    path = (memory if memory.is_dir() else options.directory) / f"convert-jobs-{os.getpid()}.ndjson"
    count = megabytes * 1_000_000 // len(source) + 1
    try:
        with path.open("wb") as file:
            for _ in range(count):
                file.write(source)
        one, several = [], []
        digests = {digest(path, jobs, options.program) for jobs in (1, options.jobs)}
        if len(digests) > 1:
            sys.exit("jobs: the outputs differ")
        for _ in range(options.rounds):
            one.append(seconds(path, 1, options.program))
            several.append(seconds(path, options.jobs, options.program))
    finally:
        path.unlink(missing_ok=True)
    size = count * len(source)
    ratios = [alone / together for alone, together in zip(one, several)]
    return {
        "bytes": size,
        "one": size / statistics.median(one) / 1e6,
        "several": size / statistics.median(several) / 1e6,
        "ratio": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
    }


def command(path, jobs, program):
    return [program, "convert", "--ndjson", "--keys", "camelCase", "--jobs", str(jobs), path]


def digest(path, jobs, program):
    sha = hashlib.sha256()
    with subprocess.Popen(command(path, jobs, program), stdout=subprocess.PIPE) as process:
        while chunk := process.stdout.read(CHUNK):
            sha.update(chunk)
    if process.returncode != 0:
        sys.exit(f"jobs: {program} ended with {process.returncode}")
    return sha.hexdigest()


def seconds(path, jobs, program):
    # The output goes to /dev/null, since a reader would use time of the measured processors.
    start = time.monotonic()
    subprocess.run(command(path, jobs, program), stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


if __name__ == "__main__":
    main()
