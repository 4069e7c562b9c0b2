#!/usr/bin/env python3
"""The Chinese parser of docs/syntax.md: treebanks in Simplified script, trained, scored on GSD.

    pip install opencc-python-reimplemented
    python benches/chinese_parser.py --data DIR --command target/release/likewise -o zh.lwp
"""

import argparse
import os
import subprocess
import tempfile

import opencc


def simplified(path):
    """Forms and lemmas in Simplified script, word by word; the raw text is left out, as it would not fit them any more."""
    convert = opencc.OpenCC("t2s").convert
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 10:
                fields[1], fields[2] = convert(fields[1]), convert(fields[2])
                yield "\t".join(fields) + "\n"
            elif not line.startswith("# text"):
                yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--command", default="likewise")
    parser.add_argument("-o", "--output", default="zh.lwp")
    given = parser.parse_args()
    bank = lambda *names: os.path.join(given.data, "treebank", *names)
    with tempfile.NamedTemporaryFile("w", suffix=".conllu", encoding="utf-8") as file:
        for name in ("zh_pud", "zh_hk"):
            file.writelines(simplified(bank(name, "all.conllu")))
        with open(bank("zh_cfl", "all.conllu"), encoding="utf-8") as plain:
            file.write(plain.read())
        file.flush()
        subprocess.run([given.command, "parse", "train", file.name, "--dev", bank("zh_gsdsimp", "dev.conllu"), "-o", given.output,
                        "--language", "zh", "--epochs", "24", "--token-epochs", "20"], check=True)
    for gold in ([], ["--gold-tokens"]):
        subprocess.run([given.command, "parse", "eval", bank("zh_gsdsimp", "test.conllu"), "--model", given.output, "--json", *gold], check=True)


if __name__ == "__main__":
    main()
