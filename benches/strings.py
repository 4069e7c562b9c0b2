#!/usr/bin/env python3
"""Measures the batch kernels beside `rapidfuzz.process.cdist`, one thread, processor time.

    pip install rapidfuzz numpy
    python benches/strings.py LINES [--rows 2000] [--repeats 3] [--binary PATH]

LINES is a text file, one name a line. Each repeat measures both, one after the other, so that a
busy machine slows down both; the ratio is that of the best of each. `new` is with a new matrix for
each call, which is all that cdist offers (of 32-bit floats, ours being of 64); `kept` with one
matrix written again and again.
Without --binary the example `kernel_speed` is built first.
"""

import argparse
import subprocess
import time

from rapidfuzz import process
from rapidfuzz.distance import OSA, Jaro, JaroWinkler, LCSseq, Levenshtein

SCORERS = {
    "levenshtein": Levenshtein,
    "jaro-winkler": JaroWinkler,
    "jaro": Jaro,
    "osa": OSA,
    "lcs": LCSseq,
}
BUILD = ["cargo", "build", "--quiet", "--release", "-p", "likewise", "--example", "kernel_speed"]
RUN = ["cargo", "run", *BUILD[2:]]


def ours(command, path, rows):
    """Pairs per second of each kernel, into a new matrix and into one that is kept."""
    run = subprocess.run([*command, path, str(rows), "1"], stdout=subprocess.PIPE, check=True)
    lines = (line.split("\t") for line in run.stdout.decode().splitlines())
    return {name: (float(new), float(kept)) for name, new, kept, _ in lines}


def theirs(lines, rows):
    """Pairs per second of each scorer."""
    speeds = {}
    for name, scorer in SCORERS.items():
        start = time.process_time()
        process.cdist(lines[:rows], lines, scorer=scorer.normalized_similarity, workers=1)
        speeds[name] = min(rows, len(lines)) * len(lines) / (time.process_time() - start)
    return speeds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--binary", help="the built example kernel_speed")
    arguments = parser.parse_args()
    if arguments.binary:
        command = [arguments.binary]
    else:
        subprocess.run(BUILD, check=True)
        command = [*RUN, "--"]

    with open(arguments.lines, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines[-1] == "":
        lines.pop()
    best = {name: (0.0, 0.0, 0.0) for name in SCORERS}
    for _ in range(arguments.repeats):
        left = ours(command, arguments.lines, arguments.rows)
        right = theirs(lines, arguments.rows)
        for name, before in best.items():
            best[name] = tuple(map(max, before, (*left[name], right[name])))
    print("million pairs per second   likewise          rapidfuzz  ratio")
    print("                           new     kept      new        new    kept")
    for name, (new, kept, other) in best.items():
        speeds = f"{new / 1e6:9.1f} {kept / 1e6:8.1f} {other / 1e6:8.1f}"
        print(f"{name:20} {speeds} {new / other:10.2f} {kept / other:7.2f}")


if __name__ == "__main__":
    main()
