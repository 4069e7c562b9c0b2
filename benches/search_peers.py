#!/usr/bin/env python3
"""One peer, measured once, in a process of its own; `search.py` runs it and reads the JSON object it prints.

    python benches/search_peers.py tantivy-grams|tantivy-words|bm25s TABLE QUERIES COUNT
    python benches/search_peers.py string-grouper|string-grouper+token-sort TABLE

The figures are named as those of the examples `search_speed` and `join_speed`. Texts are lower-cased before any
clock starts; cutting the queries into words or grams counts, as it does for us.
"""

import json
import re
import statistics
import sys
import time
from collections import Counter


def read_table(path):
    """Texts and keys: the key is the second column of names (of four), the first of two columns."""
    texts, keys = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            keys.append(int(fields[1] if len(fields) > 2 else fields[0]))
            texts.append(fields[-1].lower())
    return texts, keys


def peak_mb():
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) // 1024


class Clock:
    """Time since it was made, in seconds: on the wall, and of processors, all threads."""

    def __init__(self):
        self.start = time.perf_counter(), time.process_time()

    def wall(self):
        return time.perf_counter() - self.start[0]

    def cpu(self):
        return time.process_time() - self.start[1]


# Top 10: each of these builds its index and gives a function from queries to rows, best first.


def tantivy_index(texts, tokenizer, analyzer=None):
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", stored=False, tokenizer_name=tokenizer)
    schema.add_unsigned_field("row", stored=True)
    index = tantivy.Index(schema.build())
    if analyzer:
        index.register_tokenizer(tokenizer, analyzer)
    writer = index.writer(heap_size=400_000_000, num_threads=1)
    for row, text in enumerate(texts):
        document = tantivy.Document()
        document.add_text("text", text)
        document.add_unsigned("row", row)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def tantivy_rows(searcher, query):
    hits = searcher.search(query, limit=10, count=False).hits
    return [searcher.doc(address)["row"][0] for _, address in hits]


def tantivy_grams(texts):
    """BM25 over the character 3-grams of whole texts, blanks included."""
    from tantivy import Occur, Query, TextAnalyzerBuilder, Tokenizer

    analyzer = TextAnalyzerBuilder(Tokenizer.ngram(3, 3, False)).build()
    index = tantivy_index(texts, "grams", analyzer)
    searcher = index.searcher()

    def search(text):
        grams = sorted({text[at : at + 3] for at in range(max(1, len(text) - 2))})
        terms = [(Occur.Should, Query.term_query(index.schema, "text", gram)) for gram in grams]
        return tantivy_rows(searcher, Query.boolean_query(terms))

    return search


def tantivy_words(texts):
    """BM25 over words."""
    index = tantivy_index(texts, "default")
    searcher = index.searcher()
    word = re.compile(r"[^\W_]+")

    def search(text):
        words = " ".join(word.findall(text))
        return tantivy_rows(searcher, index.parse_query(words, ["text"])) if words else []

    return search


def bm25s(texts):
    """BM25 over words, with numba: all queries in one call."""
    import bm25s as library

    words = library.tokenize(texts, stopwords=None, show_progress=False)
    index = library.BM25(backend="numba")
    index.index(words, show_progress=False)

    def search_all(queries):
        words = library.tokenize(queries, stopwords=None, show_progress=False, return_ids=False)
        rows, scores = index.retrieve(words, k=10, show_progress=False, n_threads=0)
        return [found[score > 0].tolist() for found, score in zip(rows, scores)]

    return search_all


def one_by_one(search, queries):
    """What is found, and the median time of a query in seconds."""
    found, times = [], []
    for query in queries:
        clock = Clock()
        found.append(search(query))
        times.append(clock.wall())
    return found, statistics.median(times)


def all_at_once(search_all, queries):
    return search_all(queries), None


def measure_search(build, ask, table, queries, count):
    texts, keys = read_table(table)
    queries, golds = (column[: int(count)] for column in read_table(queries))
    clock = Clock()
    search = build(texts)
    figures = {"build_cpu_s": clock.cpu(), "build_wall_s": clock.wall()}
    if ask is all_at_once:
        search(queries[:2])  # numba compiles
    clock = Clock()
    found, median = ask(search, queries)
    figures["cpu_ms"] = clock.cpu() * 1000 / len(queries)
    figures["all_ms"] = median and median * 1000
    right = [[keys[row] == gold for row in rows] for rows, gold in zip(found, golds)]
    figures["r1"] = sum(any(hits[:1]) for hits in right) / len(right)
    figures["r10"] = sum(any(hits) for hits in right) / len(right)
    return figures


# All pairs: each of these gives left rows, right rows and scores.


def string_grouper(texts, least=0.5):
    """Cosine of TF-IDF over character 3-grams; of each row the 20 nearest."""
    import pandas
    from string_grouper import StringGrouper

    options = dict(min_similarity=least, max_n_matches=20, number_of_processes=1)
    found = StringGrouper(pandas.Series(texts), **options).fit().get_matches()
    found = found[found["left_index"] < found["right_index"]]
    return found["left_index"].values, found["right_index"].values, found["similarity"].values


def string_grouper_token_sort(texts):
    """The pairs of string_grouper, a few more of them, scored by the mean of its score and token_sort_ratio."""
    import numpy
    from rapidfuzz import fuzz, process

    left, right, scores = string_grouper(texts, 0.4)
    sides = [texts[row] for row in left], [texts[row] for row in right]
    sorts = process.cpdist(*sides, scorer=fuzz.token_sort_ratio, workers=1, dtype=numpy.float32)
    return left, right, (sorts / 100 + scores) / 2


def best_f1(pairs, keys):
    """The best F1 of all thresholds, and the threshold; pairs that score the same stay together."""
    gold = sum(size * (size - 1) // 2 for size in Counter(keys).values())
    ranked = sorted(pairs, key=lambda pair: -pair[2])
    right, best = 0, (0.0, 0.0)
    for taken, (one, other, score) in enumerate(ranked, 1):
        right += keys[one] == keys[other]
        if taken == len(ranked) or ranked[taken][2] < score:
            best = max(best, (2 * right / (taken + gold), score))
    return best


def measure_join(join, table):
    texts, keys = read_table(table)
    clock = Clock()
    columns = join(texts)
    figures = {"wall_s": clock.wall(), "cpu_s": clock.cpu(), "peak_mb": peak_mb()}
    pairs = list(zip(*(column.tolist() for column in columns)))
    f1, at = best_f1(pairs, keys)
    return figures | {"pairs": len(pairs), "f1": f1, "at": at, "rows": len(texts)}


SEARCHES = {
    "tantivy-grams": (tantivy_grams, one_by_one),
    "tantivy-words": (tantivy_words, one_by_one),
    "bm25s": (bm25s, all_at_once),
}
JOINS = {"string-grouper": string_grouper, "string-grouper+token-sort": string_grouper_token_sort}


def main():
    peer, *paths = sys.argv[1:]
    if peer in SEARCHES:
        figures = measure_search(*SEARCHES[peer], *paths)
    else:
        figures = measure_join(JOINS[peer], *paths)
    print(json.dumps({"peak_mb": peak_mb()} | figures))


if __name__ == "__main__":
    main()
