"""How should the default measure adapt to the texts? Leave one family of sets out.

    python benches/default_measure.py --data DIR [--likewise PROGRAM]

For each record-matching set of DIR/er and DIR/er-labelled (there the text of all columns): what its texts are like, and mean IAP and best F1 for each weight of
the cosine part. Then the constants of the three ramps that are best on all *other* families of sets, and what they reach on the set itself, beside the
default as it is, the usual weight of 0.3, and the best weight of the set, which nobody knows beforehand. Sets that are copies are one family.
"""

import argparse
import csv
import itertools
import json
import os
import re
import subprocess
import tempfile

WEIGHTS = range(3, 11)
FAMILIES = {"er-labelled/abt-buy": "er/abt-buy", "er-labelled/fodors-zagat": "er/restaurant", "er/ucd-people-cluster": "er/ucd-people"}
# Where the ramps start, and how long they are: words of a text, their spread, the share of words with digits.
GRID = list(itertools.product((4, 6, 8, 10, 12), (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (0.03, 0.06, 0.09, 0.12, 0.15)))
LONG = (4, 0.2, 0.1)


def measure(weight):
    rest = f"{(10 - weight) / 10}*word-grams + " if weight < 10 else ""
    return f"{rest}{weight / 10}*word-grams(compare=cosine, qidf=1, head=1)"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def joined(folder, target):
    """Two tables with one text for each row, and the pairs that are labelled as matches."""
    for name, out in (("tableA.csv", "left.csv"), ("tableB.csv", "right.csv")):
        with open(os.path.join(folder, name), encoding="utf-8") as table, open(os.path.join(target, out), "w", encoding="utf-8") as to:
            writer = csv.writer(to)
            writer.writerow(["id", "text"])
            for row in csv.DictReader(table):
                writer.writerow([row.pop("id"), " ".join(value or "" for value in row.values())])
    with open(os.path.join(target, "matches.csv"), "w", encoding="utf-8") as to:
        writer = csv.writer(to)
        writer.writerow(["left_id", "right_id"])
        for part in ("train", "valid", "test"):
            with open(os.path.join(folder, f"{part}.csv"), encoding="utf-8") as pairs:
                writer.writerows((row["ltable_id"], row["rtable_id"]) for row in csv.DictReader(pairs) if row["label"] == "1")


def examine(program, folder):
    """What texts are like, and (IAP + F1) / 2 for each weight and for the default measure."""
    tables = [os.path.join(folder, name) for name in os.listdir(folder) if name in ("left.csv", "right.csv", "records.csv")]
    with tempfile.TemporaryDirectory() as temporary:
        counts = os.path.join(temporary, "counts.lwc")
        run(program, "--quiet", "collection", "build", *tables, "--on", "text", "-o", counts)
        shown = run(program, "collection", "show", counts)
    words, differ, numbers = map(float, re.search(r"have ([\d.]+) words .* differ by ([\d.]+), and (\d+) %", shown).groups())
    expressions = [measure(weight) for weight in WEIGHTS] + ["default"]
    flags = [flag for expression in expressions for flag in ("-m", expression)]
    lines = run(program, "--quiet", "eval", "match", folder, "--json", *flags).splitlines()
    scores = [(one["iap"] + one["best_f1"]) / 2 for one in map(json.loads, lines)]
    return (words, differ / words, numbers / 100), dict(zip([*WEIGHTS, "default"], scores))


def adapted(profile, starts):
    words, spread, numbers = (min(max((value - start) / long, 0), 1) for value, start, long in zip(profile, starts, LONG))
    return round(3 + 7 * words * max(spread, numbers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"), required="LIKEWISE_DATA" not in os.environ)
    parser.add_argument("--likewise", default="target/release/likewise")
    options = parser.parse_args()
    found = {}
    for name in sorted(f"{part}/{one}" for part in ("er", "er-labelled") for one in os.listdir(os.path.join(options.data, part))):
        folder = os.path.join(options.data, name)
        if not os.path.isdir(folder):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            if name.startswith("er-labelled"):
                joined(folder, temporary)
                folder = temporary
            found[name] = examine(options.likewise, folder)
    family = lambda name: FAMILIES.get(name, name)
    families = sorted({family(name) for name in found})

    def mean(starts, without=None):
        """Each family counts once."""
        losses = []
        for one in families:
            own = [found[name] for name in found if family(name) == one and one != without]
            losses += [sum(scores[adapted(profile, starts)] - max(scores.values()) for profile, scores in own) / len(own)] if own else []
        return sum(losses) / len(losses)

    print("| set | words | spread | with digits | 0.3 | default | chosen without it | best | at |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    rows = []
    for name, (profile, scores) in found.items():
        starts = max(GRID, key=lambda starts: mean(starts, family(name)))
        best = max(WEIGHTS, key=lambda weight: scores[weight])
        rows.append((scores[3], scores["default"], scores[adapted(profile, starts)], scores[best]))
        figures = " | ".join(f"{value:.3f}" for value in rows[-1])
        print(f"| {name} | {profile[0]:.1f} | {profile[1]:.2f} | {100 * profile[2]:.0f} % | {figures} | {best / 10} |")
    means = " | ".join(f"**{sum(column) / len(rows):.4f}**" for column in zip(*rows))
    print(f"| **mean** | | | | {means} | |")
    best = max(GRID, key=mean)
    print(f"\nBest on all: ramps from {best}, mean loss to the best weight of each set {-mean(best):.4f}.")


if __name__ == "__main__":
    main()
