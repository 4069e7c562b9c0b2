"""Holds `likewise parse eval` to an independent implementation of the CoNLL 2018 scores.

Reads a gold CoNLL-U file and what `likewise parse eval -o` wrote, computes the F1 scores from their definition, and compares
them with what `--json` said. Without LIKEWISE_DATA a small treebank of its own is used, with tokens cut apart on purpose.

    python checks/parse_scores.py [--binary PATH of a built likewise]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 1e-9

SMALL = """\
# newpar
# text = I don't know.He can't go
1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tknow\tknow\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.He\the\tPRON\tPRP\t_\t7\tnsubj\t_\t_
6-7\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
6\tca\tcan\tAUX\tMD\t_\t8\taux\t_\t_
7\tn't\tnot\tPART\tRB\t_\t8\tadvmod\t_\t_
8\tgo\tgo\tVERB\tVB\t_\t4\tparataxis\t_\t_

# newpar
# text = The company's dogs bark loudly
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2-3\tcompany's\t_\t_\t_\t_\t_\t_\t_\t_
2\tcompany\tcompany\tNOUN\tNN\t_\t4\tnmod:poss\t_\t_
3\t's\t's\tPART\tPOS\t_\t2\tcase\t_\t_
4\tdogs\tdog\tNOUN\tNNS\t_\t5\tnsubj\t_\t_
5\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_
6\tloudly\t_\tADV\tRB\t_\t5\tadvmod\t_\t_

"""


class Treebank:
    """Characters without whitespace; sentences, tokens and words as stretches of them."""

    def __init__(self, path):
        self.chars, self.sentences, self.tokens, self.words = [], [], [], []
        block = []
        for line in pathlib.Path(path).read_text(encoding="utf-8").split("\n"):
            if line.startswith("#"):
                continue
            if line:
                block.append(line.split("\t"))
            elif block:
                self.add(block)
                block = []

    def add(self, rows):
        begin, first = len(self.chars), len(self.words)
        shared_until, shared = 0, None
        for row in rows:
            if "." in row[0]:
                continue
            if "-" in row[0]:
                shared_until = int(row[0].split("-")[1])
                shared = self.token(row[1])
                continue
            number = int(row[0])
            inside = number <= shared_until
            stretch = shared if inside else self.token(row[1])
            head = int(row[6])
            self.words.append(
                {
                    "stretch": stretch,
                    "shared": inside,
                    "form": row[1].lower(),
                    "lemma": row[2],
                    "upos": row[3],
                    "xpos": row[4],
                    "relation": row[7].partition(":")[0],
                    "head": None if head == 0 else first + head - 1,
                }
            )
        self.sentences.append((begin, len(self.chars)))

    def token(self, form):
        begin = len(self.chars)
        self.chars.extend(c for c in form if not c.isspace())
        self.tokens.append((begin, len(self.chars)))
        return self.tokens[-1]


def regions(gold, system):
    """Stretches of characters that tokens of several words reach, of either side, joined where a token crosses their ends."""
    found = []
    for stretch in sorted({w["stretch"] for side in (gold, system) for w in side.words if w["shared"]}):
        if found and stretch[0] < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], stretch[1]))
        else:
            found.append(stretch)
    return found


def subsequence(a, b):
    """Pairs of places of a longest common subsequence, from the front."""
    best = {}
    for i in range(len(a), -1, -1):
        for j in range(len(b), -1, -1):
            if i == len(a) or j == len(b):
                best[i, j] = 0
            elif a[i] == b[j]:
                best[i, j] = 1 + best[i + 1, j + 1]
            else:
                best[i, j] = max(best[i + 1, j], best[i, j + 1])
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            i += 1
        else:
            j += 1


def aligned(gold, system):
    """Gold word -> system word."""
    pairs = {}
    reached = regions(gold, system)

    def region_of(word):
        # A single word belongs to a region if it lies inside; one of several words always does.
        for region in reached:
            if region[0] <= word["stretch"][0] and word["stretch"][1] <= region[1]:
                return region
        return None

    single = {w["stretch"]: at for at, w in enumerate(system.words) if region_of(w) is None}
    in_region = {}
    for side, words in enumerate((gold.words, system.words)):
        for at, word in enumerate(words):
            region = region_of(word)
            if region is not None:
                in_region.setdefault(region, ([], []))[side].append(at)
            elif side == 0 and word["stretch"] in single:
                pairs[at] = single[word["stretch"]]
    for ours, theirs in in_region.values():
        forms = [gold.words[at]["form"] for at in ours], [system.words[at]["form"] for at in theirs]
        pairs.update((ours[i], theirs[j]) for i, j in subsequence(*forms))
    return pairs


def scores(gold, system):
    assert gold.chars == system.chars, "different texts"
    pairs = aligned(gold, system)

    def f1(right, ours, theirs):
        return 200 * right / (ours + theirs)

    def words(agree):
        right = sum(agree(gold.words[g], system.words[s]) for g, s in pairs.items())
        return f1(right, len(gold.words), len(system.words))

    def head(g, s):
        if g["head"] is None or s["head"] is None:
            return g["head"] is s["head"]
        return pairs.get(g["head"]) == s["head"]

    def spans(a, b):
        return f1(len(set(a) & set(b)), len(a), len(b))

    return {
        "uas": words(head),
        "las": words(lambda g, s: head(g, s) and g["relation"] == s["relation"]),
        "upos": words(lambda g, s: g["upos"] == s["upos"]),
        "xpos": words(lambda g, s: g["xpos"] == s["xpos"]),
        "lemmas": words(lambda g, s: g["lemma"] in ("_", s["lemma"])),
        "words": words(lambda g, s: True),
        "tokens": spans(gold.tokens, system.tokens),
        "sentences": spans(gold.sentences, system.sentences),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/debug/likewise")
    program = pathlib.Path(parser.parse_args().binary).resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        small = folder / "small.conllu"
        small.write_text(SMALL, encoding="utf-8")
        treebanks = [small]
        if "LIKEWISE_DATA" in os.environ:
            data = pathlib.Path(os.environ["LIKEWISE_DATA"]) / "treebank"
            treebanks += [data / "en_ewt/dev.conllu", data / "zh_hk/all.conllu"]
        for path in treebanks:
            for more in ([], ["--gold-tokens"]):
                out = folder / "parsed.conllu"
                command = [program, "parse", "eval", path, "--json", "-o", out, *more]
                said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
                ours = scores(Treebank(path), Treebank(out))
                for key, value in ours.items():
                    # Not "difference > TOLERANCE": a score that is no number must fail.
                    if not abs(said[key] - value) <= TOLERANCE:
                        failed += 1
                        print(f"{path.name} {' '.join(more)} {key}: {said[key]}, here {value}")
                print(f"{path.name} {' '.join(more)}: LAS {ours['las']:.4f}, {len(ours)} scores compared")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
