#!/usr/bin/env python3
"""The experiments of the paper on top-k similar sentences: search beside scoring everything.

    cargo build --release -p likewise-cli
    cargo build --release -p likewise --all-features --example sentence_speed
    python benches/top_k.py --data DIR --work DIR [--million FILE]

DIR is the evaluation data (or LIKEWISE_DATA). Sentences are DIR/bench/sentences_N with their misspelt queries, and those of
DIR/pairs/msrp, of which 100 ask for others. Words are compared by string (`sts`), and by string and co-occurrence (soc-pmi) in
DIR/corpus/en.txt.zst (`sts(corpus=…)`); the corpus is counted into --work once. One thread, processor time, on one machine in one run;
what search finds is compared with what scoring everything finds, to the bit. --million takes sentences_1000000.tsv of
benches/sentences.py, searched only.

Writes docs/reproduction/top-k.svg and prints the tables of docs/reproduction/top-k.md.
"""

import argparse
import gzip
import json
import math
import os
import random
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
ANALYZER = "analyzer(stop=en, stem=porter)"
KS = [1, 2, 3, 5, 10, 15, 20]
# The same searches twice: what search keeps of words is new the first time.
TWICE = [5, 5]
COLOURS = {"everything": "#888888", "search": "#c0392b", "string": "#b35900", "string and soc-pmi": "#2471a3"}


def corpus(options):
    path = os.path.join(options.work, "cooccurrence.corpus")
    if not os.path.exists(path):
        source = os.path.join(options.data, "corpus/en.txt.zst")
        command = [os.path.join(TARGET, "release/likewise"), "--quiet", "corpus", "build", source, "-o", path]
        subprocess.run([*command, "--window", "5", "--analyzer", ANALYZER], check=True)
    return path


def unpacked(options, name):
    path = os.path.join(options.work, f"{name}.tsv")
    if not os.path.exists(path):
        with gzip.open(os.path.join(options.data, "bench", f"{name}.tsv.gz"), "rt") as packed, open(path, "w") as out:
            out.write(packed.read())
    return path


def sentences(options, count):
    return unpacked(options, f"sentences_{count}"), unpacked(options, f"sentences_{count}_q")


def paraphrases(options, share):
    """A share of all sentences of MSRP, each once, and 100 of them as queries."""
    seen = {}
    for name in ["train.tsv", "test.tsv"]:
        with open(os.path.join(options.data, "pairs/msrp", name), encoding="utf-8") as lines:
            header = next(lines).rstrip("\n").split("\t")
            places = [at for at, column in enumerate(header) if column.startswith("sentence") or column.startswith("text")]
            for line in lines:
                fields = line.rstrip("\n").split("\t")
                for at in places:
                    seen.setdefault(fields[at])
    rng = random.Random(7)
    kept = list(seen)
    rng.shuffle(kept)
    kept = kept[: len(kept) * share // 100]
    paths = []
    for name, some in [("rows", kept), ("queries", rng.sample(kept, 100))]:
        paths.append(os.path.join(options.work, f"msrp_{share}_{name}.tsv"))
        with open(paths[-1], "w", encoding="utf-8") as out:
            out.writelines(f"{at}\t{text}\n" for at, text in enumerate(some))
    return paths


def run(table, queries, searches, scored, measure, ks):
    program = os.path.join(TARGET, "release/examples/sentence_speed")
    command = [program, table, queries, str(searches), str(scored), measure, ",".join(map(str, ks))]
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
    found = json.loads(output)
    assert found["checked"] == found["equal"], f"{table}: search is not exact"
    return found


def measure_all(options):
    measures = {"string": "sts", "string and soc-pmi": f'sts(corpus="{corpus(options)}")'}
    found = {}
    for label, expression in measures.items():
        sizes = [("sentences", count, sentences(options, count)) for count in [1000, 5000, 10000, 20000, 100000]]
        sizes += [("MSRP", share, paraphrases(options, share)) for share in [10, 20, 50, 100]]
        for kind, size, (table, queries) in sizes:
            # All queries are held to scoring everything where the paper's largest set is.
            scored = {20000: options.searches, 100000: 10}.get(size, options.scored)
            found[label, kind, size] = run(table, queries, options.searches, scored, expression, TWICE)
            show(label, kind, size, found[label, kind, size])
        for kind, size, (table, queries) in [sizes[1], sizes[-1]]:
            # The first pass is not looked at: what is kept of the queries' words would make the first k look slow.
            one = run(table, queries, options.searches, 10, expression, [1, *KS])
            found[label, kind, "k"] = {**one, "by_k": one["by_k"][1:]}
        if options.million:
            queries = options.million.replace(".tsv", "_q.tsv")
            found[label, "sentences", 1000000] = run(options.million, queries, 200, 0, expression, TWICE)
            show(label, "sentences", 1000000, found[label, "sentences", 1000000])
    return found


def show(label, kind, size, one):
    by_k, again = one["by_k"]
    print(label, kind, size, f'everything {one["everything_ms"] or math.nan:.2f} ms, search {by_k["search_ms"]:.3f} ms, again {again["search_ms"]:.3f} ms, scored {by_k["scored"]:.1f}, equal {one["equal"]} of {one["checked"]}', flush=True)


def tables(found):
    for label in ["string", "string and soc-pmi"]:
        print(f"\n**{label}, top 5**\n")
        print("| sentences | everything | search | times faster | search again | times faster | scored in full | first result | fifth |")
        print("|---|---|---|---|---|---|---|---|---|")
        for (which, kind, size), one in found.items():
            if which != label or size == "k":
                continue
            name = f"{size:,}" if kind == "sentences" else f"MSRP {size} % ({one['rows']:,})"
            by_k, again = one["by_k"]
            everything = one["everything_ms"]
            slow = f"{everything:.1f} ms" if everything else ""
            ratio, more = (f"{everything / of['search_ms']:.0f}" if everything else "" for of in [by_k, again])
            share = by_k["scored"] / one["rows"]
            at = by_k["at_ms"]
            print(f"| {name} | {slow} | {by_k['search_ms']:.2f} ms | {ratio} | {again['search_ms']:.2f} ms | {more} | {by_k['scored']:.1f} ({share:.3%}) | {at[0]:.2f} ms | {at[-1]:.2f} ms |")
        for kind, name in [("sentences", "5,000 sentences"), ("MSRP", "all of MSRP")]:
            one = found[label, kind, "k"]
            print(f"\n| {name}, k = | " + " | ".join(str(by_k["k"]) for by_k in one["by_k"]) + " |")
            print("|---" * (len(one["by_k"]) + 1) + "|")
            for row, of in [
                ("search, ms", lambda by_k: f"{by_k['search_ms']:.2f}"),
                ("first result, ms", lambda by_k: f"{by_k['at_ms'][0]:.2f}"),
                ("last result, ms", lambda by_k: f"{by_k['at_ms'][-1]:.2f}"),
                ("scored in full", lambda by_k: f"{by_k['scored']:.1f}"),
            ]:
                print(f"| {row} | " + " | ".join(of(by_k) for by_k in one["by_k"]) + " |")
            times = ", ".join(f"{time:.2f}" for time in one["by_k"][-1]["at_ms"])
            print(f"\nTime to result 1 … 20 of twenty, ms: {times}. Scoring everything takes {one['everything_ms']:.1f} ms for any k.")


class Panel:
    """Axes with logarithmic times."""

    def __init__(self, svg, x0, y0, width, height, title, low, high, xs, names):
        self.svg, self.x0, self.y0, self.width, self.height = svg, x0, y0, width, height
        self.low, self.high, self.xs = math.log10(low), math.log10(high), [math.log10(x) for x in xs]
        svg.append(f'<text x="{x0}" y="{y0 - 12}" font-size="13" font-weight="bold">{title}</text>')
        level = 10 ** math.ceil(self.low - 1e-9)
        while level <= high * 1.001:
            y = self.y(level)
            svg.append(f'<line x1="{x0}" x2="{x0 + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
            svg.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{level:g}</text>')
            level *= 10
        for x, name in zip(xs, names):
            svg.append(f'<text x="{self.x(x):.1f}" y="{y0 + height + 15}" text-anchor="middle">{name}</text>')

    def x(self, value):
        return self.x0 + self.width * (math.log10(value) - self.xs[0]) / (self.xs[-1] - self.xs[0])

    def y(self, value):
        return self.y0 + self.height * (1 - (math.log10(value) - self.low) / (self.high - self.low))

    def line(self, points, colour, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        text = " ".join(f"{self.x(x):.1f},{self.y(max(y, 10 ** self.low)):.1f}" for x, y in points)
        self.svg.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        for x, y in points:
            self.svg.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(max(y, 10 ** self.low)):.1f}" r="2.5" fill="{colour}"/>')


def plot(found, path):
    width, height, left, top = 330, 210, 60, 46
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * (width + left) + 30}" height="{4 * (height + top) + 80}" font-family="sans-serif" font-size="11">']
    svg.append('<rect width="100%" height="100%" fill="white"/>')
    counts = [1000, 5000, 10000, 20000, 100000]
    shares = [10, 20, 50, 100]
    rows = [
        ("sentences", counts, ["1k", "5k", "10k", "20k", "100k"], "sentences: ms a query, top 5"),
        ("MSRP", shares, ["10 %", "20 %", "50 %", "100 %"], "MSRP: ms a query, top 5"),
    ]
    for at, (kind, xs, names, title) in enumerate(rows):
        panel = Panel(svg, left + at * (width + left), top, width, height, title, 0.1, 2000, xs, names)
        for label in ["string", "string and soc-pmi"]:
            everything = [(x, found[label, kind, x]["everything_ms"]) for x in xs]
            search = [(x, found[label, kind, x]["by_k"][0]["search_ms"]) for x in xs]
            panel.line(everything, COLOURS[label], dashed=True)
            panel.line(search, COLOURS[label])
    for at, (kind, xs, names, _) in enumerate(rows):
        y0 = 2 * top + height + 10
        panel = Panel(svg, left + at * (width + left), y0, width, height, f"{kind}: % of sentences scored in full", 0.001, 100, xs, names)
        for label in ["string", "string and soc-pmi"]:
            panel.line([(x, 100) for x in xs], COLOURS["everything"], dashed=True)
            panel.line([(x, 100 * found[label, kind, x]["by_k"][0]["scored"] / found[label, kind, x]["rows"]) for x in xs], COLOURS[label])
    for at, (kind, title) in enumerate([("sentences", "5k sentences"), ("MSRP", "all of MSRP")]):
        y0 = 3 * top + 2 * height + 20
        panel = Panel(svg, left + at * (width + left), y0, width, height, f"{title}: ms a query, by k", 0.1, 2000, KS, [str(k) for k in KS])
        for label in ["string", "string and soc-pmi"]:
            one = found[label, kind, "k"]
            panel.line([(k, one["everything_ms"]) for k in KS], COLOURS[label], dashed=True)
            panel.line([(by_k["k"], by_k["search_ms"]) for by_k in one["by_k"]], COLOURS[label])
    for at, (kind, title) in enumerate([("sentences", "5k sentences"), ("MSRP", "all of MSRP")]):
        y0 = 4 * top + 3 * height + 30
        panel = Panel(svg, left + at * (width + left), y0, width, height, f"{title}: ms until result n of 20", 0.1, 2000, KS, [str(k) for k in KS])
        for label in ["string", "string and soc-pmi"]:
            one = found[label, kind, "k"]
            panel.line([(k, one["everything_ms"]) for k in KS], COLOURS[label], dashed=True)
            panel.line(list(enumerate(one["by_k"][-1]["at_ms"], 1)), COLOURS[label])
    bottom = 4 * (height + top) + 60
    x = left
    for label, colour, dash in [("string", "string", ""), ("string and soc-pmi", "string and soc-pmi", "")]:
        svg.append(f'<rect x="{x}" y="{bottom}" width="14" height="4" fill="{COLOURS[colour]}"/><text x="{x + 20}" y="{bottom + 6}">{label}</text>')
        x += 150
    svg.append(f'<text x="{x}" y="{bottom + 6}">solid: search; dashed: scoring everything</text>')
    svg.append("</svg>")
    with open(path, "w", encoding="utf-8") as output:
        output.write("\n".join(svg) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--work", required=True, help="a folder for the corpus and unpacked tables")
    parser.add_argument("--million", help="sentences_1000000.tsv of benches/sentences.py")
    parser.add_argument("--searches", type=int, default=1000, help="queries searched for")
    parser.add_argument("--scored", type=int, default=50, help="queries for which everything is scored, too")
    parser.add_argument("--from-file", help="draw and print the figures of a run before")
    options = parser.parse_args()
    if not options.data:
        parser.error("--data or LIKEWISE_DATA: where is the evaluation data?")
    os.makedirs(options.work, exist_ok=True)
    kept = os.path.join(options.work, "top_k.json")
    if options.from_file:
        with open(options.from_file, encoding="utf-8") as lines:
            found = {tuple(key): value for key, value in json.load(lines)}
    else:
        found = measure_all(options)
        with open(kept, "w", encoding="utf-8") as out:
            json.dump([[list(key), value] for key, value in found.items()], out)
    tables(found)
    plot(found, os.path.join(ROOT, "docs/reproduction/top-k.svg"))


if __name__ == "__main__":
    main()
