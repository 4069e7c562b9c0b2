#!/usr/bin/env python3
"""Makes two tables of names in clusters whose sizes are known, small ones and large ones: like those of `docs/link-threshold.md`.

    python benches/made_clusters.py --data DIR --work DIR

Takes names from DIR/bench/names_100000.tsv.gz and writes `made-small/records.csv` and `made-large/records.csv` (`id,cluster,text`), as
`likewise eval match` reads them. All but the first row of a cluster are varied: words swapped, abbreviated or left out, up to two slips of typing.
"""

import argparse
import csv
import gzip
import os
import random
from collections.abc import Iterator

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ROWS = 4000
# Clusters are as large as one of these, drawn at random.
SIZES = {
    "made-small": [1] * 60 + [2] * 20 + [3] * 10 + [4] * 6 + [5] * 4,
    "made-large": [1] * 20 + [2] * 10 + [5] * 8 + [10] * 5 + [30] * 2 + [100],
}


def names(path: str) -> list[str]:
    """One name of each key, of the rows after the first 20,000."""
    with gzip.open(path, "rt", encoding="utf8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    first: dict[str, str] = {}
    for _, key, _, name in rows[20_000:]:
        first.setdefault(key, name)
    return list(first.values())


def slip(text: str, chance: random.Random) -> str:
    """A letter left out, put in, replaced, or swapped with the next."""
    if len(text) < 3:
        return text
    at, kind = chance.randrange(len(text) - 1), chance.randrange(4)
    before, after = text[:at], text[at + 1 :]
    letter = chance.choice(LETTERS) if kind in (1, 2) else ""
    return [before + after, before + letter + text[at:], before + letter + after, before + text[at + 1] + text[at] + text[at + 2 :]][kind]


def vary(text: str, chance: random.Random) -> str:
    """The same name as somebody else would write it."""
    words, kind = text.split(), chance.random()
    if kind < 0.15 and len(words) > 1:
        words[0], words[-1] = words[-1], words[0]
    elif 0.15 <= kind < 0.25 and len(words) > 1:
        at = chance.randrange(len(words))
        words[at] = words[at][0] + "."
    elif 0.25 <= kind < 0.32 and len(words) > 2:
        del words[chance.randrange(len(words))]
    text = " ".join(words)
    for _ in range(chance.choice([0, 1, 1, 2])):
        text = slip(text, chance)
    return text


def rows(base: list[str], sizes: list[int], chance: random.Random) -> Iterator[tuple[int, str]]:
    """Clusters, each with the rows that it has."""
    made = 0
    for cluster, name in enumerate(chance.sample(base, len(base))):
        size = chance.choice(sizes)
        yield cluster, name
        yield from ((cluster, vary(name, chance)) for _ in range(size - 1))
        made += size
        if made >= ROWS:
            return


def main() -> None:
    """Writes both tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", required=True)
    options.add_argument("--work", required=True)
    given = options.parse_args()
    base, chance = names(os.path.join(given.data, "bench/names_100000.tsv.gz")), random.Random(7)
    for name, sizes in SIZES.items():
        made = list(rows(base, sizes, chance))
        chance.shuffle(made)
        folder = os.path.join(given.work, name)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "records.csv"), "w", newline="", encoding="utf8") as file:
            table = csv.writer(file)
            table.writerow(["id", "cluster", "text"])
            table.writerows((row, cluster, text) for row, (cluster, text) in enumerate(made))


if __name__ == "__main__":
    main()
