"""Holds support vector machines to LIBSVM, on the model files that LIBSVM writes, to 1e-6.

LIBSVM (the package `libsvm-official`, by its authors) trains C-SVC with probability estimates and
epsilon-SVR, linear and RBF, with and without class weights, on random examples (fixed seed), and saves each
model. We read the file and predict. LIBSVM draws the folds of its probability estimates at random, so
that probabilities are compared on its own A and B.

    python checks/libsvm_agreement.py [--binary PATH of a built svm_lines]
"""

import argparse
import ctypes
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from libsvm import svmutil

SEED = 20110706
TOLERANCE = 1e-6


def examples(rng, n, width, noise):
    rows = [[rng.gauss(0, 1) if rng.random() < 0.8 else 0.0 for _ in range(width)] for _ in range(n)]
    weights = [rng.gauss(0, 1) for _ in range(width)]
    values = [sum(w * x for w, x in zip(weights, row)) + rng.gauss(0, noise) for row in rows]
    return rows, values


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, default=Path("target/debug/examples/svm_lines"))
    binary = parser.parse_args().binary
    rng = random.Random(SEED)
    cases, expected = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        for width, n in [(2, 60), (7, 200), (40, 300)]:
            rows, values = examples(rng, n, width, 0.5)
            labels = [int(v > 0.3) for v in values]
            for options in [
                "-t 2 -b 1",
                "-t 0 -b 1",
                "-t 2 -c 8 -g 0.05 -b 1",
                "-t 2 -w1 3 -w0 0.5 -b 1",
                "-t 0 -c 0.1",
                "-s 3 -t 2",
                "-s 3 -t 0 -c 0.5",
            ]:
                ratings = "-s 3" in options
                # The first example's label is LIBSVM's first class: both orders are tried.
                for flip in [False] if ratings else [False, True]:
                    targets = values if ratings else [1 - l if flip else l for l in labels]
                    model = svmutil.svm_train(targets, rows, options + " -q")
                    svmutil.svm_save_model(path, model)
                    # A file has eight digits of a support vector: LIBSVM predicts from the file, too.
                    model = svmutil.svm_load_model(path)
                    decisions, probabilities = [], []
                    for row in rows:
                        nodes, _ = svmutil.gen_svm_nodearray(row)
                        value = (ctypes.c_double * 1)()
                        svmutil.libsvm.svm_predict_values(model, nodes, value)
                        order = model.get_labels() if not ratings else [1, 0]
                        sign = 1 if order[0] > order[1] else -1
                        decisions.append(sign * value[0])
                        if "-b 1" in options:
                            both = (ctypes.c_double * 2)()
                            svmutil.libsvm.svm_predict_probability(model, nodes, both)
                            probabilities.append(both[0] if order[0] == 1 else both[1])
                        else:
                            probabilities.append(None)
                    cases.append(json.dumps({"model": Path(path).read_text(), "rows": rows}))
                    expected.append((options, decisions, probabilities))
    run = subprocess.run([binary], input="\n".join(cases) + "\n", text=True, capture_output=True, check=True)
    worst, compared = 0.0, 0
    for line, (options, decisions, probabilities) in zip(run.stdout.splitlines(), expected, strict=True):
        found = json.loads(line)
        pairs = list(zip(found["decisions"], decisions, strict=True))
        pairs += [(p, q) for p, q in zip(found["probabilities"], probabilities, strict=True) if q is not None]
        for ours, theirs in pairs:
            difference = abs(ours - theirs)
            worst, compared = max(worst, difference), compared + 1
            if not difference <= TOLERANCE:
                sys.exit(f"{options}: {ours} instead of {theirs}")
    print(f"{compared} decision values and probabilities of {len(cases)} models agree, the worst to {worst:.1e}")


if __name__ == "__main__":
    main()
