"""Runs the example `score_lines`, for the checks that hold measures to other libraries."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = "cargo run --quiet --release -p likewise --all-features --example score_lines --"


def program(description):
    """The command, as `--binary` names it or through cargo."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--binary", help="a built example `score_lines`, with all features")
    binary = parser.parse_args().binary
    return [str(Path(binary).resolve())] if binary else BUILD.split()


def scores(program, measure, texts, pairs):
    """Our scores of pairs of texts, with weights counted from `texts`."""
    lines = [json.dumps({"collection": texts})]
    lines += [json.dumps({"a": a, "b": b}) for a, b in pairs]
    command = [*program, measure]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    found = [float(line) for line in done.stdout.split()]
    if len(found) != len(pairs):
        sys.exit(f"{measure}: {len(found)} scores for {len(pairs)} pairs")
    return found
