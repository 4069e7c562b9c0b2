"""Holds BM25 to bm25s in Lucene's form, to 1e-5: its scores are four-byte numbers.

A random corpus (fixed seed) of plain words with blanks between them. Ours come from the example `score_lines`.

    python checks/bm25_agreement.py [--binary PATH of a built score_lines]
"""

import random
import sys

import score_lines

try:
    import bm25s
except ImportError:
    print("bm25s is not installed: BM25 is not held to it")
    sys.exit(0)

SEED = 19941001
TEXTS = 300
QUERIES = 40
TOLERANCE = 1e-5


def main():
    program = score_lines.program(__doc__.splitlines()[0])
    rng = random.Random(SEED)
    vocabulary = ["".join(rng.choice("abcdefgh") for _ in range(rng.randint(2, 5))) for _ in range(300)]
    frequency = [1 / (rank + 1) for rank in range(len(vocabulary))]

    def text():
        return " ".join(rng.choices(vocabulary, frequency, k=rng.randint(1, 30)))

    texts = [text() for _ in range(TEXTS)]
    # A word once in a query: bm25s and ours both count repeats, but a query is mostly a set.
    queries = [" ".join(dict.fromkeys(text().split())) for _ in range(QUERIES)]
    failed, largest, compared = 0, 0.0, 0
    for k1, b in [(1.2, 0.75), (1.5, 0.5), (0.9, 0.0), (2.0, 1.0)]:
        model = bm25s.BM25(method="lucene", k1=k1, b=b)
        model.index([t.split() for t in texts], show_progress=False)
        pairs = [(query, t) for query in queries for t in texts]
        scores = iter(score_lines.scores(program, f"bm25(k1={k1}, b={b})", texts, pairs))
        for query in queries:
            known = [word for word in query.split() if word in model.vocab_dict]
            expected = model.get_scores(known)
            for at in range(TEXTS):
                score = next(scores)
                difference = abs(score - float(expected[at]))
                compared += 1
                largest = max(largest, difference)
                # Not "difference > TOLERANCE": a score that is no number must fail.
                if not difference <= TOLERANCE:
                    failed += 1
                    if failed <= 10:
                        print(f"{query!r} {texts[at]!r}: {score}, bm25s {expected[at]}")
    print(f"bm25: {compared} scores, {failed} differ from those of bm25s, by at most {largest:.1e}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
