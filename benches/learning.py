#!/usr/bin/env python3
"""The figures of docs/learning.md and docs/reproduction/rich-features.md, by the command alone.

    cargo build --release -p likewise-cli
    python benches/learning.py --data DIR WHAT [WHAT …]

WHAT is one of labelled (five sets of labelled record pairs), hundred (100 labels chosen by `label --answers`), half (models trained on
half of the left rows, whole tables), msrp, lcqmc, replies (LCCC), speed. Scratch files go to --work, a temporary folder without it.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SETS = ["abt-buy", "beer", "fodors-zagat", "rotten-imdb", "zomato-yelp"]
WHOLE = ["birds-scott2", "business", "parks", "restaurant", "census", "animal", "abt-buy"]
LEARNERS = ["forest", "svm"]
# Over words of one character, and over words by jieba.
WORDS = "analyzer=analyzer(tokens=jieba)"
REPLIES = (f"bm25, tfidf, overlap, idf-overlap, word-grams, rarest, length(form=both), embedding({WORDS}), char-1, char-2, char-3, "
           f"bm25({WORDS}), tfidf({WORDS})")
FEW = f"word-grams(q=1, head=1, {WORDS}), word-grams(q=1:2, {WORDS}), word-grams(q=1:2), embedding({WORDS})"
ALL_STEPS = "analyzer(urls=one, script=simplified, width=half, tokens=jieba, places=one)"


class Bench:
    def __init__(self, data, work, command):
        self.data, self.work, self.command = data, work, command

    def run(self, *arguments):
        """Standard output; progress and notes are left out."""
        done = subprocess.run([self.command, *map(str, arguments), "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"likewise {' '.join(map(str, arguments))}\n{done.stderr}")
        return done.stdout

    def path(self, *names):
        path = os.path.join(self.work, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def figures(self, *arguments):
        return json.loads(self.run(*arguments, "--json").splitlines()[0])


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        if path.endswith(".tsv"):
            names = next(file).rstrip("\n").split("\t")
            return [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]
        return list(csv.DictReader(file))


def write(path, rows, names):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def labelled(bench):
    for learner in LEARNERS:
        found = []
        for name in SETS:
            folder = os.path.join(bench.data, "er-labelled", name)
            part = lambda file: os.path.join(folder, file)
            model = bench.path(f"{name}-{learner}.lwm")
            bench.run("train", "--left", part("tableA.csv"), "--right", part("tableB.csv"), "--pairs", part("train.csv"),
                      "--valid", part("valid.csv"), "--learner", learner, "-o", model)
            f = bench.figures("eval", "match", folder, "--model", model)
            found.append(f["f1"])
            print(f"{name}\t{learner}\tF1 {f['f1']:.3f} ({f['f1_low']:.3f} to {f['f1_high']:.3f})\tprecision {f['precision']:.3f}"
                  f"\trecall {f['recall']:.3f}", flush=True)
        print(f"mean\t{learner}\tF1 {sum(found) / len(found):.3f}", flush=True)


def hundred(bench):
    folder = os.path.join(bench.data, "er-labelled", "abt-buy")
    part = lambda file: os.path.join(folder, file)
    tables = ["--left", part("tableA.csv"), "--right", part("tableB.csv")]
    found = []
    for seed in range(1, 6):
        labels, model = bench.path(f"labels-{seed}.csv"), bench.path(f"hundred-{seed}.lwm")
        if os.path.exists(labels):
            os.remove(labels)
        bench.run("label", *tables, "--answers", part("train.csv"), "-n", 100, "--seed", seed, "-o", labels)
        bench.run("train", *tables, "--pairs", labels, "--seed", seed, "-o", model)
        found.append(bench.figures("eval", "match", folder, "--model", model)["f1"])
        print(f"abt-buy\t100 labels\tseed {seed}\tF1 {found[-1]:.3f}", flush=True)
    print(f"mean\t{sum(found) / len(found):.3f}", flush=True)


def half(bench):
    means = [0.0, 0.0]
    for name in WHOLE:
        folder = os.path.join(bench.data, "er", name)
        left, right = table(os.path.join(folder, "left.csv")), table(os.path.join(folder, "right.csv"))
        matches = table(os.path.join(folder, "matches.csv"))
        for odd in (0, 1):
            ids = {row["id"] for at, row in enumerate(left) if at % 2 == odd}
            part = bench.path(name, str(odd), "left.csv")
            write(part, [row for row in left if row["id"] in ids], ["id", "text"])
            write(part.replace("left.csv", "right.csv"), right, ["id", "text"])
            write(part.replace("left.csv", "matches.csv"), [m for m in matches if m["left_id"] in ids], ["left_id", "right_id"])
        train, test = bench.path(name, "0", ""), bench.path(name, "1", "")
        model = bench.path(name, "half.lwm")
        bench.run("train", "--left", train + "left.csv", "--right", train + "right.csv", "--pairs", train + "matches.csv", "--pairs-left",
                  "left_id", "--pairs-right", "right_id", "--candidates", 10, "-o", model)
        learned = bench.figures("eval", "match", test, "--model", model)["f1"]
        default = bench.figures("eval", "match", test)["best_f1"]
        print(f"{name}\tmodel {learned:.3f}\tdefault measure, best threshold {default:.3f}", flush=True)
        means = [means[0] + learned / len(WHOLE), means[1] + default / len(WHOLE)]
    print(f"mean\tmodel {means[0]:.3f}\tdefault measure, best threshold {means[1]:.3f}", flush=True)


def pairs(bench, name, train, test, options, learners=LEARNERS):
    for learner in learners:
        model = bench.path(f"{name}-{learner}.lwm")
        bench.run("train", train, "--query", "sentence1", "--candidate", "sentence2", "--metric", "accuracy", "--learner", learner, "-o", model, *options)
        f = bench.figures("eval", "pairs", test, "--model", model)
        print(f"{name}\t{learner}\taccuracy {f['accuracy']:.4f}\tF1 {f['f1']:.4f}", flush=True)


def msrp(bench):
    folder = os.path.join(bench.data, "pairs", "msrp")
    pairs(bench, "msrp", os.path.join(folder, "train.tsv"), os.path.join(folder, "test.tsv"), [])


def lcqmc(bench):
    folder = os.path.join(bench.data, "zh", "lcqmc")
    part = lambda file: os.path.join(folder, file)
    vectors = ["--vectors", os.path.join(bench.data, "embeddings", "zh.txt.zst")]
    linear = ["svm(kernel=linear)"]
    pairs(bench, "lcqmc few", part("dev.tsv"), part("test.tsv"), ["--features", FEW, *vectors], linear)
    for features in ("lab0", "lab2"):
        pairs(bench, "lcqmc " + features, part("dev.tsv"), part("test.tsv"), ["--features", features, "--analyzer", ALL_STEPS, *vectors])


def opening(path):
    """Opening posts with their first replies; equal texts are one candidate."""
    rows = [row for row in table(path) if row["id"].endswith(".0")]
    replies = {}
    for row in rows:
        replies.setdefault(row["reply"], len(replies))
    return [(row["id"], row["post"], replies[row["reply"]]) for row in rows], list(replies)


def pool(bench, name, posts, replies):
    """A folder for `eval rank`."""
    corpus, queries = bench.path(name, "corpus.jsonl"), bench.path(name, "queries.jsonl")
    judgements = bench.path(name, "qrels", "test.tsv")
    with open(corpus, "w", encoding="utf-8") as file:
        for at, reply in enumerate(replies):
            print(json.dumps({"_id": str(at), "title": "", "text": reply}, ensure_ascii=False), file=file)
    with open(queries, "w", encoding="utf-8") as file:
        for name, post, _ in posts:
            print(json.dumps({"_id": name, "text": post}, ensure_ascii=False), file=file)
    with open(judgements, "w", encoding="utf-8") as file:
        print("query-id\tcorpus-id\tscore", file=file)
        for name, _, reply in posts:
            print(f"{name}\t{reply}\t1", file=file)
    return os.path.dirname(corpus)


def retrieved_pairs(bench, posts, replies, path, seed, others):
    """Training pairs: the true reply where it is among the 100 retrieved, and others of the 100."""
    chance = random.Random(seed)
    queries, found = bench.path("posts.jsonl"), bench.path("retrieved.jsonl")
    with open(queries, "w", encoding="utf-8") as file:
        for at, (_, post, _) in enumerate(posts):
            print(json.dumps({"number": at, "text": post}, ensure_ascii=False), file=file)
    texts = bench.path("replies.jsonl")
    with open(texts, "w", encoding="utf-8") as file:
        for at, reply in enumerate(replies):
            print(json.dumps({"number": at, "text": reply}, ensure_ascii=False), file=file)
    with open(found, "w", encoding="utf-8") as file:
        file.write(bench.run("search", texts, "--on", "text", "--id", "number", "--queries", queries, "--query-id", "number",
                             "--query-on", "text", "-m", "bm25", "-k", 100, "--json"))
    candidates = {}
    with open(found, encoding="utf-8") as file:
        for line in map(json.loads, file):
            candidates.setdefault(line["query"], []).append(line["id"])
    rows = []
    for at, (_, post, reply) in enumerate(posts):
        all_of = candidates.get(at, [])
        if reply not in all_of:
            continue
        rows.append({"query": post, "candidate": replies[reply], "label": 1})
        wrong = [other for other in all_of if other != reply]
        for other in chance.sample(wrong, min(others, len(wrong))):
            rows.append({"query": post, "candidate": replies[other], "label": 0})
    # A text may be asked twice, with two replies of which one is among the others of the first.
    right = {(row["query"], row["candidate"]) for row in rows if row["label"] == 1}
    seen, distinct = set(), []
    for row in rows:
        pair = (row["query"], row["candidate"])
        if pair not in seen and (row["label"] == 1 or pair not in right):
            distinct.append(row)
        seen.add(pair)
    write(path, distinct, ["query", "candidate", "label"])
    return len(distinct)


def show_ranks(found):
    for line in found.splitlines():
        f = json.loads(line)
        gain = lambda key: f"{f[key]:.4f}" + (f" ({f[key + '_gain_low']:+.4f} to {f[key + '_gain_high']:+.4f})" if key + "_gain_low" in f else "")
        shown = ["hit@1", "hit@5", "hit@10", "p@5", "ndcg@1", "p+", "nerr@10", "map", "mrr"]
        print("\t".join([os.path.basename(f["measure"].split("(")[0]), *[f"{key} {gain(key)}" for key in shown], f"recall@100 {f['recall@100']:.4f}"]), flush=True)


def replies(bench):
    folder = os.path.join(bench.data, "zh", "lccc")
    posts, texts = opening(os.path.join(folder, "valid.tsv"))
    pairs_file, fewer = bench.path("replies.csv"), bench.path("replies-fewer.csv")
    n = retrieved_pairs(bench, posts, texts, pairs_file, 1, 8)
    print(f"{len(posts)} posts for training, {len(texts)} replies, {n} pairs", flush=True)
    with open(pairs_file, encoding="utf-8") as every, open(fewer, "w", encoding="utf-8") as some:
        some.writelines(line for at, line in enumerate(every) if at <= 10000)
    # Turns that are no opening posts teach which words answer which.
    turns, table_of = bench.path("turns.csv"), bench.path("answers.tsv")
    later = [row for row in table(os.path.join(folder, "valid.tsv")) if not row["id"].endswith(".0")]
    write(turns, later, ["post", "reply"])
    bench.run("corpus", "translate", turns, "--on", "reply,post", "--both", "--iterations", 8, "--floor", 0.0001, "-o", table_of)
    own = REPLIES + f', translation(table="{table_of}", scale=log), translation(table="{table_of}", scale=share, self=0.3)'
    vectors = os.path.join(bench.data, "embeddings", "zh.txt.zst")
    models = []
    # Of the support vector machine the time grows with the square of the pairs: it has the first 10,000.
    for learner, file in [("forest(leaf=5)", pairs_file), ("svm", fewer)]:
        for name in ["lab0", "lab1", "lab2", "own"]:
            model = bench.path(f"{name}-{learner.split('(')[0]}.lwm")
            steps = [] if name == "own" else ["--analyzer", ALL_STEPS]
            parser = ["--parser", bench.parser] if bench.parser and name in ("lab1", "lab2") else []
            bench.run("train", file, "--features", own if name == "own" else name, "--vectors", vectors, "--learner", learner, "-o", model, *steps, *parser)
            models += ["--model", model]
    test = pool(bench, "replies", *opening(os.path.join(folder, "test.tsv")))
    show_ranks(bench.run("eval", "rank", test, "-m", "tfidf", *models, "--json"))


def speed(bench):
    folder = os.path.join(bench.data, "er-labelled", "abt-buy")
    rows = {side: {row["id"]: row for row in table(os.path.join(folder, f"table{side}.csv"))} for side in "AB"}
    text = lambda row: " ".join(row[name] for name in ("name", "description", "price"))
    labels = [row for part in ("train", "valid", "test") for row in table(os.path.join(folder, part + ".csv"))]
    many = (labels * 2)[:10000]
    listed = [{"left": text(rows["A"][row["ltable_id"]]), "right": text(rows["B"][row["rtable_id"]])} for row in many]
    path = bench.path("pairs.csv")
    write(path, listed, ["left", "right"])
    begin = time.time()
    bench.run("features", path, "--features", "records", "-o", bench.path("features.parquet"))
    print(f"features of 10,000 pairs of abt-buy, preset records: {time.time() - begin:.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="+", choices=["labelled", "hundred", "half", "msrp", "lcqmc", "replies", "speed"])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--work")
    parser.add_argument("--command", default=os.path.join(ROOT, "target", "release", "likewise"))
    parser.add_argument("--parser", help="a Chinese parser's model for the feature `dependency`, such as benches/chinese_parser.py makes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(given.data, given.work or scratch, given.command)
        bench.parser = given.parser
        for what in given.what:
            print(f"# {what}", flush=True)
            globals()[what](bench)


if __name__ == "__main__":
    main()
