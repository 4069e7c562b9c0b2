"""Can a spectrum of q-grams be fixed beforehand? Leave one set out.

    python benches/spectra.py --data DIR [--likewise PROGRAM] [--measure 'sc(q=1:8)']

For each record-matching set of DIR/er: the spectrum [from:to] with the highest mean IAP on all *other* sets, its IAP on this set, that of the default,
and that of the best spectrum of this set, which nobody knows beforehand.
"""

import argparse
import json
import os
import subprocess

SETS = ["birds-scott1", "birds-scott2", "birds-kunkel", "birds-nybird", "business", "census", "demos", "parks", "restaurant", "ucd-people", "va-univ", "abt-buy", "animal"]


def run(program, folder, *arguments):
    command = [program, "--quiet", "eval", "match", folder, "--json", *arguments]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def spectrum(measure):
    return measure.split("q=")[1].split(",")[0].split(")")[0]


def best(means):
    return max(means, key=lambda q: means[q])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"), required="LIKEWISE_DATA" not in os.environ)
    parser.add_argument("--likewise", default="target/release/likewise")
    parser.add_argument("--measure", default="sc(q=1:8)")
    options = parser.parse_args()
    found, default = {}, None
    for name in SETS:
        folder = os.path.join(options.data, "er", name)
        found[name] = {spectrum(one["measure"]): one["iap"] for one in run(options.likewise, folder, "--sweep", options.measure)}
        default = spectrum(run(options.likewise, folder, "-m", options.measure.split("(")[0])[0]["measure"])
    mean = lambda q, names: sum(found[name][q] for name in names) / len(names)
    spectra = list(found[SETS[0]])
    print(f"| set | chosen on the others | IAP | default [{default}] | best of this set | IAP |")
    print("|---|---|---:|---:|---|---:|")
    rows = []
    for name in SETS:
        others = [other for other in SETS if other != name]
        chosen = best({q: mean(q, others) for q in spectra})
        own = best(found[name])
        rows.append((found[name][chosen], found[name][default], found[name][own]))
        print(f"| {name} | [{chosen}] | {rows[-1][0]:.3f} | {rows[-1][1]:.3f} | [{own}] | {rows[-1][2]:.3f} |")
    chosen, fixed, own = (sum(column) / len(rows) for column in zip(*rows))
    print(f"| **mean** | | **{chosen:.3f}** | **{fixed:.3f}** | | **{own:.3f}** |")
    single = best({q: mean(q, SETS) for q in spectra if ":" not in q or len(set(q.split(':'))) == 1})
    whole = best({q: mean(q, SETS) for q in spectra})
    print(f"\nBest on all sets: [{whole}] {mean(whole, SETS):.3f}; best single q: [{single}] {mean(single, SETS):.3f}.")


if __name__ == "__main__":
    main()
