#!/usr/bin/env python3
"""Holds the reader of WordNet, its morphology and its similarities against NLTK's.

Words drawn from the index files with a fixed seed, irregular forms from the exception lists and regular ones made
from them by endings; for each its senses in order with their tag counts, base forms, synonyms, and the words and
hypernyms of its synsets, which must be equal. Then pairs of words, half of them near each other in the tree: path,
Wu-Palmer and Leacock-Chodorow of all pairs of their senses, and of the words, which must agree to 1e-9.

    pip install nltk
    python checks/wordnet_agreement.py [--words N] [--pairs N] [--wordnet DIR] [--binary PATH]

Both read the same files. Without them, or without nltk, nothing is checked, and that is said. Without --binary the
example `wordnet_lines` is built first.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings

TOLERANCE = 1e-9
PLACES = [
    "/usr/share/wordnet",
    "/usr/local/share/wordnet",
    "/usr/local/WordNet-3.0/dict",
    "/usr/local/WordNet-3.1/dict",
    "/opt/homebrew/opt/wordnet/dict",
    "/usr/local/opt/wordnet/dict",
    "/home/linuxbrew/.linuxbrew/opt/wordnet/dict",
    os.path.expanduser("~/nltk_data/corpora/wordnet"),
]
SUFFIXES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
ENDINGS = {"n": ["s", "es"], "v": ["s", "ed", "ing"], "a": ["er", "est"], "r": [""]}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


def directory(given):
    places = [given] if given else [os.environ.get("WNSEARCHDIR", "")]
    places += [] if given else [os.path.join(os.environ.get("WNHOME", ""), "dict"), *PLACES]
    for place in places:
        if os.path.isfile(os.path.join(place, "data.noun")):
            return place
    skip("WordNet is not installed (apt install wordnet-base); looked in " + ", ".join(filter(None, places)))


def reader(root, folder):
    """NLTK's reader of the files in root. It wants some more than there may be: these are made up, in a folder
    beside links to the others, and no answer that is compared depends on them."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    for name in os.listdir(root):
        os.symlink(os.path.join(os.path.abspath(root), name), os.path.join(folder, name))
    numbers = set()
    for suffix in SUFFIXES.values():
        with open(os.path.join(root, "data." + suffix), encoding="utf8") as lines:
            numbers |= {int(line.split(None, 2)[1]) for line in lines if not line.startswith(" ")}
    with open(os.path.join(folder, "lexnames"), "w") as file:
        file.writelines(f"{n:02}\tfile{n}\t1\n" for n in range(max(numbers) + 1))
    for name in ["cntlist.rev", "index.sense", *(suffix + ".exc" for suffix in SUFFIXES.values())]:
        if not os.path.exists(os.path.join(folder, name)):
            open(os.path.join(folder, name), "w").close()

    class Reader(WordNetCorpusReader):
        def map_wn(self, version="wordnet"):
            # For other languages only, and wants NLTK's own copy of WordNet.
            return None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Reader(folder, None)


def drawn_words(rng, root, n):
    lemmas, forms = [], []
    for letter, suffix in SUFFIXES.items():
        with open(os.path.join(root, "index." + suffix), encoding="utf8") as lines:
            found = [line.split(" ", 1)[0] for line in lines if not line.startswith(" ")]
        lemmas.append(found)
        forms += [lemma + rng.choice(ENDINGS[letter]) for lemma in rng.sample(found, n // 10)]
        # Endings that take a letter away, and capitals.
        forms += [lemma[:-1] + "ies" for lemma in rng.sample(found, n // 10) if lemma.endswith("y")]
        forms += [lemma[:-1] + "ing" for lemma in rng.sample(found, n // 10) if lemma.endswith("e")]
        forms += [lemma.title() for lemma in rng.sample(found, n // 40)]
        exceptions = os.path.join(root, suffix + ".exc")
        if os.path.exists(exceptions):
            with open(exceptions, encoding="utf8") as lines:
                irregular = [line.split()[0] for line in lines if line.strip()]
            forms += rng.sample(irregular, min(n // 10, len(irregular)))
    # As many verbs and adverbs as nouns, of which there are far more.
    words = [rng.choice(rng.choice(lemmas)) for _ in range(n)]
    return words, forms + ["geese", "running", "axes", "saw", "best", "better", "men", "zzzz", "s", ""]


def expected_senses(wn, word):
    return [
        [synset.pos().replace("s", "a"), synset.offset(), lemma.replace("_", " "), count(wn, synset, lemma)]
        for pos in "nvar"
        for lemma in wn._morphy(word.lower(), pos)
        for synset in (wn.synset_from_pos_and_offset(pos, o) for o in wn._lemma_pos_offset_map[lemma][pos])
    ]


def count(wn, synset, name):
    return sum(lemma.count() for lemma in synset.lemmas() if lemma.name().lower() == name)


def expected_synonyms(wn, word, first):
    found = set()
    for pos in "nvar":
        own = {word.lower(), *wn._morphy(word.lower(), pos)}
        senses = wn.synsets(word, pos)
        for synset in senses[: first or len(senses)]:
            found |= {name for name in synset.lemma_names() if name.lower() not in own}
    return sorted((name.replace("_", " ") for name in found), key=lambda name: name.encode())


def expected_synsets(wn, word, pos):
    return [
        [
            [name.replace("_", " ") for name in synset.lemma_names()],
            sorted(above.offset() for above in synset.hypernyms() + synset.instance_hypernyms()),
        ]
        for synset in wn.synsets(word, pos)
    ]


def lookup_questions(wn, words, counts):
    for word in words:
        yield f"senses\t{word}", lambda w=word: expected_senses(wn, w), None if counts else 3
        for first in [0, 1, 2]:
            yield f"synonyms\t{first}\t{word}", lambda w=word, n=first: expected_synonyms(wn, w, n), None
        for pos in "nvar":
            base = lambda w=word, p=pos: [b.replace("_", " ") for b in wn._morphy(w.lower(), p)]
            yield f"morphy\t{pos}\t{word}", base, None
            yield f"synset\t{pos}\t{word}", lambda w=word, p=pos: expected_synsets(wn, w, p), None


def nearby(rng, wn, word):
    """A word that a short walk in the tree leads to."""
    senses = [synset for pos in "nv" for synset in wn.synsets(word, pos)]
    if not senses:
        return word
    synset = rng.choice(senses)
    for _ in range(rng.randint(0, 6)):
        up = synset.hypernyms() + synset.instance_hypernyms()
        down = synset.hyponyms() + synset.instance_hyponyms()
        steps = sorted(up + down)
        synset = rng.choice(steps) if steps else synset
    return rng.choice(synset.lemma_names())


def drawn_pairs(rng, wn, root, n):
    words = {}
    for suffix in ["noun", "verb"]:
        with open(os.path.join(root, "index." + suffix), encoding="utf8") as lines:
            fields = [line.split() for line in lines if not line.startswith(" ")]
        # Words with several senses, which are those that texts have.
        words[suffix] = [f[0] for f in fields if 2 <= int(f[2]) <= 12] + [f[0] for f in rng.sample(fields, 500)]
    pairs = []
    for number in range(n):
        suffix = "verb" if number % 3 == 0 else "noun"
        a = rng.choice(words[suffix])
        pairs.append((a, nearby(rng, wn, a) if number % 2 else rng.choice(words[suffix])))
    return pairs


def similarities(wn, a, b):
    """Of all pairs of senses, and the best in both orders."""
    rows, best = [], {"path": None, "wup": None, "lch": None, "lch-normal": None}

    def better(name, value):
        if value is not None:
            best[name] = value if best[name] is None else max(best[name], value)

    for pos in "nv":
        for x in wn.synsets(a, pos):
            for y in wn.synsets(b, pos):
                row = [x.path_similarity(y), x.wup_similarity(y), x.lch_similarity(y)]
                rows.append(row)
                better("path", row[0])
                better("wup", row[1])
                better("wup", y.wup_similarity(x))
                better("lch", row[2])
                if row[2] is not None:
                    better("lch-normal", max(0.0, row[2] / x.lch_similarity(x)))
    return rows, best


def close(expected, got):
    if expected is None or got is None:
        return expected is got
    return abs(expected - got) <= TOLERANCE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=1_000)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--wordnet", help="the directory with WordNet's files")
    parser.add_argument("--binary", help="the built example wordnet_lines")
    arguments = parser.parse_args()

    root = directory(arguments.wordnet)
    try:
        import nltk
    except ImportError:
        skip("the Python package nltk is not installed")

    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        wn = reader(root, folder)
        words, forms = drawn_words(rng, root, arguments.words)
        counts = os.path.exists(os.path.join(root, "cntlist.rev"))
        lookups = list(lookup_questions(wn, words + forms, counts))
        pairs = drawn_pairs(rng, wn, root, arguments.pairs)
        names = ["path", "wup", "lch", "lch-normal"]
        lines = [question for question, _, _ in lookups]
        lines += [f"{name}\t{a}\t{b}" for a, b in pairs for name in ["synsets", *names]]
        cargo = ["cargo", "run", "--quiet", "--release", "-p", "likewise", "--features", "table"]
        command = [arguments.binary] if arguments.binary else [*cargo, "--example", "wordnet_lines", "--"]
        text = "".join(line + "\n" for line in lines)
        run = subprocess.run([*command, root], input=text.encode(), stdout=subprocess.PIPE, check=True)
        ours = iter(json.loads(line) for line in run.stdout.decode().splitlines())

        results = {}

        def tell(kind, question, expected, got, fits):
            passed, failed = results.get(kind, (0, 0))
            results[kind] = (passed + fits, failed + (not fits))
            if not fits and failed < 3:
                print(f"{question!r}: nltk {expected!r}, likewise {got!r}")

        for question, expect, kept in lookups:
            cut = lambda rows: [row[:kept] for row in rows] if kept else rows
            expected, got = cut(expect()), cut(next(ours))
            tell(question.split("\t")[0], question, expected, got, expected == got)
        for a, b in pairs:
            rows, best = similarities(wn, a, b)
            got = next(ours)
            fits = len(rows) == len(got) and all(map(close, sum(rows, []), sum(got, [])))
            tell("pairs of senses", (a, b), rows, got, fits)
            for name in names:
                got = next(ours)
                tell(name, (name, a, b), best[name], got, close(best[name], got))

    for kind, (passed, failed) in results.items():
        print(f"{kind}: {passed} passed, {failed} failed")
    failures = sum(failed for _, failed in results.values())
    print(f"{sum(passed for passed, _ in results.values())} passed, {failures} failed (nltk {nltk.__version__}, {root})")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
