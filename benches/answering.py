#!/usr/bin/env python3
"""The tables of docs/reproduction/answering.md from what the example `answering_grid` counted.

    cargo run --release -p likewise --features table,model-en --example answering_grid -- questions.jsonl… > grid.tsv
    python benches/answering.py grid.tsv

A figure is a share of right answers: every question is answered, so accuracy and c@1 are the same.
"""

import csv
import os
import sys

MEASURES = ["(14) chars", "(16) chars", "(14) elements", "(16) elements", "cosine"]
SOFT = MEASURES[:4]
GRAPHS = ["dijkstra", "all shortest", "synonyms", "hypernyms"]
NAMES = {
    "dijkstra": "Dijkstra path (Table 2)",
    "all shortest": "all shortest paths (Table 3)",
    "synonyms": "synonyms (Table 4)",
    "hypernyms": "hypernyms (Table 5)",
}


def read(path):
    """{data: {graph: {setting: {measure: (right, shared, questions)}}}}; files of one set are added up."""
    grid = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            name = os.path.basename(row["file"]).split(".")[0]
            if name in ("2012", "classroom2013", "all"):
                name = os.path.basename(os.path.dirname(row["file"]))
            cell = grid.setdefault(name, {}).setdefault(row["graph"], {}).setdefault(row["setting"], {})
            before = cell.get(row["measure"], (0, 0.0, 0))
            new = (int(float(row["right"])), float(row["shared"]), int(row["questions"]))
            cell[row["measure"]] = tuple(x + y for x, y in zip(before, new))
    return grid


def share(cell, which=0):
    return cell[which] / cell[2]


def counts(graphs, which=0):
    """Rows in which the best soft measure is at least the cosine, by graph; cells above, equal, below."""
    rows, cells = [], [0, 0, 0]
    for graph in GRAPHS:
        good = 0
        for row in graphs[graph].values():
            plain = row["cosine"][which]
            soft = [row[m][which] for m in SOFT]
            good += max(soft) >= plain - 1e-9
            for value in soft:
                cells[0 if value > plain + 1e-9 else 2 if value < plain - 1e-9 else 1] += 1
        rows.append(good)
    return rows, cells


def main():
    grid = read(sys.argv[1])
    print("| questions | | rows: Dijkstra, all, synonyms, hypernyms (of 8 each) | cells above | equal | below | mean of soft cells | mean of cosine cells | best cell |")
    print("|---|--:|---|--:|--:|--:|--:|--:|---|")
    print("| paper (60 questions, chance .25) | 60 | 6, 8, 8, 8 | 77 | 13 | 38 | .288 | .260 | .45 |")
    for which, how in ((0, "ties by word overlap"), (1, "ties share the credit")):
        for name, graphs in grid.items():
            rows, cells = counts(graphs, which)
            every = [(share(row[m], which), f"{s}, {g}, {m}") for g in GRAPHS for s, row in graphs[g].items() for m in MEASURES]
            soft = [share(row[m], which) for g in GRAPHS for row in graphs[g].values() for m in SOFT]
            plain = [share(row["cosine"], which) for g in GRAPHS for row in graphs[g].values()]
            n = next(iter(graphs["dijkstra"].values()))["cosine"][2]
            best = max(every)
            print(f"| {name}, {how} | {n} | {', '.join(map(str, rows))} | {cells[0]} | {cells[1]} | {cells[2]} | {sum(soft) / len(soft):.3f} | "
                  f"{sum(plain) / len(plain):.3f} | {best[0]:.3f} ({best[1]}) |")
    for name, graphs in grid.items():
        for graph in GRAPHS:
            print(f"\n**{name}, {NAMES[graph]}**\n")
            print("| setting | " + " | ".join(MEASURES) + " |")
            print("|---|" + "--:|" * len(MEASURES))
            for setting, row in graphs[graph].items():
                best = max(row[m][0] for m in MEASURES)
                show = lambda m: f"**{share(row[m]):.3f}**" if row[m][0] == best else f"{share(row[m]):.3f}"
                print(f"| {setting} | " + " | ".join(show(m) for m in MEASURES) + " |")


if __name__ == "__main__":
    main()
