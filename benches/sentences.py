#!/usr/bin/env python3
"""A million sentences and misspelt queries, made of plain text: the benchmark of long texts.

    python benches/sentences.py CORPUS.txt.zst OUT_DIR [--count 1000000]

Lines are split at sentence ends; sentences of 6 to 60 words are kept, each once. Where they are fewer than
asked for, new ones are made of the first half of one and the second half of another. Writes
OUT_DIR/sentences_COUNT.tsv (`id, text`) and OUT_DIR/sentences_COUNT_q.tsv (`gold id, text`): 1,000 sentences
with typing errors. The same bytes on every run.
"""

import argparse
import os
import random
import re
import subprocess

END = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9])")


def sentences(path):
    seen, kept = set(), []
    text = subprocess.run(["zstd", "-dc", "--long=31", path], stdout=subprocess.PIPE, check=True).stdout
    for line in text.decode().splitlines():
        for sentence in END.split(line):
            sentence = " ".join(sentence.split())
            if 6 <= len(sentence.split(" ")) <= 60 and sentence not in seen:
                seen.add(sentence)
                kept.append(sentence)
    return kept


def with_halves(kept, count, rng):
    made = list(kept)
    while len(made) < count:
        first, second = rng.choice(kept).split(" "), rng.choice(kept).split(" ")
        made.append(" ".join(first[: len(first) // 2] + second[len(second) // 2 :]))
    rng.shuffle(made)
    return made[:count]


def misspelt(sentence, rng):
    """One word in eight with a letter swapped, dropped, doubled or changed; one in twenty left out."""
    words = []
    for word in sentence.split(" "):
        chance = rng.random()
        if chance < 0.05:
            continue
        if chance < 0.175 and len(word) > 2:
            at = rng.randrange(len(word) - 1)
            letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
            word = rng.choice([
                word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + letter + word[at + 1 :],
            ])
        words.append(word)
    return " ".join(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("out")
    parser.add_argument("--count", type=int, default=1_000_000)
    args = parser.parse_args()
    rng = random.Random(20261115)
    texts = with_halves(sentences(args.corpus), args.count, rng)
    stem = os.path.join(args.out, f"sentences_{args.count}")
    with open(stem + ".tsv", "w") as out:
        out.writelines(f"{at}\t{text}\n" for at, text in enumerate(texts))
    with open(stem + "_q.tsv", "w") as out:
        for at in rng.sample(range(len(texts)), 1000):
            out.write(f"{at}\t{misspelt(texts[at], rng)}\n")


if __name__ == "__main__":
    main()
