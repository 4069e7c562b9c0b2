#!/usr/bin/env python3
"""The experiment of the paper on probabilistic models, as far as data allow.

    python benches/probabilistic.py --data DIR --work DIR

Counts and passages are made of DIR/corpus/en.txt.zst, and the three measures of the paper's Table 1 are run over the pairs of
DIR/pairs/stss65 and stss131 for a range of μ. Writes docs/reproduction/probabilistic.svg and prints the tables of
docs/reproduction/probabilistic.md.
"""

import argparse
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
MUS = [0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, 5, 10, 30, 100, 300, 1000, 3000]
ANALYZERS = {"surface": "analyzer", "stemmed": "analyzer(stem=porter, stop=en)"}
COLOURS = {"overlap": "#666666", "query-likelihood": "#b35900", "with synonyms": "#c0392b", "kl": "#2471a3", "kl, expanded": "#117a65"}


def likewise(*arguments):
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    command = [os.path.join(target, "release/likewise"), "--quiet", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def background(options):
    corpus = os.path.join(options.data, "corpus/en.txt.zst")
    counts = os.path.join(options.work, "en.corpus")
    if not os.path.exists(counts):
        likewise("corpus", "build", corpus, "-o", counts)
    passages = {}
    for name, analyzer in ANALYZERS.items():
        passages[name] = os.path.join(options.work, f"en-{name}.passages")
        if not os.path.exists(passages[name]):
            likewise("corpus", "passages", corpus, "-o", passages[name], "--analyzer", analyzer)
    return counts, passages


def measures(mu, scale, analyzer, counts, passages, own):
    common = f'background="{counts}", scale={scale}, analyzer={analyzer}'
    expand = f'expand="{passages}", own={own}'
    return {
        "query-likelihood": f"query-likelihood(mu={mu}, {common})",
        "with synonyms": f"query-likelihood(mu={mu}, synonyms=wordnet, {common})",
        "kl": f"kl(mu-q={mu}, mu-c={mu}, {common})",
        "kl, expanded": f"kl(mu-q={mu}, mu-c={mu}, {expand}, {common})",
    }


def pearson(pairs, expressions):
    arguments = [part for one in expressions for part in ("-m", one)]
    lines = likewise("eval", "pairs", pairs, "--json", *arguments).splitlines()
    return [json.loads(line)["pearson"] for line in lines]


def sweep(options, counts, passages):
    """For each set, form of words and scale: the overlap, and for each measure its figure for each μ."""
    found = {}
    for pairs in ["stss65/part.tsv", "stss131/all.tsv"]:
        path = os.path.join(options.data, "pairs", pairs)
        for name, analyzer in ANALYZERS.items():
            overlap = pearson(path, [f"overlap(analyzer={analyzer})"])[0]
            for scale in ["log", "share"]:
                own = 0 if scale == "log" else 50
                each = [measures(mu, scale, analyzer, counts, passages[name], own) for mu in MUS]
                flat = pearson(path, [one for some in each for one in some.values()])
                curves = {label: flat[at :: len(each[0])] for at, label in enumerate(each[0])}
                found[pairs.split("/")[0], name, scale] = (overlap, curves)
    return found


def tables(found):
    for (pairs, words, scale), (overlap, curves) in found.items():
        print(f"\n**{pairs}, {words} words, scale={scale}** (overlap {overlap:.3f})\n")
        print("| μ | " + " | ".join(f"{mu:g}" for mu in MUS) + " |")
        print("|---" * (len(MUS) + 1) + "|")
        for label, values in curves.items():
            best = max(values)
            cells = (f"**{value:.3f}**" if value == best else f"{value:.3f}" for value in values)
            print(f"| {label} | " + " | ".join(cells) + " |")


def plot(found, path):
    """One panel for each set and scale, stemmed words; μ from left to right, each step the same."""
    panels = [key for key in found if key[1] == "stemmed"]
    width, height, left, top = 330, 220, 52, 44
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * (width + left) + 30}" height="{2 * (height + top) + 90}" font-family="sans-serif" font-size="11">']
    svg.append('<rect width="100%" height="100%" fill="white"/>')
    for at, key in enumerate(panels):
        overlap, curves = found[key]
        x0, y0 = left + at % 2 * (width + left), top + at // 2 * (height + top + 10)
        x = lambda step: x0 + step * width / (len(MUS) - 1)
        y = lambda value: y0 + height * (1 - max(0.0, min(1.0, value)))
        svg.append(f'<text x="{x0}" y="{y0 - 12}" font-size="13" font-weight="bold">{key[0]}, scale={key[2]}</text>')
        for level in [0, 0.2, 0.4, 0.6, 0.8, 1]:
            svg.append(f'<line x1="{x0}" x2="{x0 + width}" y1="{y(level):.1f}" y2="{y(level):.1f}" stroke="#dddddd"/>')
            svg.append(f'<text x="{x0 - 6}" y="{y(level) + 4:.1f}" text-anchor="end">{level:g}</text>')
        for step in range(0, len(MUS), 2):
            svg.append(f'<text x="{x(step):.1f}" y="{y0 + height + 15}" text-anchor="middle">{MUS[step]:g}</text>')
        svg.append(f'<line x1="{x0}" x2="{x0 + width}" y1="{y(overlap):.1f}" y2="{y(overlap):.1f}" stroke="{COLOURS["overlap"]}" stroke-dasharray="5 4" stroke-width="1.5"/>')
        for label, values in curves.items():
            points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in enumerate(values))
            svg.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[label]}" stroke-width="2"/>')
    bottom = 2 * (height + top + 10) + 40
    for at, (label, colour) in enumerate(COLOURS.items()):
        svg.append(f'<rect x="{left + at * 145}" y="{bottom}" width="14" height="4" fill="{colour}"/>')
        svg.append(f'<text x="{left + at * 145 + 20}" y="{bottom + 6}">{label}</text>')
    svg.append(f'<text x="{left}" y="{bottom + 26}">Pearson correlation with the human ratings, by μ; words stemmed, without stop words</text>')
    svg.append("</svg>")
    with open(path, "w", encoding="utf-8") as output:
        output.write("\n".join(svg) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--work", required=True, help="a folder for counts and passages")
    options = parser.parse_args()
    if not options.data:
        parser.error("say where the data are: --data DIR, or LIKEWISE_DATA")
    subprocess.run("cargo build --quiet --release -p likewise-cli".split(), check=True, cwd=ROOT)
    os.makedirs(options.work, exist_ok=True)
    counts, passages = background(options)
    found = sweep(options, counts, passages)
    tables(found)
    plot(found, os.path.join(ROOT, "docs/reproduction/probabilistic.svg"))


if __name__ == "__main__":
    main()
