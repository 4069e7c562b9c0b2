#!/usr/bin/env python3
"""Training word vectors beside gensim's word2vec: time, processor time, and agreement with human ratings, in one run.

    pip install gensim scipy zstandard
    cargo build --release -p likewise-cli
    python benches/word_vectors.py --data DIR [--threads 2] [--shards 1,4]

DIR/corpus/en.txt.zst is the text. Both train skip-gram with negative sampling: 100 dimensions, window 5, 5 words drawn, 5
epochs, words that occur 5 times. Words are runs of letters and digits with apostrophes inside, lower case, for both. The
ratings are WordSim-353 and SimLex-999, which come with gensim; the figure is Spearman's correlation over the pairs of which
both words have a vector.
"""

import argparse
import io
import os
import re
import resource
import subprocess
import tempfile
import time

import zstandard
from gensim.models import KeyedVectors, Word2Vec
from gensim.test.utils import datapath
from scipy.stats import spearmanr

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def lines(path):
    with open(path, "rb") as file:
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(file)
        yield from io.TextIOWrapper(reader, encoding="utf-8")


def ratings():
    """Name, and (word, word, rating) of each pair."""
    with open(datapath("wordsim353.tsv"), encoding="utf-8") as file:
        rows = [line.split("\t")[:3] for line in file if not line.startswith("#")]
    yield "WordSim-353", [(a.lower(), b.lower(), float(r)) for a, b, r in rows]
    with open(datapath("simlex999.txt"), encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if not line.startswith("#")]
    yield "SimLex-999", [(row[0].lower(), row[1].lower(), float(row[-1])) for row in rows if len(row) > 2]


def report(name, vectors, wall, cpu):
    figures = []
    for title, pairs in ratings():
        known = [(a, b, r) for a, b, r in pairs if a in vectors and b in vectors]
        found = spearmanr([vectors.similarity(a, b) for a, b, _ in known], [r for _, _, r in known])
        figures.append(f"{title} {found.statistic:.3f} ({len(known)} pairs)")
    print(f"{name}\t{wall:.0f} s\t{cpu:.0f} s of processor time\t{len(vectors)} words\t{', '.join(figures)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--shards", default="1", help="several, with commas, are several runs")
    parser.add_argument("--program", default=os.path.join(ROOT, "target/release/likewise"))
    parser.add_argument("--ours-only", action="store_true")
    options = parser.parse_args()
    if not options.data:
        parser.error("say where the data are: --data DIR, or LIKEWISE_DATA")
    corpus = os.path.join(options.data, "corpus/en.txt.zst")
    for shards in options.shards.split(","):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ours.txt")
            command = [options.program, "corpus", "vectors", corpus, "-o", path, "--quiet"]
            command += ["--threads", str(options.threads), "--shards", shards]
            start, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            wall = time.time() - start
            report(f"likewise, {shards} shards", KeyedVectors.load_word2vec_format(path), wall, cpu)
    if options.ours_only:
        return
    start, before = time.time(), time.process_time()
    texts = [WORD.findall(line.casefold()) for line in lines(corpus)]
    trained = Word2Vec(texts, vector_size=100, window=5, negative=5, epochs=5, min_count=5, sg=1, workers=options.threads, seed=1)
    report("gensim", trained.wv, time.time() - start, time.process_time() - before)


if __name__ == "__main__":
    main()
