#!/usr/bin/env python3
"""Pairs per second beside `rapidfuzz.process.cdist`: one thread, processor time, one run.

    pip install rapidfuzz numpy
    python benches/pairs.py --data DIR [--rows 2000] [--repeats 3]

DIR/bench/names_10000.tsv.gz holds the names (last column, lower-cased for both sides). Each repeat
measures both, one after the other, so that a busy machine slows down both; the ratio is that of the
best of each. Both make a new matrix in each call: cdist of 32-bit floats, ours of 64.
"""

import argparse
import gzip
import os
import subprocess
import tempfile
import time

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, Jaro, JaroWinkler, LCSseq, Levenshtein

# Ours, theirs, and the ratio we hold ourselves to.
PEERS = [
    ("levenshtein", "Levenshtein", Levenshtein.normalized_similarity, 0.8),
    ("jaro-winkler", "JaroWinkler", JaroWinkler.normalized_similarity, 0.8),
    ("jaro", "Jaro", Jaro.normalized_similarity, 0.8),
    ("osa", "OSA", OSA.normalized_similarity, 0.8),
    ("lcs", "LCSseq", LCSseq.normalized_similarity, 0.8),
    ("sc(q=2:4)", "token_set_ratio", fuzz.token_set_ratio, 5.0),
]
BUILD = "cargo build --quiet --release -p likewise --example pair_speed".split()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def ours(path, rows):
    """Pairs per second of each measure."""
    program = os.path.join(ROOT, "target/release/examples/pair_speed")
    command = [program, path, str(rows), *(name for name, *_ in PEERS)]
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    return {name: float(speed) for name, speed in (line.split("\t") for line in lines.splitlines())}


def theirs(names, rows, scorer):
    """Pairs per second of a scorer."""
    start = time.process_time()
    process.cdist(names[:rows], names, scorer=scorer, workers=1)
    return rows * len(names) / (time.process_time() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if not options.data:
        parser.error("say where the data are: --data DIR, or LIKEWISE_DATA")
    with gzip.open(os.path.join(options.data, "bench/names_10000.tsv.gz"), "rt", encoding="utf-8") as file:
        names = [line.rstrip("\n").split("\t")[-1].lower() for line in file]
    subprocess.run(BUILD, check=True, cwd=ROOT)
    best = {name: [0.0, 0.0] for name, *_ in PEERS}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "names.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(name + "\n" for name in names)
        for _ in range(options.repeats):
            speeds = ours(path, options.rows)
            for name, _, scorer, _ in PEERS:
                # The slow one needs no more than a few hundred rows to be measured.
                rows = options.rows if scorer is not fuzz.token_set_ratio else options.rows // 10
                best[name][0] = max(best[name][0], speeds[name])
                best[name][1] = max(best[name][1], theirs(names, rows, scorer))
    print(f"{len(names)} names, {options.rows} rows, best of {options.repeats}; million pairs per second")
    print(f"{'likewise':14} {'':>7}   {'rapidfuzz':16} {'':>7} {'ratio':>7} {'floor':>6}")
    for name, peer, _, floor in PEERS:
        mine, other = best[name]
        print(f"{name:14} {mine / 1e6:7.1f}   {peer:16} {other / 1e6:7.1f} {mine / other:7.2f} {floor:6}")


if __name__ == "__main__":
    main()
