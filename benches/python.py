"""The Python package beside its peers, from Python: one thread each, one process for each part, ours and theirs in turn.

    pip install rapidfuzz string_grouper pyarrow
    python benches/python.py [pairs|names|million|import] [--data DIR] [--rounds 5]

Without a part, all of them. Processor time, the median of some rounds. Texts go in as columns of pyarrow's (likewise) and as a list (RapidFuzz) or a series of
pandas' (string_grouper), as each likes it best; handing them over is part of the figure.

pairs    `cpdist` and `cdist` beside RapidFuzz.
names    100,000 names: searched and matched by Levenshtein beside `process.extract` and `process.cdist`, which give the same scores, or the bench stops;
         matched and deduped by the default measure beside string_grouper, whose scores are others.
million  1,000,000 names from an Arrow table through `dedupe` and back: time, memory at its peak, Python objects made.
import   a new interpreter that imports the package.

With `--data`, names are those of DIR/bench (`names_N.tsv.gz`); without it they are made up.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PARTS = ["pairs", "names", "million", "import"]
FIRST = "anna bob carla dieter elena frank greta hugo ines jonas karla lukas maria nils olga peter rosa sven tina ulf".split()
LAST = "schmidt garcia novak jensen rossi dubois kowalski larsen moreau fischer silva petrov haas lindqvist okafor".split()


def short_names(count: int, seed: int) -> list[str]:
    """Made-up names, one letter of some changed."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        name = f"{chance.choice(FIRST)} {chance.choice(LAST)} {chance.choice(LAST)}"
        made.append(misspelt(name, chance))
    return made


def misspelt(name: str, chance: random.Random) -> str:
    """The name with one letter changed."""
    at = chance.randrange(len(name))
    return name[:at] + chance.choice("abcdefgh") + name[at + 1 :]


def many_names(count: int, seed: int) -> list[str]:
    """Made-up names of common and of rare words; each third is one before it, misspelt."""
    chance = random.Random(seed)
    syllables = [c + v + e for c in "bdfgklmnprstvw" for v in "aeiou" for e in ("", "n", "r")]
    words = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(count // 2)]
    made: list[str] = []
    for number in range(count):
        if number % 3 == 2:
            made.append(misspelt(chance.choice(made), chance))
        else:
            # Some words are much more common than others.
            some = [words[int(len(words) * chance.random() ** 3)] for _ in range(chance.randint(2, 3))]
            made.append(" ".join(some))
    return made


def texts(data: Path | None, count: int, queries: bool = False) -> Any:
    """A column of names, or of misspelt names that are asked for."""
    import pyarrow
    import pyarrow.csv

    if data is None:
        made = many_names(count, 1)
        if queries:
            chance = random.Random(2)
            made = [misspelt(chance.choice(made), chance) for _ in range(1000)]
        return pyarrow.array(made)
    path = data / "bench" / f"names_{count}{'_q' * queries}.tsv.gz"
    table = pyarrow.csv.read_csv(
        path,
        read_options=pyarrow.csv.ReadOptions(autogenerate_column_names=True),
        parse_options=pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
        convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=False),
    )
    return table.column(table.num_columns - 1).combine_chunks().cast(pyarrow.string())


def beside(what: str, work: float, unit: str, ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> None:
    """Runs both in turn and prints how much each does in a second (0 of work: how long it takes), and how many times as fast ours is."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for call, times in zip((ours, theirs), took):
            began = time.process_time()
            call()
            times.append(time.process_time() - began)
    own, other = (statistics.median(times) for times in took)
    faster = other / own
    if work:
        own, other = work / own, work / other
    print(f"{what:<64} {own:>8.3g} {other:>8.3g} {unit:<16} {faster:>7.3g}", flush=True)


def pairs(_: Path | None, rounds: int) -> None:
    """Pair by pair, and all pairs of two lists."""
    import pyarrow
    from rapidfuzz import process
    from rapidfuzz.distance import JaroWinkler, Levenshtein

    import likewise

    count, few = 200_000, 3000
    left, right = short_names(count, 1), short_names(count, 2)
    a, b = pyarrow.array(left), pyarrow.array(right)
    for measure, scorer in (("levenshtein", Levenshtein), ("jaro-winkler", JaroWinkler)):
        by = scorer.normalized_similarity
        for kind, (x, y) in {"pyarrow": (a, b), "lists": (left, right)}.items():
            beside(
                f"cpdist, {count:,} pairs, {measure}, {kind}",
                count / 1e6,
                "million pairs/s",
                lambda: likewise.cpdist(x, y, measure=measure),
                lambda: process.cpdist(left, right, scorer=by, workers=1),
                2 * rounds,
            )
        beside(
            f"cdist, {few:,} × {few:,}, {measure}",
            few * few / 1e6,
            "million pairs/s",
            lambda: likewise.cdist(a[:few], b[:few], measure=measure),
            lambda: process.cdist(left[:few], right[:few], scorer=by, workers=1),
            rounds,
        )


def names(data: Path | None, rounds: int) -> None:
    """Search, match and dedupe of 100,000 names."""
    import numpy
    import pandas
    import string_grouper
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    import likewise

    count, asked, few = 100_000, 200, 20
    column = texts(data, count)
    queries = texts(data, count, queries=True)[:asked]
    rows, wanted = column.to_pylist(), queries.to_pylist()
    master, duplicates = pandas.Series(rows), pandas.Series(wanted)
    by = Levenshtein.normalized_similarity

    def extract(some: list[str]) -> list[list[float]]:
        return [[score for _, score, _ in process.extract(q, rows, scorer=by, limit=10)] for q in some]

    def best_by_cdist() -> Any:
        return process.cdist(wanted, rows, scorer=by, workers=1, dtype=numpy.float64).max(axis=1)

    index = likewise.Index(column, measure="levenshtein")
    found = index.search(queries[:few], k=10)
    scores: list[list[float]] = [[] for _ in range(few)]
    for query, score in zip(found["query"], found["score"]):
        scores[query - 1].append(score)
    if not numpy.allclose(scores, extract(wanted[:few]), rtol=0, atol=1e-9):
        sys.exit("search and extract give other scores")
    best = likewise.match(queries, column, measure="levenshtein", k=1, min=0)["score"]
    if not numpy.allclose(best, best_by_cdist(), rtol=0, atol=1e-9):
        sys.exit("match and cdist give other scores")

    beside(
        f"search, the 10 best of {count:,} by levenshtein / extract",
        few,
        "queries/s",
        lambda: index.search(queries[:few], k=10),
        lambda: extract(wanted[:few]),
        rounds,
    )
    beside(
        f"match, the best of {count:,} for {asked} by levenshtein / cdist",
        0,
        "s",
        lambda: likewise.match(queries, column, measure="levenshtein", k=1, min=0),
        best_by_cdist,
        rounds,
    )
    one = {"number_of_processes": 1}
    beside(
        f"match, {asked} with {count:,} / match_strings",
        0,
        "s",
        lambda: likewise.match(queries, column, k=1, min=0.65),
        lambda: string_grouper.match_strings(master, duplicates, min_similarity=0.65, max_n_matches=1, **one),
        rounds,
    )
    beside(
        f"dedupe of {count:,}, min 0.65, pairs / match_strings",
        0,
        "s",
        lambda: likewise.dedupe(column, min=0.65, pairs=True),
        lambda: string_grouper.match_strings(master, min_similarity=0.65, **one),
        rounds,
    )


def memory(field: str) -> float:
    """How much memory the process has (VmRSS) or had at the most (VmHWM), in MB."""
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field)) / 1024


def million(data: Path | None, _: int) -> None:
    """A million rows in and out of dedupe."""
    import pyarrow

    import likewise

    count = 1_000_000
    column = texts(data, count)
    table = pyarrow.table({"id": pyarrow.array(range(count)), "name": column})
    likewise.dedupe(table.slice(0, 100), on="name", id="id", min=0.65)
    # Memory at its peak is counted from here on.
    Path("/proc/self/clear_refs").write_text("5")
    before, objects = memory("VmRSS"), sys.getallocatedblocks()
    began, wall = time.process_time(), time.perf_counter()
    found = likewise.dedupe(table, on="name", id="id", min=0.65, keep="name").to_arrow()
    took, wall = time.process_time() - began, time.perf_counter() - wall
    objects, peak = sys.getallocatedblocks() - objects, memory("VmHWM")
    print(
        f"dedupe of {count:,} rows of an Arrow table of {table.nbytes / 1e6:.0f} MB, min 0.65: {took:.1f} s ({wall:.1f} s of wall-clock time), "
        f"{found.num_rows:,} rows of {found.nbytes / 1e6:.0f} MB, {peak - before:.0f} MB at the most beside the {before:.0f} MB before it, "
        f"{objects:,} Python objects",
        flush=True,
    )


def imported(_: Path | None, __: int) -> None:
    """How long a new interpreter takes to import the package, beside one that imports nothing."""

    def median(code: str) -> float:
        times = []
        for _ in range(20):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - began)
        return 1000 * statistics.median(times)

    nothing, own = median("pass"), median("import likewise")
    print(f"import likewise: {own - nothing:.0f} ms (a new interpreter: {nothing:.0f} ms, with it: {own:.0f} ms; medians of 20)", flush=True)


def main() -> None:
    """Runs the parts, each in a process of its own where there are several."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("part", nargs="?", choices=PARTS)
    options.add_argument("--data", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    if chosen.part is None:
        print(f"{'':<64} {'likewise':>8} {'theirs':>8} {'':<16} {'faster':>7}", flush=True)
        for part in PARTS:
            subprocess.run([sys.executable, __file__, part, *sys.argv[1:]], check=True)
        return
    if chosen.part != "import":
        import likewise

        likewise.configure(threads=1)
    {"pairs": pairs, "names": names, "million": million, "import": imported}[chosen.part](chosen.data, chosen.rounds)


if __name__ == "__main__":
    main()
