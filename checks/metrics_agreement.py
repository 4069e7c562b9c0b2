"""Do the metrics agree with independent implementations?

    python -m venv .venv
    .venv/bin/pip install numpy scipy scikit-learn ir-measures pyNTCIREVAL
    .venv/bin/python checks/metrics_agreement.py [--cases 600] [--seed 1]

Random cases go to `cargo run --example metric_lines` and to the packages:

  ir-measures (trec_eval)  AP, RR, P@k, R@k, nDCG@k, IPrec@r; MAP and MRR by their means
  ir-measures (gdeval)     ERR@k and nDCG@k with gain 2^g - 1 (needs perl; prints five
                           decimals only, hence the wider tolerance)
  pyNTCIREVAL              ERR, nERR@k, P+, nDCG@k with either gain
  scikit-learn             average precision, best F1, cuts at a threshold, nDCG with ties
  scipy                    Pearson, Spearman, Kendall, with ties

Tied documents are left out where a package orders them in a way of its own.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import warnings
from collections import Counter
from fractions import Fraction

import ir_measures
import numpy as np
import scipy.stats
import sklearn.metrics
from ir_measures import AP, ERR, IPrec, P, R, RR, nDCG
from pyNTCIREVAL.metrics import ERR as NtcirERR
from pyNTCIREVAL.metrics import MSnDCG, PPlusMeasure, nERR

CLOSE = 1e-9
FIVE_DECIMALS = 1.01e-5
LEVELS = [f"{tenth / 10:.1f}" for tenth in range(11)]


class Tally:
    """Counts comparisons by name and shows the first few that fail."""

    def __init__(self):
        self.passed, self.failed = Counter(), Counter()

    def compare(self, name, ours, theirs, tolerance=CLOSE, case=None):
        if theirs is None or ours is None:
            same = ours is None and theirs is None
        else:
            same = math.isclose(ours, theirs, rel_tol=0, abs_tol=tolerance)
        (self.passed if same else self.failed)[name] += 1
        if not same and self.failed[name] <= 3:
            print(f"DIFFERS {name}: ours {ours!r}, theirs {theirs!r}\n  {json.dumps(case)[:400]}")

    def finish(self):
        for name in sorted(self.passed | self.failed):
            print(f"  {name:44} {self.passed[name]:6} passed {self.failed[name]:4} failed")
        passed, failed = self.passed.total(), self.failed.total()
        print(f"{passed} passed, {failed} failed")
        return 1 if failed or not passed else 0


# The program that answers; set by --binary.
PROGRAM = ["cargo", "run", "--quiet", "--release", "-p", "likewise", "--all-features", "--example", "metric_lines"]


def ours(cases):
    """Our results, one for each case."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    command = PROGRAM
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run(command, cwd=root, input=lines, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def random_query(rng, highest, ties=False):
    found = int(rng.integers(1, 40))
    scores = rng.integers(0, 6, found) / 4 if ties else rng.permutation(found * 3)[:found] / 7
    weights = rng.dirichlet(np.ones(highest + 1) * 0.7)
    return {
        "scores": scores.tolist(),
        "grades": rng.choice(highest + 1, found, p=weights).tolist(),
        "missed": rng.choice(highest + 1, int(rng.integers(0, 8)), p=weights).tolist(),
    }


def judged(query):
    return any(query["grades"] + query["missed"])


def as_trec(queries):
    """Judgements and runs with numeric query names, which gdeval insists on."""
    qrels, run = [], []
    for number, query in enumerate(queries):
        for place, (score, grade) in enumerate(zip(query["scores"], query["grades"])):
            qrels.append(ir_measures.Qrel(str(number + 1), f"d{place}", grade))
            run.append(ir_measures.ScoredDoc(str(number + 1), f"d{place}", score))
        for place, grade in enumerate(query["missed"]):
            qrels.append(ir_measures.Qrel(str(number + 1), f"m{place}", grade))
    return qrels, run


def by_query(measures, queries):
    qrels, run = as_trec(queries)
    values = {}
    for value in ir_measures.iter_calc(measures, qrels, run):
        values[int(value.query_id) - 1, value.measure] = value.value
    return values


def trec_eval_rounds_well(tenth, relevant):
    """Whether trec_eval asks for the right number of documents at a level of recall.

    It takes int(level * relevant + 0.9) in floats: for 0.7 of 3 that is 2 instead of 3.
    """
    return int(tenth / 10 * relevant + 0.9) == -(-tenth * relevant // 10)


def check_queries(tally, rng, count):
    """trec_eval by way of ir-measures, for several cut-offs."""
    for k in (1, 3, 5, 10, 20):
        queries = []
        while len(queries) < count:
            query = random_query(rng, 4)
            if judged(query):
                queries.append(query)
        results = ours([{"kind": "query", "query": q, "k": k, "highest": 4} for q in queries])
        exact = {"AP": AP, "RR": RR, "P": P @ k, "R": R @ k, "nDCG": nDCG @ k}
        levels = [IPrec @ float(level) for level in LEVELS]
        theirs = by_query([*exact.values(), *levels], queries)
        for i, (query, result) in enumerate(zip(queries, results)):
            for name, measure in exact.items():
                tally.compare(f"ir-measures {name}", result[name], theirs[i, measure], case=query)
            relevant = sum(grade > 0 for grade in query["grades"] + query["missed"])
            for tenth, measure in enumerate(levels):
                if trec_eval_rounds_well(tenth, relevant):
                    value = result["interpolated"][tenth]
                    tally.compare("ir-measures IPrec", value, theirs[i, measure], case=query)
        if shutil.which("perl"):
            rounded = {"ERR": ERR @ k, "nDCG exponential": nDCG(dcg="exp-log2") @ k}
            theirs = by_query(rounded.values(), queries)
            for i, (query, result) in enumerate(zip(queries, results)):
                for name, measure in rounded.items():
                    value = theirs.get((i, measure), 0.0)
                    tally.compare(f"gdeval {name}", result[name], value, FIVE_DECIMALS, query)


def check_means(tally, rng, count):
    cases = []
    for _ in range(count):
        queries = [random_query(rng, 2) for _ in range(int(rng.integers(1, 6)))]
        if any(map(judged, queries)):
            cases.append({"kind": "queries", "queries": queries})
    for case, result in zip(cases, ours(cases)):
        theirs = by_query([AP, RR], [q for q in case["queries"] if judged(q)])
        for name, measure in (("map", AP), ("mrr", RR)):
            values = [value for (_, m), value in theirs.items() if m == measure]
            tally.compare(f"ir-measures {name.upper()}", result[name], float(np.mean(values)), case=case)


def check_graded(tally, rng, count):
    """pyNTCIREVAL, the reference for P+ and nERR."""
    cases = []
    while len(cases) < count:
        highest = int(rng.integers(1, 5))
        query = random_query(rng, highest)
        if judged(query):
            k = int(rng.integers(1, 25))
            cases.append({"kind": "query", "query": query, "k": k, "highest": highest})
    for case, result in zip(cases, ours(cases)):
        query, k, highest = case["query"], case["k"], case["highest"]
        order = np.argsort(-np.array(query["scores"]))
        ranked = [(f"d{i}", query["grades"][i]) for i in order]
        counts = Counter(query["grades"] + query["missed"])
        per_level = [counts[level] for level in range(highest + 1)]
        exponential = [2**g - 1 for g in range(1, highest + 1)]
        linear = list(range(1, highest + 1))
        theirs = {
            "ERR": NtcirERR(per_level, exponential),
            "nERR": nERR(per_level, exponential, k),
            "nERR linear": nERR(per_level, linear, k),
            "P+": PPlusMeasure(per_level, exponential, 1.0),
            "P+ linear": PPlusMeasure(per_level, linear, 1.0),
            "nDCG": MSnDCG(per_level, linear, k),
            "nDCG exponential": MSnDCG(per_level, exponential, k),
        }
        theirs["ERR"].cutoff = k
        for name, metric in theirs.items():
            tally.compare(f"pyNTCIREVAL {name}", result[name], float(metric.compute(ranked)), case=case)


def check_tied_ndcg(tally, rng, count):
    """scikit-learn averages nDCG over the orders of ties, as we do; it knows no missed ones."""
    cases = []
    while len(cases) < count:
        query = random_query(rng, 3, ties=True)
        query["missed"] = []
        if judged(query) and len(query["scores"]) > 1:
            cases.append({"kind": "query", "query": query, "k": int(rng.integers(1, 12)), "highest": 3})
    for case, result in zip(cases, ours(cases)):
        scores, grades = [case["query"]["scores"]], np.array([case["query"]["grades"]])
        for name, gains in (("nDCG", grades), ("nDCG exponential", 2**grades - 1)):
            value = sklearn.metrics.ndcg_score(gains, scores, k=case["k"])
            tally.compare(f"scikit-learn {name}, ties", result[name], value, case=case)


def check_pairs(tally, rng, count):
    cases = []
    for _ in range(count):
        n = int(rng.integers(2, 200))
        # Nine decimals: serde_json reads longer ones a last bit off, which moves thresholds.
        scores = rng.integers(0, 12, n) / 8 if rng.random() < 0.5 else rng.random(n).round(9)
        relevant = rng.random(n) < 0.3 * rng.random() + 0.3 * scores
        relevant[int(rng.integers(n))] = True
        cases.append({
            "kind": "pairs",
            "scores": scores.tolist(),
            "relevant": relevant.tolist(),
            "total_relevant": int(relevant.sum()),
            "threshold": float(rng.choice(scores)) if rng.random() < 0.5 else float(rng.random()),
        })
    for case, result in zip(cases, ours(cases)):
        scores, relevant = np.array(case["scores"]), np.array(case["relevant"])
        called = scores >= case["threshold"]
        precisions, recalls, _ = sklearn.metrics.precision_recall_curve(relevant, scores)
        f1 = sklearn.metrics.f1_score(relevant, scores >= result["best_threshold"])
        best = max(2 * p * r / (p + r) for p, r in zip(precisions, recalls) if p + r)
        best_accuracy = sklearn.metrics.accuracy_score(relevant, scores >= result["best_threshold"])
        theirs = {
            "ap": sklearn.metrics.average_precision_score(relevant, scores),
            "best_f1": best,
            "best_accuracy": best_accuracy,
            "precision": sklearn.metrics.precision_score(relevant, called, zero_division=0),
            "recall": sklearn.metrics.recall_score(relevant, called),
            "f1": sklearn.metrics.f1_score(relevant, called, zero_division=0),
            "accuracy": sklearn.metrics.accuracy_score(relevant, called),
        }
        tally.compare("scikit-learn F1 at our best threshold", result["best_f1"], f1, case=case)
        for name, value in theirs.items():
            tally.compare(f"scikit-learn {name}", result[name], float(value), case=case)
        # Interpolation over scikit-learn's own curve, in fractions.
        found, total = np.rint(recalls * relevant.sum()).astype(int), int(relevant.sum())
        # Its last point is an artificial (precision 1, recall 0).
        points = list(zip(precisions, found))[:-1]
        for tenth, value in enumerate(result["interpolated"]):
            reached = [p for p, f in points if Fraction(int(f), total) >= Fraction(tenth, 10)]
            tally.compare("scikit-learn curve, interpolated", value, max(reached, default=0.0), case=case)


def check_numbers(tally, rng, count):
    cases = []
    for _ in range(count):
        n = int(rng.integers(2, 120))
        if rng.random() < 0.5:
            xs, ys = rng.integers(0, 6, n).astype(float), rng.integers(0, 6, n) / 3
        else:
            xs = rng.normal(size=n) * 10 ** rng.uniform(-3, 3)
            ys = rng.normal(size=n) + rng.normal() * xs
        cases.append({"kind": "numbers", "xs": xs.tolist(), "ys": ys.tolist()})
    for case, result in zip(cases, ours(cases)):
        xs, ys = case["xs"], case["ys"]
        functions = {
            "pearson": scipy.stats.pearsonr,
            "spearman": scipy.stats.spearmanr,
            "kendall": scipy.stats.kendalltau,
        }
        for name, function in functions.items():
            value = float(function(xs, ys).statistic)
            tally.compare(f"scipy {name}", result[name], None if math.isnan(value) else value, case=case)


def check_answers(tally, rng, count):
    """No package has c@1; compare with its formula in exact fractions."""
    cases = []
    for _ in range(count):
        right, wrong, open_ = (int(x) for x in rng.integers(0, 50, 3))
        cases.append({"kind": "answers", "right": right, "open": open_, "questions": right + wrong + open_})
    for case, result in zip(cases, ours(cases)):
        right, open_, n = case["right"], case["open"], case["questions"]
        value = float((right + open_ * Fraction(right, n)) / n) if n else None
        tally.compare("formula c@1", result["c@1"], value, case=case)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--cases", type=int, default=600)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--binary", help="a built example `metric_lines`")
    options = arguments.parse_args()
    if options.binary:
        PROGRAM[:] = [os.path.abspath(options.binary)]
    # Constant input and empty predictions are part of the cases.
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(options.seed)
    tally = Tally()
    checks = [
        check_queries, check_means, check_graded, check_tied_ndcg,
        check_pairs, check_numbers, check_answers,
    ]
    for check in checks:
        check(tally, rng, options.cases)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
