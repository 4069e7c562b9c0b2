"""Holds soft cosine to gensim's, to 1e-6, on its own matrix of similarities.

A random corpus (fixed seed) of plain words with blanks between them. gensim builds a matrix from edit distances
(`LevenshteinSimilarityIndex`), which goes into a table of pairs that ours reads (`terms=table("…")`), so that both sides have
the same words, weights and similarities; then `inner_product`, normalized, against our score. Ours come from the example
`score_lines`.

    python checks/soft_cosine_agreement.py [--binary PATH of a built score_lines]
"""

import csv
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import score_lines

try:
    from gensim.corpora import Dictionary
    from gensim.models import TfidfModel
    from gensim.similarities import LevenshteinSimilarityIndex, SparseTermSimilarityMatrix
except ImportError:
    print("gensim is not installed: soft cosine is not held to it")
    sys.exit(0)

SEED = 20140901
TEXTS = 300
PAIRS = 4000
TOLERANCE = 1e-6


def corpus(rng):
    """Texts of words that are often a letter or two apart."""
    stems = ["".join(rng.choice("abcde") for _ in range(rng.randint(2, 7))) for _ in range(120)]

    def word():
        letters = list(rng.choice(stems))
        for _ in range(rng.choice([0, 0, 1, 2])):
            letters[rng.randrange(len(letters))] = rng.choice("abcde")
        return "".join(letters)

    return [" ".join(word() for _ in range(rng.randint(1, 20))) for _ in range(TEXTS)]


def write_pairs(matrix, dictionary, path):
    """The matrix as a table of pairs, each once."""
    entries = matrix.matrix.tocoo()
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["feature1", "feature2", "similarity"])
        for i, j, value in zip(entries.row, entries.col, entries.data):
            if i < j:
                table.writerow([dictionary[int(i)], dictionary[int(j)], repr(float(value))])


def main():
    program = score_lines.program(__doc__.splitlines()[0])
    rng = random.Random(SEED)
    texts = corpus(rng)
    pairs = [(i, i) for i in range(TEXTS)]
    pairs += [(rng.randrange(TEXTS), rng.randrange(TEXTS)) for _ in range(PAIRS)]
    words = [text.split() for text in texts]
    dictionary = Dictionary(words)
    tfidf = TfidfModel(dictionary=dictionary, normalize=False)
    index = LevenshteinSimilarityIndex(dictionary)
    failed, largest, compared = 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for limit in [100, 5]:
            matrix = SparseTermSimilarityMatrix(index, dictionary, nonzero_limit=limit, dtype=np.float64)
            table = Path(folder, f"pairs-{limit}.csv")
            write_pairs(matrix, dictionary, table)
            for weights in ["tf", "tfidf"]:
                measure = f'soft-cosine(terms=table("{table}"), weights={weights}, idf=plain)'
                scores = score_lines.scores(program, measure, texts, [(texts[i], texts[j]) for i, j in pairs])
                bags = [dictionary.doc2bow(text) for text in words]
                vectors = [tfidf[bag] for bag in bags] if weights == "tfidf" else bags
                for (i, j), score in zip(pairs, scores, strict=True):
                    expected = matrix.inner_product(vectors[i], vectors[j], normalized=(True, True))
                    difference = abs(float(expected) - score)
                    largest = max(largest, difference)
                    compared += 1
                    # Not "difference > TOLERANCE": a score that is no number must fail.
                    if not difference <= TOLERANCE:
                        failed += 1
                        if failed <= 10:
                            print(f"{measure}: {texts[i]!r} {texts[j]!r}: {score}, gensim {expected}")
    print(f"soft cosine: {compared} scores, {failed} differ from gensim's, by at most {largest:.1e}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
