"""Chooses the defaults of `query-likelihood` and `kl` on development sets and shows them on test sets.

    python benches/likelihood_defaults.py --data DIR [--likewise PROGRAM]

Development: MSRP train and RTE-3 dev (interpolated average precision, IAP), stss65 (Pearson), each in both directions, since these
measures are not symmetric; the mean of the three sets chooses. Test: MSRP test, RTE-3 test, stss131. Words are counted in the pairs
themselves, as the program does by default.
"""

import argparse
import json
import subprocess

SETS = {
    "development": {
        "MSRP train": ("msrp/train.tsv", "sentence1", "sentence2", "iap"),
        "RTE-3 dev": ("rte3/dev.tsv", "text", "hypothesis", "iap"),
        "stss65": ("stss65/part.tsv", "sentence1", "sentence2", "pearson"),
    },
    "test": {
        "MSRP test": ("msrp/test.tsv", "sentence1", "sentence2", "iap"),
        "RTE-3 test": ("rte3/test.tsv", "text", "hypothesis", "iap"),
        "stss131": ("stss131/all.tsv", "sentence1", "sentence2", "pearson"),
    },
}
MUS = [0.2, 1, 3, 10, 30, 50, 100, 200, 300, 1000, 3000]
GRID = {
    "query-likelihood": [
        f"query-likelihood(mu={mu}, scale={scale})" for scale in ["probability", "log", "share"] for mu in MUS
    ],
    "kl": [f"kl(mu-q={q}, mu-c={c}, scale=share)" for q in [0, 0.4, 3, 30] for c in [10, 30, 100, 300, 1000]],
}
BESIDE = ["overlap", "tfidf"]
PAPER = {"query-likelihood": "query-likelihood(preset=paper)", "kl": "kl(preset=paper)"}


def figures(program, data, part, measures):
    """For each measure, its figure on each set: the mean of both directions."""
    found = {measure: [] for measure in measures}
    for file, left, right, metric in SETS[part].values():
        both = []
        for on in [f"{left},{right}", f"{right},{left}"]:
            command = [program, "--quiet", "eval", "pairs", f"{data}/pairs/{file}", "--on", on, "--json"]
            for measure in measures:
                command += ["-m", measure]
            lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
            both.append([json.loads(line)[metric] for line in lines])
        for measure, *values in zip(measures, *both):
            found[measure].append(sum(values) / 2)
    return found


def table(part, rows):
    print(f"\n| measure | {' | '.join(SETS[part])} | mean |")
    print("|---|" + "---:|" * (len(SETS[part]) + 1))
    for measure, values in rows:
        cells = [*values, sum(values) / len(values)]
        print(f"| `{measure}` | " + " | ".join(f"{cell:.3f}".lstrip("0") for cell in cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--likewise", default="target/release/likewise")
    options = parser.parse_args()
    chosen = []
    for name, grid in GRID.items():
        found = figures(options.likewise, options.data, "development", grid)
        ranked = sorted(found.items(), key=lambda row: -sum(row[1]))
        print(f"\n## {name}: {len(grid)} settings on the development sets, the ten best")
        table("development", ranked[:10])
        chosen.append(ranked[0][0])
    shown = BESIDE + list(PAPER.values()) + chosen
    print("\n## on the test sets")
    table("test", figures(options.likewise, options.data, "test", shown).items())


if __name__ == "__main__":
    main()
