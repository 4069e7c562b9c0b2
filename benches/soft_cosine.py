#!/usr/bin/env python3
"""Soft cosine beside gensim: one thread, processor time, one run.

    pip install gensim rapidfuzz
    python benches/soft_cosine.py --data DIR --work DIR [--queries N] [--peer-queries N] [--skip builder|million]

Three comparisons, each printed with its ratio:

- the ten best of 20,000 sentences under the *same* matrix of similar words: gensim builds it from edit distances
  (`LevenshteinSimilarityIndex`), ours reads it as a table; rankings are compared, too;
- the whole matrix of edit distances up to 2 over a vocabulary of 100,000 words, ours on two threads, and gensim's own
  builder on as many words as it does in the time given;
- the ten best of a million sentences under edit distances up to 2, ours alone.

DIR/bench holds the sentences, DIR/corpus/en.txt.zst the text that `sentences.py` makes a million of.
"""

import argparse
import csv
import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
COMMAND = os.path.join(ROOT, "target/release/likewise")
SPEED = os.path.join(ROOT, "target/release/examples/search_speed")
EDIT = "soft-cosine(terms=edit(form=square, max=2), min=0.3)"


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def run(command, threads=1):
    """What a command prints, and the processor time it took."""
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    began = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        sys.exit(f"{command} failed:\n{done.stderr}")
    ended = os.times()
    spent = ended.children_user + ended.children_system - began.children_user - began.children_system
    return done.stdout, spent, done.stderr


def sentences(options, count, queries=False):
    """Sentences as words with blanks between them."""
    name = f"sentences_{count}{'_q' if queries else ''}.tsv.gz"
    with gzip.open(os.path.join(options.data, "bench", name), "rt", encoding="utf-8") as file:
        return [" ".join(words(line.rstrip("\n").split("\t")[-1])) for line in file]


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        for number, line in enumerate(lines):
            file.write(f"{number}\t{line}\n")
    return path


def beside_gensim(options):
    from gensim.corpora import Dictionary
    from gensim.models import TfidfModel
    from gensim.similarities import LevenshteinSimilarityIndex, SoftCosineSimilarity, SparseTermSimilarityMatrix

    texts, queries = sentences(options, 20_000), sentences(options, 20_000, queries=True)
    queries = queries[: options.queries]
    documents = [text.split() for text in texts]
    began = time.process_time()
    dictionary = Dictionary(documents)
    tfidf = TfidfModel(dictionary=dictionary)
    # Its own alpha of 1.8 makes long words more alike than a word is like itself.
    edits = LevenshteinSimilarityIndex(dictionary, alpha=1.0)
    matrix = SparseTermSimilarityMatrix(edits, dictionary, tfidf, nonzero_limit=100)
    theirs_matrix = time.process_time() - began
    index = SoftCosineSimilarity(tfidf[[dictionary.doc2bow(d) for d in documents]], matrix, num_best=10)
    # Words that it does not know it leaves out; so that scores can be compared, neither side gets them.
    known = [" ".join(word for word in query.split() if word in dictionary.token2id) for query in queries]
    asked = [query for query in known if query][: options.peer_queries]
    bags = [tfidf[dictionary.doc2bow(query.split())] for query in asked]
    began = time.process_time()
    for bag in bags:
        index[bag]
    theirs = (time.process_time() - began) / len(asked) * 1e3
    # Asked one by one, it takes the length of a sentence over the words near the query only, and ranks by that. Asked all at
    # once it computes what the formula says: that is what rankings are compared with.
    began = time.process_time()
    answers = list(index[bags])
    at_once = (time.process_time() - began) / len(asked) * 1e3

    pairs = os.path.join(options.work, "gensim-pairs.csv")
    entries = matrix.matrix.tocoo()
    with open(pairs, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["feature1", "feature2", "similarity"])
        for i, j, value in zip(entries.row, entries.col, entries.data):
            if i < j:
                table.writerow([dictionary[int(i)], dictionary[int(j)], repr(float(value))])
    measure = f'soft-cosine(terms=table("{pairs}"))'
    table = write_lines(os.path.join(options.work, "soft_20000.tsv"), texts)
    asked_file = write_lines(os.path.join(options.work, "soft_20000_q.tsv"), queries)
    ours = json.loads(run([SPEED, table, asked_file, str(len(queries)), measure])[0])

    # The same ranking: their scores are four-byte numbers, so rows may change places only where scores are that near.
    plain = os.path.join(options.work, "soft_queries.txt")
    with open(plain, "w", encoding="utf-8") as file:
        file.write("".join(query + "\n" for query in asked))
    texts_file = os.path.join(options.work, "soft_texts.txt")
    with open(texts_file, "w", encoding="utf-8") as file:
        file.write("".join(text + "\n" for text in texts))
    command = [COMMAND, "--quiet", "search", texts_file, "--queries", plain, "-k", "10", "--json", "-m", measure]
    found = {}
    for line in run(command, 2)[0].splitlines():
        hit = json.loads(line)
        found.setdefault(int(hit["query"]), []).append((int(hit["id"]) - 1, hit["score"]))
    same = near = 0
    for number, answer in enumerate(answers):
        mine = found.get(number + 1, [])
        same += [row for row, _ in mine] == [row for row, _ in answer]
        near += len(mine) == len(answer) and all(abs(x[1] - y[1]) < 1e-5 for x, y in zip(mine, answer))
    print(f"20,000 sentences, gensim's matrix: gensim {theirs:.1f} ms a query, ours {ours['cpu_ms']:.3f} ms, "
          f"ratio {theirs / ours['cpu_ms']:.0f}  (asked >= 100, goal 1,000); gensim with {len(asked)} queries "
          f"in one call {at_once:.1f} ms, ratio {at_once / ours['cpu_ms']:.0f}")
    print(f"  of {len(answers)} rankings {same} are the same row by row, {near} the same score by score to 1e-5")
    built = json.loads(run([SPEED, table, asked_file, str(len(queries)), EDIT])[0])
    print(f"  matrix and index: gensim {theirs_matrix:.1f} CPU s for the matrix, "
          f"ours {built['build_cpu_s']:.1f} CPU s for both ({EDIT}); {built['cpu_ms']:.3f} ms a query")


def builder(options):
    counts = Counter()
    million = os.path.join(options.work, "sentences_1000000.tsv")
    with open(million, encoding="utf-8") as file:
        for line in file:
            counts.update(word for word in words(line.split("\t", 1)[-1]) if not word.isdigit())
    most = [word for word, _ in counts.most_common(100_000)]
    path = os.path.join(options.work, "vocabulary.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(word + "\n" for word in most))
    saved = os.path.join(options.work, "edit.lws")
    began = time.perf_counter()
    _, spent, note = run([COMMAND, "matrix", "build", path, "--terms", "edit(max=2)", "-o", saved], 2)
    wall = time.perf_counter() - began
    print(f"matrix of edit distances up to 2 over 100,000 words, two threads: {wall:.1f} s, {spent:.1f} CPU s "
          f"(asked <= 20 s) [{note.strip()}]")
    all_pairs(most, saved)
    from gensim.corpora import Dictionary
    from gensim.similarities import LevenshteinSimilarityIndex

    dictionary = Dictionary([most])
    began = time.process_time()
    index = LevenshteinSimilarityIndex(dictionary, max_distance=2)
    prepared = time.process_time() - began
    began, done = time.process_time(), 0
    for word in most[:: max(1, len(most) // 2000)]:
        sum(1 for _ in index.most_similar(word, topn=len(most)))
        done += 1
        if time.process_time() - began > options.budget:
            break
    each = (time.process_time() - began) / done
    print(f"  gensim's builder: {prepared:.1f} CPU s to begin, then {each * 1e3:.1f} ms a word over {done} words: "
          f"about {prepared + each * len(most):.0f} CPU s for all, ratio {(prepared + each * len(most)) / spent:.0f}")


def all_pairs(vocabulary, saved):
    """Of a thousand words all neighbours, by comparing each with every word."""
    import numpy as np
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    asked = vocabulary[:: len(vocabulary) // 1000][:1000]
    found = {word: {} for word in asked}
    for line in run([COMMAND, "matrix", "show", saved, *asked])[0].splitlines():
        word, other, similarity = line.split("\t")
        found[word][other] = round(1 / float(similarity)) - 1
    differ = neighbours = 0
    for word in asked:
        distances = cdist([word], vocabulary, scorer=Levenshtein.distance, score_cutoff=2, dtype=np.uint8)[0]
        near = {vocabulary[at]: int(distances[at]) for at in np.flatnonzero(distances <= 2)}
        near.pop(word)
        neighbours += len(near)
        differ += near != found[word]
    print(f"  of 1,000 words compared with all 100,000 by rapidfuzz, {differ} have other neighbours ({neighbours} in all)")


def million(options):
    table = os.path.join(options.work, "sentences_1000000.tsv")
    queries = os.path.join(options.work, "sentences_1000000_q.tsv")
    ours = json.loads(run([SPEED, table, queries, str(options.queries), EDIT])[0])
    print(f"1,000,000 sentences, {EDIT}: {ours['cpu_ms']:.1f} ms a query (asked <= 20 ms), first result after "
          f"{ours['first_ms']:.1f} ms, build {ours['build_cpu_s']:.0f} CPU s, peak {ours['peak_mb']} MB, "
          f"{ours['scored']:.0f} of a million scored")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--peer-queries", type=int, default=30)
    parser.add_argument("--budget", type=float, default=60, help="seconds for gensim's builder")
    parser.add_argument("--skip", action="append", default=[], choices=["gensim", "builder", "million"])
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    build = "cargo build --quiet --release -p likewise-cli".split()
    subprocess.run(build, check=True, cwd=ROOT)
    build = "cargo build --quiet --release -p likewise --all-features --example search_speed".split()
    subprocess.run(build, check=True, cwd=ROOT)
    if not os.path.exists(os.path.join(options.work, "sentences_1000000.tsv")):
        corpus = os.path.join(options.data, "corpus/en.txt.zst")
        subprocess.run([sys.executable, os.path.join(HERE, "sentences.py"), corpus, options.work], check=True)
    if "gensim" not in options.skip:
        beside_gensim(options)
    if "builder" not in options.skip:
        builder(options)
    if "million" not in options.skip:
        million(options)


if __name__ == "__main__":
    main()
