"""Holds the cosine of tf-idf weights to scikit-learn, to 1e-9.

A random corpus (fixed seed) of plain words with blanks between them, so that both sides see the
same terms. scikit-learn counts the words and takes the cosine; the weights tf * ln(M/m) are
computed with numpy, because its own TfidfTransformer adds one to the idf. Ours come from the
example `score_lines`.

    python checks/tfidf_agreement.py [--binary PATH of a built score_lines]
"""

import random
import sys

import numpy as np
import score_lines
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

SEED = 20120706
TEXTS = 300
PAIRS = 6000
TOLERANCE = 1e-9
LETTERS = "abcdefghijklmnopqrstuvwxyz" + "áàâäãåçéèêëíìîïñóòôöõøúùûüýÿœæžščřďťň"


def corpus(rng):
    """Texts of up to 41 words, drawn unevenly so that some words are in most texts."""
    vocabulary = set()
    while len(vocabulary) < 400:
        letters = LETTERS if rng.random() < 0.4 else LETTERS[:26]
        word = "".join(rng.choice(letters) for _ in range(rng.randint(1, 9)))
        vocabulary.add(word)
    vocabulary = sorted(vocabulary)
    rng.shuffle(vocabulary)
    frequency = [1 / (rank + 1) for rank in range(len(vocabulary))]

    def text():
        words = rng.choices(vocabulary, frequency, k=rng.randint(1, 40))
        # Upper case is folded on both sides.
        return " ".join(w.capitalize() if rng.random() < 0.1 else w for w in words)

    texts = [text() for _ in range(TEXTS - 5)]
    # A word of every text weighs nothing, and a text of that word only is all zeros.
    texts = ["everywhere " + t for t in texts]
    return texts + ["everywhere", texts[0], texts[1] + " " + texts[1], "Everywhere É é É", texts[2]]


def reference(texts, weights, idf):
    """All cosines, a row and a column for each text."""
    counter = CountVectorizer(lowercase=True, token_pattern=r"(?u)[\w']+")
    tf = counter.fit_transform(texts).toarray().astype(float)
    ratio = tf.shape[0] / (tf > 0).sum(axis=0)
    rarity = np.log(ratio) if idf == "plain" else np.log1p(ratio)
    vectors = {
        "tfidf": tf * rarity,
        "idf": (tf > 0) * rarity,
        "tf": tf,
        "boolean": (tf > 0).astype(float),
    }[weights]
    return cosine_similarity(vectors)


def main():
    program = score_lines.program(__doc__.splitlines()[0])
    rng = random.Random(SEED)
    texts = corpus(rng)
    numbers = range(len(texts))
    pairs = [(i, i) for i in numbers]
    # The odd ones at the end, with all others.
    pairs += [(i, j) for i in numbers for j in numbers[-5:]]
    pairs += [(rng.choice(numbers), rng.choice(numbers)) for _ in range(PAIRS - len(pairs))]
    passed = failed = 0
    largest = 0.0
    for weights in ["tfidf", "idf", "tf", "boolean"]:
        for idf in ["plain", "smooth"]:
            expected = reference(texts, weights, idf)
            measure = f"tfidf(weights={weights}, idf={idf})"
            scores = score_lines.scores(program, measure, texts, [(texts[i], texts[j]) for i, j in pairs])
            for (i, j), score in zip(pairs, scores):
                difference = abs(score - expected[i, j])
                # Not "difference > TOLERANCE": a score that is no number must fail.
                if difference <= TOLERANCE:
                    passed += 1
                    largest = max(largest, difference)
                    continue
                failed += 1
                if failed <= 10:
                    print(f"{measure}: {texts[i]!r} {texts[j]!r}: {score}, sklearn {expected[i, j]}")
    print(f"largest difference {largest:.1e}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
