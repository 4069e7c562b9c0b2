#!/usr/bin/env python3
"""Holds the string kernels against the Python package rapidfuzz.

100,000 random pairs of strings from a fixed seed, of 1 to 200 characters, from small alphabets to
all of Unicode, half of them lightly edited copies; five similarities each, which must agree to
1e-12. Prints the counts and exits with 1 if any differ.

    pip install rapidfuzz
    python checks/rapidfuzz_agreement.py [--pairs N] [--binary PATH]

Without --binary the example `similarity_lines` is built first.
"""

import argparse
import json
import random
import subprocess
import sys

from rapidfuzz.distance import OSA, Jaro, JaroWinkler, LCSseq, Levenshtein

TOLERANCE = 1e-12
REFERENCES = {
    "levenshtein": Levenshtein.normalized_similarity,
    "osa": OSA.normalized_similarity,
    "jaro": Jaro.normalized_similarity,
    "jaro-winkler": JaroWinkler.normalized_similarity,
    "lcs": LCSseq.normalized_similarity,
}
ALPHABETS = [
    "ab",
    "abcd",
    "abcdefghijklmnopqrstuvwxyz ",
    "aeé\u0301\u0308ßøñ",
    "日本語中文字한국어",
    "🦀🎉👩‍🚀a\u200d",
    None,  # any character
]


def character(rng, alphabet):
    if alphabet is not None:
        return rng.choice(alphabet)
    while True:
        code = rng.randrange(0x110000)
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code)


def term(rng, alphabet):
    # Lengths evenly on a scale that has as many short as long ones, and the edges of words.
    length = rng.choice([rng.randint(1, 10), rng.randint(1, 70), rng.randint(1, 200), rng.choice([63, 64, 65, 128, 129])])
    return "".join(character(rng, alphabet) for _ in range(length))


def edited(rng, alphabet, text):
    characters = list(text)
    for _ in range(rng.randint(0, 6)):
        at = rng.randrange(len(characters) + 1)
        edit = rng.randrange(4)
        if edit == 0 and len(characters) < 200:
            characters.insert(at, character(rng, alphabet))
        elif edit == 1 and at < len(characters):
            characters[at] = character(rng, alphabet)
        elif edit == 2 and at < len(characters) and len(characters) > 1:
            del characters[at]
        elif edit == 3 and at + 1 < len(characters):
            characters[at], characters[at + 1] = characters[at + 1], characters[at]
    return "".join(characters)


def pair(rng):
    alphabet = rng.choice(ALPHABETS)
    a = term(rng, alphabet)
    b = edited(rng, alphabet, a) if rng.random() < 0.5 else term(rng, alphabet)
    return a, b


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--binary", help="the built example similarity_lines")
    arguments = parser.parse_args()

    rng = random.Random(arguments.seed)
    pairs = [pair(rng) for _ in range(arguments.pairs)]
    lines = "".join(
        f"{name}\t{json.dumps(a)}\t{json.dumps(b)}\n" for name in REFERENCES for a, b in pairs
    )
    command = (
        [arguments.binary]
        if arguments.binary
        else ["cargo", "run", "--quiet", "--release", "-p", "likewise", "--example", "similarity_lines"]
    )
    run = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    ours = iter(run.stdout.decode().splitlines())

    failures = 0
    for name, reference in REFERENCES.items():
        failed = 0
        for a, b in pairs:
            expected, got = reference(a, b), float(next(ours))
            if abs(expected - got) > TOLERANCE:
                failed += 1
                if failed <= 3:
                    print(f"{name}: {a!r} {b!r}: rapidfuzz {expected!r}, likewise {got!r}")
        print(f"{name}: {len(pairs) - failed} passed, {failed} failed")
        failures += failed
    total = len(REFERENCES) * len(pairs)
    print(f"{total - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
