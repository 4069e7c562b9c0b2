"""The Python package beside RapidFuzz, from Python: pairs, matrices, search. One thread each, in one process, alternating.

    python benches/python.py [--texts 200000]

Prints medians of several rounds. Text goes in as a column of pyarrow's (likewise) and as a list (RapidFuzz), as each likes it best; the time of handing
it over is part of the figure.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import pyarrow
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler, Levenshtein

import likewise

FIRST = "anna bob carla dieter elena frank greta hugo ines jonas karla lukas maria nils olga peter rosa sven tina ulf".split()
LAST = "schmidt garcia novak jensen rossi dubois kowalski larsen moreau fischer silva petrov haas lindqvist okafor".split()


def names(count: int, seed: int) -> list[str]:
    """Made-up names, one letter of some changed."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        name = f"{chance.choice(FIRST)} {chance.choice(LAST)} {chance.choice(LAST)}"
        at = chance.randrange(len(name))
        made.append(name[:at] + chance.choice("abcdefgh") + name[at + 1 :])
    return made


def beside(what: str, work: float, unit: str, ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> None:
    """Runs both in turn and prints how much each does in a second."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for call, times in zip((ours, theirs), took):
            began = time.perf_counter()
            call()
            times.append(time.perf_counter() - began)
    own, other = (work / statistics.median(times) for times in took)
    print(f"{what:<44} {own:>8.2f} {other:>8.2f} {unit}   ratio {own / other:.2f}")


def main() -> None:
    """Runs all comparisons."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=200_000)
    count = options.parse_args().texts
    likewise.configure(threads=1)
    left, right = names(count, 1), names(count, 2)
    a, b = pyarrow.array(left), pyarrow.array(right)
    few = 3000
    pairs, cells = count / 1e6, few * few / 1e6
    print(f"{'':<44} {'likewise':>8} {'rapidfuzz':>8}")
    for measure, scorer in (("levenshtein", Levenshtein), ("jaro-winkler", JaroWinkler)):
        similarity = scorer.normalized_similarity
        for kind, (x, y) in {"pyarrow": (a, b), "lists": (left, right)}.items():
            beside(
                f"cpdist, {measure}, {kind}",
                pairs,
                "million pairs/s",
                lambda: likewise.cpdist(x, y, measure=measure),
                lambda: process.cpdist(left, right, scorer=similarity, workers=1),
                7,
            )
        beside(
            f"cdist, {measure}, {few} × {few}",
            cells,
            "million pairs/s",
            lambda: likewise.cdist(left[:few], right[:few], measure=measure),
            lambda: process.cdist(left[:few], right[:few], scorer=similarity, workers=1),
            5,
        )
    index = likewise.Index(a, measure="levenshtein")
    beside(
        f"the 5 best of {count:,}, levenshtein",
        0.02,
        "thousand queries/s",
        lambda: index.search(right[:20], k=5),
        lambda: [process.extract(q, left, scorer=Levenshtein.normalized_similarity, limit=5) for q in right[:20]],
        3,
    )


if __name__ == "__main__":
    main()
