#!/usr/bin/env python3
"""Search and self-join beside peers: one thread, processor time, each in a process of its own, one run.

    pip install rapidfuzz scikit-learn sparse-dot-topn string-grouper bm25s numba tantivy
    python benches/search.py --data DIR --work DIR [--only names|sentences|likelihood|join] [--queries N]

DIR/bench holds the tables (`names_N.tsv.gz`, their queries `names_N_q.tsv.gz`) and DIR/corpus/en.txt.zst the text that
`sentences.py` makes a million sentences of; both are unpacked into the work folder once. Each repeat measures
ours and theirs one after the other, so that a busy machine slows down both; of each figure the best run counts.
Sentences are asked for one by one, and all in one call. Peers: tantivy (BM25 over character 3-grams; over words; one
by one), bm25s (all queries in one call), string_grouper (alone, and its pairs scored again together with rapidfuzz's
token_sort_ratio).
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
BUILD = "cargo build --quiet --release -p likewise --features table --example search_speed --example join_speed"
THREADS = ["OMP", "OPENBLAS", "MKL", "NUMBA", "RAYON"]
NAMES = [10_000, 100_000, 1_000_000]
MILLION = 1_000_000
# What we hold ourselves to, where something is asked: times the peer's time.
ASKED = {
    "names 1M vs tantivy-grams": "asked < 1, goal 0.2",
    "sentences 1M vs tantivy-words": "asked <= 1",
    "sentences 1M vs bm25s": "goal <= 1",
    "likelihood 1M vs tantivy-words": "asked <= 1",
}


# Files.


def file(options, name):
    """The path of a table in the work folder, where it is put if it is missing."""
    path = os.path.join(options.work, name)
    packed = os.path.join(options.data, "bench", name + ".gz")
    if os.path.exists(path):
        return path
    os.makedirs(options.work, exist_ok=True)
    if os.path.exists(packed):
        with gzip.open(packed) as source, open(path + ".part", "wb") as target:
            shutil.copyfileobj(source, target)
        os.replace(path + ".part", path)
    else:
        corpus = os.path.join(options.data, "corpus/en.txt.zst")
        subprocess.run([sys.executable, os.path.join(HERE, "sentences.py"), corpus, options.work], check=True)
    return path


def table_and_queries(options, kind, rows):
    return file(options, f"{kind}_{rows}.tsv"), file(options, f"{kind}_{rows}_q.tsv")


# Runs.


def run(command, threads=1):
    """The JSON object that is the last line a program prints."""
    environment = os.environ | {f"{name}_NUM_THREADS": str(threads) for name in THREADS}
    environment |= {"TQDM_DISABLE": "1", "PYTHONWARNINGS": "ignore", "PYTHONHASHSEED": "0"}
    output = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout
    return json.loads(output.decode().splitlines()[-1])


def ours(example, *arguments):
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return [os.path.join(target, "release/examples", example), *map(str, arguments)]


def theirs(peer, *arguments):
    return [sys.executable, os.path.join(HERE, "search_peers.py"), peer, *map(str, arguments)]


def side_by_side(commands, repeats):
    """The best of each figure of each command; one after the other, then all of them again."""
    runs = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            runs[name].append(run(command))
    return {name: best(figures) for name, figures in runs.items()}


def best(runs):
    """The least of the times and sizes; everything else is the same in all runs."""
    costs = [key for key, value in runs[0].items() if key.endswith(("_s", "_ms", "_mb")) and value is not None]
    return runs[0] | {key: min(figures[key] for figures in runs) for key in costs}


# What is measured.


def searches(options, kind, rows, peers, count, measure=(), together=False):
    """Queries one after the other; with `together`, also all of them in one call."""
    table, queries = table_and_queries(options, kind, rows)
    count = options.queries or count
    commands = {"likewise": ours("search_speed", table, queries, count, *measure)}
    if together:
        commands["likewise, in one call"] = [*commands["likewise"], "--together"]
    commands |= {peer: theirs(peer, table, queries, count) for peer in peers}
    return side_by_side(commands, options.repeats)


def names(options):
    found = {}
    for rows in NAMES:
        peers = ["tantivy-grams"] if rows == MILLION else []
        found[f"names {short(rows)}"] = searches(options, "names", rows, peers, 1000)
    return found


def sentences(options):
    peers = ["tantivy-words", "bm25s"]
    return {"sentences 1M": searches(options, "sentences", MILLION, peers, 200, together=True)}


def likelihood(options):
    """Query likelihood, beside what an engine for full text ranks by."""
    peers, measure = ["tantivy-words"], ["query-likelihood(preset=paper)"]
    return {"likelihood 1M": searches(options, "sentences", MILLION, peers, 200, measure)}


def join(options):
    table, million = file(options, "names_100000.tsv"), file(options, "names_1000000.tsv")
    commands = {"likewise": ours("join_speed", table, options.min)}
    commands |= {peer: theirs(peer, table) for peer in ["string-grouper", "string-grouper+token-sort"]}
    found = {"join 100k": side_by_side(commands, options.repeats)}
    rows = ["--rows", options.join_rows] if options.join_rows else []
    # Growth is that of the time on as many threads: two that share a processor's memory take more of it than one.
    for size, path, some in [(100_000, table, []), (MILLION, million, rows)]:
        alone = best([run(ours("join_speed", path, options.min, *some), threads=2) for _ in range(options.repeats)])
        found[f"join {short(size)}, 2 threads"] = {"likewise": scaled(alone, size)}
    return found


def scaled(figures, rows):
    """The times of all rows, where only some were looked up."""
    times = rows / figures["rows"]
    return figures | {key: figures[key] * times for key in ["wall_s", "cpu_s"]}


# What is printed.


def short(rows):
    return f"{rows // MILLION}M" if rows >= MILLION else f"{rows // 1000}k"


def figure(figures, key, digits):
    value = figures.get(key)
    return "" if value is None else f"{value:.{digits}f}"


def print_table(found, columns):
    print(f"\n{'':20} {'':26}", *(f"{title:>9}" for title, *_ in columns))
    for task, runs in found.items():
        for name, figures in runs.items():
            cells = (f"{figure(figures, key, digits):>9}" for _, key, digits in columns)
            print(f"{task:20} {name:26}", *cells)


SEARCH_COLUMNS = [
    ("CPU ms", "cpu_ms", 3), ("first ms", "first_ms", 3), ("all ms", "all_ms", 3), ("p99 ms", "p99_ms", 3),
    ("r@1", "r1", 3), ("r@10", "r10", 3), ("build s", "build_cpu_s", 2), ("peak MB", "peak_mb", 0),
    ("scored", "scored", 0),
]  # fmt: skip
JOIN_COLUMNS = [
    ("CPU s", "cpu_s", 1), ("build s", "build_cpu_s", 2), ("wall s", "wall_s", 1), ("best F1", "f1", 4),
    ("at", "at", 3), ("pairs", "pairs", 0), ("rows", "rows", 0), ("peak MB", "peak_mb", 0),
]  # fmt: skip


def cost(figures):
    """Of a search the time of a query, of a join all of it: theirs has no index to be built before."""
    return figures["cpu_ms"] if "cpu_ms" in figures else figures["cpu_s"] + figures.get("build_cpu_s", 0)


def print_ratios(found):
    for task, runs in found.items():
        own = [name for name in runs if name.startswith("likewise")]
        for peer in runs:
            against = f"{task} vs {peer}"
            asked = f" ({ASKED[against]})" if against in ASKED else ""
            for name in own if peer not in own else []:
                how = name.removeprefix("likewise")
                print(f"{against}{how}: {cost(runs[name]) / cost(runs[peer]):.2f} times its time{asked}")


def print_growth(found, small, large):
    if small in found and large in found:
        times = cost(found[large]["likewise"]) / cost(found[small]["likewise"])
        print(f"from {small} to {large}: {times:.1f} times the CPU time")


def print_million(found):
    for task, runs in found.items():
        if task.startswith("join 1M"):
            wall, peak, rows = (runs["likewise"][key] for key in ["wall_s", "peak_mb", "rows"])
            some = "" if rows == MILLION else f" (time scaled from {rows} rows, memory as of these)"
            print(f"{task}: {wall:.0f} s on the wall, {peak} MB{some}")


def report(found):
    tables = {
        "search": ({task: runs for task, runs in found.items() if "join" not in task}, SEARCH_COLUMNS),
        "join": ({task: runs for task, runs in found.items() if "join" in task}, JOIN_COLUMNS),
    }
    for rows, columns in tables.values():
        if rows:
            print_table(rows, columns)
    print()
    print_ratios(found)
    print_million(found)
    print_growth(found, "names 10k", "names 1M")
    print_growth(found, "join 100k, 2 threads", "join 1M, 2 threads")


def main():
    tasks = {"names": names, "sentences": sentences, "likelihood": likelihood, "join": join}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--work", required=True, help="a folder for unpacked files")
    parser.add_argument("--only", choices=tasks)
    parser.add_argument("--queries", type=int, help="1000 names and 200 sentences, if not said")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--min", type=float, default=0.65, help="the least score of a pair of a join; as `likewise dedupe` takes it")
    parser.add_argument("--join-rows", type=int, help="of the million look up so many only, and scale the times")
    parser.add_argument("--json", help="a file for all figures")
    options = parser.parse_args()
    if not options.data:
        parser.error("say where the data are: --data DIR, or LIKEWISE_DATA")
    subprocess.run(BUILD.split(), check=True, cwd=ROOT)
    found = {}
    for name, task in tasks.items():
        if options.only in (None, name):
            found |= task(options)
    report(found)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as output:
            json.dump(found, output, indent=1)


if __name__ == "__main__":
    main()
