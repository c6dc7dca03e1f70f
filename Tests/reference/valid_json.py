#!/usr/bin/env python3
"""Which of the JSON texts on standard input, one a line in base64, Python's own parser refuses; their numbers, from 0."""

import base64
import json
import sys


def refuse(constant):
    raise ValueError(constant)


for number, line in enumerate(sys.stdin):
    try:
        json.loads(base64.b64decode(line).decode("utf-8"), parse_constant=refuse)
    except ValueError as fault:
        print(number, fault)
