"""Duplicates of names found on Spark: that they are those of one machine, how long it takes, and what is shuffled.

    python benches/spark.py --data DIR [--rows 100000] [--min 0.8] [--master 'local[2]'] [--memory 6g] [--partitions N] [--alone]

DIR/bench/names_N.tsv.gz holds the names: number, cluster, kind, text; as many as `--rows` says are taken from the smallest file that has
them. With `--alone` the same call on one machine is run before, in a process of its own, and results are compared to the last digit.
Times are those of the wall, and what all processes together worked, from a written Parquet file to the result counted. Figures of stages are those that Spark's own interface tells.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import gzip
import itertools
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

import likewise
import likewise.spark

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "tests"))
import java


def names(data: Path, rows: int) -> pyarrow.Table:
    """So many names, with a number each."""
    size = next(size for size in (10_000, 100_000, 1_000_000) if size >= rows)
    with gzip.open(data / "bench" / f"names_{size}.tsv.gz", "rt", encoding="utf-8") as file:
        texts = [line.rstrip("\n").split("\t")[-1] for line in itertools.islice(file, rows)]
    return pyarrow.table({"id": pyarrow.array(range(len(texts)), pyarrow.int64()), "name": texts})


def one_machine(path: str, least: float, pairs: bool) -> tuple[pyarrow.Table, float, float, int]:
    """The result, seconds on the wall and of processors, and the most memory in MB."""
    began = time.perf_counter()
    found = pyarrow.table(likewise.dedupe(path, on="name", id="id", min=least, pairs=pairs))
    return found, time.perf_counter() - began, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


class Work:
    """What this process, Java, and Spark's Python workers work, looked up twice a second: those that are gone too, but for their last moments."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._ended = threading.Event()
        self._look()
        self._before = sum(self._seconds.values())
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._ended.wait(0.5):
            self._look()

    def _look(self) -> None:
        parents = {}
        found = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            process = int(path.parent.name)
            parents[process] = int(fields[1])
            found[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        own, many = {os.getpid()}, 0
        while many < len(own):
            many = len(own)
            own |= {process for process, parent in parents.items() if parent in own}
        self._seconds |= {process: found[process] for process in own if process in found}

    def seconds(self) -> float:
        """What was worked since."""
        self._ended.set()
        self._look()
        return sum(self._seconds.values()) - self._before


def stages(spark: Any, after: int) -> list[dict[str, Any]]:
    """What Spark tells of stages that were run, of those from a number on."""
    context = spark.sparkContext
    time.sleep(2)  # The interface is told a little later.
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages?status=complete"
    with urllib.request.urlopen(url) as answer:
        told: list[dict[str, Any]] = json.load(answer)
    return sorted((stage for stage in told if stage["stageId"] > after), key=lambda stage: stage["stageId"])


def tell(found: list[dict[str, Any]], rows: int) -> None:
    """Prints sums, and the stages that did most."""

    def sum_of(key: str) -> int:
        return sum(stage[key] for stage in found)

    run, cpu, shuffled = sum_of("executorRunTime") / 1e3, sum_of("executorCpuTime") / 1e9, sum_of("shuffleWriteBytes")
    spilled = sum_of("diskBytesSpilled")
    print(
        f"  {len(found)} stages, {sum_of('numTasks')} tasks, {run:.0f} s of tasks ({cpu:.0f} s of Java's); shuffled {shuffled / 1e6:.0f} MB, "
        f"{shuffled / rows:.0f} bytes a row, {sum_of('shuffleWriteRecords') / rows:.1f} records a row; spilled to disk {spilled / 1e6:.0f} MB"
    )
    most = sorted(found, key=lambda stage: -stage["executorRunTime"])[:8]
    for stage in sorted(most, key=lambda stage: stage["stageId"]):
        print(
            f"    stage {stage['stageId']:>4}: {stage['executorRunTime'] / 1000:>7.1f} s in {stage['numTasks']:>4} tasks, "
            f"read {stage['shuffleReadBytes'] / 1e6:>7.1f} MB ({stage['shuffleReadRecords']:,} records), "
            f"wrote {stage['shuffleWriteBytes'] / 1e6:>7.1f} MB ({stage['shuffleWriteRecords']:,} records)"
        )


def main() -> None:
    """Runs what the options say."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--min", type=float, default=0.8)
    options.add_argument("--master", default="local[2]")
    options.add_argument("--memory", default="6g")
    options.add_argument("--partitions", type=int)
    options.add_argument("--pairs", action="store_true", help="pairs, and not clusters")
    options.add_argument("--alone", action="store_true", help="compare with the call on one machine")
    given = options.parse_args()

    folder = tempfile.mkdtemp(prefix="likewise-bench-")
    path = os.path.join(folder, "names.parquet")
    pyarrow.parquet.write_table(names(given.data, given.rows), path)
    print(f"{given.rows:,} names, min {given.min}")
    expected = None
    if given.alone:
        fresh = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=fresh) as process:
            expected, took, worked, most = process.submit(one_machine, path, given.min, given.pairs).result()
        print(f"one machine: {took:.1f} s, {worked:.1f} s of processors, at most {most:,} MB, {expected.num_rows:,} rows of result")

    if "JAVA_HOME" not in os.environ:
        java.use_package()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(given.master).appName("likewise").config("spark.driver.memory", given.memory)
    settings: dict[str, bool | float | int | str | None] = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.port": "0",
        "spark.ui.retainedStages": "100000",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.maxResultSize": "0",
        "spark.local.dir": folder,
    }
    spark = builder.config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.range(10).count()
    before = max((stage["stageId"] for stage in stages(spark, -1)), default=-1)
    work, began = Work(), time.perf_counter()
    found = likewise.spark.dedupe(
        spark.read.parquet(path), on="name", id="id", min=given.min, pairs=given.pairs, partitions=given.partitions
    )
    many = found.count()
    took, worked = time.perf_counter() - began, work.seconds()
    print(f"Spark, {given.master}: {took:.1f} s, {worked:.1f} s of processors, {many:,} rows of result")
    tell(stages(spark, before), given.rows)
    if expected is not None:
        keys = [(name, "ascending") for name in (["left_id", "right_id"] if given.pairs else ["id"])]
        got = found.toArrow().cast(expected.schema).sort_by(keys)
        assert got.equals(expected.sort_by(keys)), "results differ"
        print("  the result is that of one machine, to the last digit")
    spark.stop()


if __name__ == "__main__":
    main()
