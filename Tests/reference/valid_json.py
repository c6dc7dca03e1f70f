#!/usr/bin/env python3
"""Reads texts on standard input, one a line in base64; prints the numbers, from 0, of those that Python's JSON parser refuses."""

import base64
import json
import sys


def refuse(constant):
    raise ValueError(constant)


for number, line in enumerate(sys.stdin):
    try:
        json.loads(base64.b64decode(line).decode("utf-8"), parse_constant=refuse)
    except ValueError as error:
        print(number, error)
