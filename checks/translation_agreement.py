"""Holds the training of translation tables to NLTK's IBMModel1: log-likelihood and every t(f|e), to 1e-6.

Sentences of a small made-up language pair (fixed seed): words of the questions and answers in examples/faq.csv, each with
a made-up translation, some dropped, some added, some put elsewhere; and the questions with their answers as they stand.

NLTK never lets a probability fall below 1e-12, which is far within the tolerance. It also counts a word that stands k
times in a target text as if it stood there once: it adds its normaliser up over the repeats. The formulas of the paper
count it k times, and so do we. So NLTK is run as it is on targets without repeats, and on those with repeats with that
one function replaced by what the paper says.

    pip install nltk
    python checks/translation_agreement.py [--pairs N] [--binary PATH of a built translation_lines]
    python checks/translation_agreement.py --time PAIRS.tsv [--columns sentence1,sentence2]

With --time both are trained on the pairs of a table instead, ten steps each, and their CPU seconds are printed.
"""

import argparse
import csv
import json
import math
import random
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

try:
    from nltk.translate import AlignedSent, IBMModel1
except ImportError:
    print("nltk is not installed: training is not held to it")
    sys.exit(0)

ROOT = Path(__file__).resolve().parent.parent
BUILD = "cargo run --quiet --release -p likewise --features table --example translation_lines --"
SEED = 19930601
TOLERANCE = 1e-6


class Repeats(IBMModel1):
    """NLTK's model with a normaliser for a word, however often it stands in the target."""

    def prob_all_alignments(self, src_sentence, trg_sentence):
        return super().prob_all_alignments(src_sentence, list(dict.fromkeys(trg_sentence)))


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def invented(rng, n):
    """Pairs of sentences, the second in a language of made-up words."""
    with open(ROOT / "examples" / "faq.csv", encoding="utf8") as file:
        texts = [(words(row["question"]), words(row["answer"])) for row in csv.DictReader(file)]
    known = sorted({word for pair in texts for text in pair for word in text})
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    translation = {word: "".join(rng.choices(syllables, k=rng.randint(1, 3))) for word in known}
    frequency = [1 / (rank + 1) for rank in range(len(known))]
    pairs = [(question, answer) for question, answer in texts if question and answer]
    while len(pairs) < n:
        source = rng.choices(known, frequency, k=rng.randint(1, 15))
        target = [translation[word] for word in source if rng.random() < 0.9]
        target += rng.choices(["la", "zu"], k=rng.randint(0, 2))
        at = rng.randrange(len(target) + 1)
        target = target[at:] + target[:at]
        if target:
            pairs.append((source, target))
    return pairs


def without_repeats(pairs):
    return [(source, list(dict.fromkeys(target))) for source, target in pairs]


def theirs(model, pairs, steps):
    return model([AlignedSent(target, source) for source, target in pairs], steps)


def log_likelihood(model, pairs):
    total = 0.0
    for source, target in pairs:
        for f in target:
            row = model.translation_table[f]
            total += math.log(sum(row[e] for e in [None, *source]) / (len(source) + 1))
    return total


def ours(program, pairs, steps):
    lines = "".join(json.dumps({"source": source, "target": target}) + "\n" for source, target in pairs)
    command = [*program, str(steps)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    likelihoods = [float(row[0]) for row in rows if len(row) == 1]
    return likelihoods, {(row[0], row[1]): float(row[2]) for row in rows if len(row) == 3}


def hold(name, program, model, pairs, steps):
    likelihoods, table = ours(program, pairs, steps)
    trained = theirs(model, pairs, steps)
    failed, largest = 0, 0.0
    expected = {(e, f) for source, target in pairs for e in source for f in target}
    if len(likelihoods) != steps + 1:
        print(f"{name}: {len(likelihoods)} log-likelihoods for {steps} steps")
        failed += 1
    compared = [("log-likelihood", likelihoods[-1], log_likelihood(trained, pairs))]
    compared += [((e, f), table.get((e, f), 0.0), trained.translation_table[f][e]) for e, f in sorted(expected)]
    for what, found, wanted in compared:
        # A sum over thousands of words is held to as many digits as a probability.
        difference = abs(found - wanted) / max(1.0, abs(wanted))
        largest = max(largest, difference)
        # Not "difference > TOLERANCE": what is no number must fail.
        if not difference <= TOLERANCE:
            failed += 1
            if failed <= 10:
                print(f"{name}, {what}: {found}, nltk {wanted}")
    extra = set(table) - expected
    if extra:
        print(f"{name}: {len(extra)} entries of words that never meet, such as {min(extra)}")
        failed += len(extra)
    print(
        f"{name}, {steps} steps: log-likelihood and {len(expected)} entries of {len(pairs)} pairs, "
        f"{failed} differ from nltk, by at most {largest:.1e}"
    )
    return failed


def compare_time(program, path, columns):
    first, second = columns.split(",")
    with open(path, encoding="utf8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        pairs = [(words(row[first]), words(row[second])) for row in rows]
    pairs = [pair for pair in pairs if pair[0] and pair[1]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ours(program, pairs, 10)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    began = time.process_time()
    theirs(IBMModel1, pairs, 10)
    peer = time.process_time() - began
    print(f"{len(pairs)} pairs, 10 steps: ours {spent:.2f} s with reading and printing, nltk {peer:.2f} s: {peer / spent:.0f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--binary", help="a built example `translation_lines`")
    parser.add_argument("--time", metavar="PAIRS.tsv", help="compare CPU seconds on the pairs of a table")
    parser.add_argument("--columns", default="sentence1,sentence2")
    arguments = parser.parse_args()
    program = [str(Path(arguments.binary).resolve())] if arguments.binary else BUILD.split()
    if arguments.time:
        compare_time(program, arguments.time, arguments.columns)
        return
    pairs = invented(random.Random(SEED), arguments.pairs)
    failed = 0
    for steps in [5, 10]:
        failed += hold("no repeats", program, IBMModel1, without_repeats(pairs), steps)
        failed += hold("repeats", program, Repeats, pairs, steps)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
