#!/usr/bin/env python3
"""Packs the JavaScript kit without the program: `kit.py OUTPUT`. `make kit` runs it."""

import os
import pathlib
import sys
import tempfile

import kits

os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
output = pathlib.Path(sys.argv[1]).resolve()
output.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as work:
    print(kits.javascript_without_program(pathlib.Path(work), output))
