"""Search, match and dedupe on Spark give what they give on one machine, to the last digit."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest

pytest.importorskip("pyspark")

import java
import likewise
import likewise.spark
from conftest import EXAMPLES, ROOT
from likewise.spark import _components, _link, _numbers, _ship, _workers

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A small cluster: two executors, which are processes of their own."""
    from pyspark.sql import SparkSession

    java.use_package()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "3",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(autouse=True)
def released() -> Iterator[None]:
    yield
    likewise.spark.release()


def _names(rows: int, seed: int) -> pyarrow.Table:
    """Names with typing errors, some of them null or empty, in no order of their ids."""
    chance = random.Random(seed)
    first = "anna robert jørgen maria peter 李 sven".split()
    last = "weiss garcía novak jensen o'neill smith-jones".split()
    texts: list[str | None] = []
    for _ in range(rows):
        words = [chance.choice(first), chance.choice(last), chance.choice(last), str(chance.randrange(rows // 3))]
        text = " ".join(words)
        at = chance.randrange(len(text))
        texts.append(text[:at] + chance.choice("abx ") + text[at + 1 :])
    texts[3], texts[5], texts[7], texts[9] = None, "", "  ", texts[11]
    ids = [f"r{number:05}" for number in range(rows)]
    chance.shuffle(ids)
    return pyarrow.table({"id": ids, "full.name": texts})


def _frame(spark: Any, table: pyarrow.Table, parts: int, seed: int = 1) -> Any:
    """A frame of so many partitions, its rows shuffled."""
    order = list(range(table.num_rows))
    random.Random(seed).shuffle(order)
    return spark.createDataFrame(table.take(order)).repartition(parts)


def _plain(rows: Any) -> Rows:
    """Rows in an order, doubles with all their bits."""
    table = rows.toArrow() if hasattr(rows, "toArrow") else pyarrow.table(rows)
    plain = [{name: value.hex() if isinstance(value, float) else value for name, value in row.items()} for row in table.to_pylist()]
    return sorted(plain, key=lambda row: [str(row.get(name)) for name in ("id", "left_id", "right_id", "query", "rank")])


def _same(found: Any, expected: Any) -> None:
    own, other = _plain(found), _plain(expected)
    assert own == other
    assert len(other) > 0


NAMES = _names(400, 1)
SORTED = NAMES.sort_by("id")
#: What to compare; the name of the column has a dot.
ON: Any = {"on": "full.name", "id": "id", "min": 0.6}


@pytest.mark.parametrize(("parts", "adaptive"), [(1, True), (2, False), (7, True), (64, False)])
def test_partitions_and_their_order_change_nothing(spark: Any, parts: int, adaptive: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    spark.conf.set("spark.sql.adaptive.enabled", str(adaptive).lower())
    # Several stretches and cells, as in a large table.
    monkeypatch.setattr(_numbers, "STRETCH", 100)
    monkeypatch.setattr(_link, "CELL", 60)
    try:
        frame = _frame(spark, NAMES, parts, seed=parts)
        own = {1: 3, 2: None}.get(parts, parts)
        _same(likewise.spark.dedupe(frame, partitions=own, pairs=True, **ON), likewise.dedupe(SORTED, pairs=True, **ON))
        _same(likewise.spark.dedupe(frame, partitions=own, **ON), likewise.dedupe(SORTED, **ON))
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")


@pytest.mark.parametrize("options", [{}, {"k": 3}, {"one_to_one": True}, {"one_to_one": True, "k": 2}])
def test_matches_are_those_of_one_machine(spark: Any, options: dict[str, Any]) -> None:
    left = SORTED.take(list(range(0, 400, 2))).rename_columns(["number", "name"])
    right = _names(150, 2).sort_by("id").append_column("strange", [["x"] * 150])
    # Ids of another kind.
    numbers = pyarrow.array([int(id.as_py()[1:]) for id in right.column("id")])
    right = right.set_column(0, "id", numbers)
    given: Any = {"left_on": "name", "right_on": "full.name", "left_id": "number", "right_id": "id", "min": 0.35, **options}
    found = likewise.spark.match(_frame(spark, left, 3), _frame(spark, right, 2), **given)
    _same(found, likewise.match(left, right, **given))
    assert [field.dataType.simpleString() for field in found.schema] == ["string", "bigint", "double", "bigint"]


def test_measures_analyzers_columns_and_forms_are_those_of_one_machine(spark: Any) -> None:
    customers = pyarrow.Table.from_pylist(
        [dict(zip("id name city".split(), line.split(",")[:2] + line.split(",")[3:4])) for line in _lines("messy-customers.csv")]
    )
    frame = _frame(spark, customers, 3)
    ways: list[dict[str, Any]] = [
        {"measure": "word-grams(q=3, compare=cosine)", "min": 0.7, "only_duplicates": True},
        {"on": ["name", "city"], "min": 0.5, "method": "average", "analyzer": "analyzer(stem=porter)"},
        {"measure": likewise.Measure("0.5*word-grams + 0.5*word-grams(compare=cosine)"), "min": 0.6, "representatives": True},
    ]
    for way in ways:
        given = {"on": "name", "id": "id", **way}
        _same(likewise.spark.dedupe(frame, **given), likewise.dedupe(customers, **given))


def test_the_default_measure_adapts_to_both_tables(spark: Any) -> None:
    left = _names(60, 5).rename_columns(["id", "text"])
    longer = [" ".join([text or "", f"model x{number} 40 mm with a long and plain description of what it is"] * 2) for number, text in enumerate(left["text"].to_pylist())]
    right = pyarrow.table({"id": left["id"], "text": longer})
    expected = likewise.match(left, right, on="text", id="id", min=0.2)
    assert "weighs its cosine part" in str(expected.report.notes)
    _same(likewise.spark.match(_frame(spark, left, 3), _frame(spark, right, 2), on="text", id="id", min=0.2), expected)
    alone = likewise.dedupe(right.sort_by("id"), on="text", id="id", min=0.5)
    _same(likewise.spark.dedupe(_frame(spark, right, 3), on="text", id="id", min=0.5), alone)


def _lines(example: str) -> list[str]:
    return (EXAMPLES / example).read_text(encoding="utf-8").splitlines()[1:]


def test_heavy_features_and_equal_rows(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Thousands of rows have the same words, and hundreds are the same.
    texts = [f"acme incorporated {number % 90}" for number in range(1200)] + ["acme incorporated"] * 700
    table = pyarrow.table({"id": list(range(len(texts))), "text": texts})
    given: Any = {"id": "id", "min": 0.7}
    expected = pyarrow.table(likewise.dedupe(table, pairs=True, **given))
    assert expected.num_rows > 200_000
    layouts = []

    def layout(cells: int, heavy: list[tuple[int, int]], above: int) -> tuple[str, int]:
        layouts.append((cells, heavy))
        return made(cells, heavy, above)

    made = _link._likewise.layout
    monkeypatch.setattr(_link._likewise, "layout", layout)
    monkeypatch.setattr(_link, "CELL", 300)
    frame = _frame(spark, table, 4)
    found = likewise.spark.dedupe(frame, partitions=5, pairs=True, **given).toArrow()
    keys = [("left_id", "ascending"), ("right_id", "ascending")]
    assert found.cast(expected.schema).sort_by(keys).equals(expected.sort_by(keys))
    assert any(rows > 600 for _, heavy in layouts for _, rows in heavy), layouts
    _same(likewise.spark.dedupe(frame, partitions=5, **given), likewise.dedupe(table, **given))


@pytest.mark.parametrize(("together", "size"), [(1, 1 << 30), (3, 1 << 30), (7, 1 << 30), (1000, 40), (1000, 1 << 30)])
def test_values_stay_together_wherever_batches_end(together: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_workers, "TOGETHER", together)
    monkeypatch.setattr(_workers, "BYTES", size)
    chance = random.Random(together)
    for _ in range(50):
        values = sorted(chance.randrange(6) for _ in range(chance.randrange(30)))
        table = pyarrow.table({"cell": pyarrow.array(values, pyarrow.int64())})
        batches = table.to_batches(max_chunksize=chance.randrange(1, 6)) + [pyarrow.record_batch({"cell": pyarrow.array([], pyarrow.int64())})]
        found = [part.column("cell").to_pylist() for part in _workers._whole(batches, "cell")]
        assert [value for part in found for value in part] == values
        assert sum(len(set(part)) for part in found) == len(set(values))


def test_components_of_many_pairs_are_found_by_rounds(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    # Long chains, stars and some pairs, numbered at random; also below zero.
    nodes = chance.sample(range(-500, 500), 600)
    edges = list(zip(nodes[:100], nodes[1:101]))
    edges += [(nodes[150], other) for other in nodes[151:250]]
    edges += [(one, other) for one, other in (chance.sample(nodes[300:], 2) for _ in range(200))]
    expected = {node: min(own) for own in _by_search(edges) for node in own}
    frame = spark.createDataFrame(pyarrow.table({"a": [a for a, _ in edges], "b": [b for _, b in edges]}))
    monkeypatch.setattr(_components, "PART", 100)
    for few in (0, len(edges)):
        monkeypatch.setattr(_components, "FEW", few)
        found, parts = _components.components(frame)
        rows = found.collect()
        assert parts == len(edges) // 100
        assert len(rows) == len(expected)
        # Each has one name, and no two the same.
        named = {(row["component"], expected[row["node"]]) for row in rows}
        assert len(named) == len({name for name, _ in named}) == len({least for _, least in named})
    monkeypatch.setattr(_components, "FEW", 0)
    _same(likewise.spark.dedupe(_frame(spark, NAMES, 2), **ON), likewise.dedupe(SORTED, **ON))


def _by_search(edges: list[tuple[int, int]]) -> list[set[int]]:
    """Components by walking from node to node."""
    near: dict[int, set[int]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    found: list[set[int]] = []
    for node in near:
        if not any(node in own for own in found):
            own, todo = {node}, [node]
            while todo:
                new = near[todo.pop()] - own
                own |= new
                todo += new
            found.append(own)
    return found


def _killed_once(make: Callable[..., Any], marker: Path, whole: bool) -> Callable[..., Any]:
    """A worker that kills its process once, or the whole executor, after it has given something back."""
    once = str(marker)

    def above(process: int) -> int:
        status = Path(f"/proc/{process}/status").read_text()
        return int(status.partition("PPid:")[2].split()[0])

    def wrapped(*given: Any) -> Any:
        work = make(*given)

        def killed(batches: Any) -> Any:
            for batch in work(batches):
                yield batch
                try:
                    os.close(os.open(once, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    continue
                # The worker's parent is a daemon, and this one's the executor.
                os.kill(above(above(os.getpid())) if whole else os.getpid(), signal.SIGKILL)

        return killed

    return wrapped


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize(("step", "whole"), [("pairs", False), ("cells", True), ("pairs", True), ("clusters", True)])
def test_a_worker_may_be_killed_in_the_middle(
    spark: Any, step: str, whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "killed"
    monkeypatch.setattr(_numbers, "STRETCH", 100)
    monkeypatch.setattr(_workers, step, _killed_once(getattr(_workers, step), marker, whole))
    found = likewise.spark.dedupe(_frame(spark, NAMES, 4), partitions=6, **ON)
    _same(found, likewise.dedupe(SORTED, **ON))
    assert marker.exists()


def test_results_may_be_asked_for_after_release(spark: Any) -> None:
    found = likewise.spark.dedupe(_frame(spark, NAMES, 4), **ON)
    likewise.spark.release()
    assert not _numbers._kept
    _same(found, likewise.dedupe(SORTED, **ON))


def test_empty_tables_give_empty_results(spark: Any) -> None:
    nothing = spark.createDataFrame(pyarrow.table({"id": pyarrow.array([], pyarrow.int64()), "name": pyarrow.array([], pyarrow.string())}))
    some = spark.createDataFrame(pyarrow.table({"id": [1, 2], "name": ["acme", "acme inc"]}))
    blank = spark.createDataFrame(pyarrow.table({"id": [1, 2], "name": [None, ""]}, pyarrow.schema([("id", "int64"), ("name", "string")])))
    given: Any = {"on": "name", "id": "id", "min": 0.5}
    assert likewise.spark.dedupe(nothing, **given).collect() == []
    assert likewise.spark.match(nothing, some, **given).collect() == []
    assert likewise.spark.match(some, nothing, one_to_one=True, **given).collect() == []
    assert likewise.spark.dedupe(blank, pairs=True, **given).collect() == []
    assert _plain(likewise.spark.dedupe(blank, **given)) == [
        {"id": 1, "cluster": 1, "representative": 1},
        {"id": 2, "cluster": 2, "representative": 2},
    ]


def test_what_cannot_be_is_refused_with_the_reason(spark: Any) -> None:
    frame = spark.createDataFrame(pyarrow.table({"id": [1, 2, 2], "other": [1, None, 3], "name": ["acme", "acme", "inc"]}))

    def refused(error: type[Exception], message: str, **options: Any) -> None:
        given = {"on": "name", "id": "id", "min": 0.5, **options}
        with pytest.raises(error, match=message):
            likewise.spark.dedupe(frame, **{name: value for name, value in given.items() if value is not None})

    option, wrong = likewise.OptionError, likewise.InputError
    refused(wrong, "`id` has `2` twice; every row needs an id of its own")
    refused(wrong, "`other` has rows without a value", id="other")
    refused(option, "`id` is needed: a frame of Spark has no order", id=None)
    refused(option, "option `id`: there is no column `nr`. There are id, other, name", id="nr")
    refused(option, "no column `nme`", on="nme")
    refused(option, "columns with weights cannot be compared in parts", on="name:0.5,other:0.5")
    refused(option, "option `min` is needed", min=None)
    refused(option, "scores lie between 0 and 1", min=80)
    refused(option, "below 0.2 of the highest score nearly all texts", min=0.1)
    refused(option, "`levenshtein` above 0.5 cannot be joined in parts: its score is no sum over features", measure="levenshtein")
    refused(option, "leave out option `k`", k=3)
    refused(option, "leave out option `labels`", labels="other")
    refused(option, "leave out option `max_memory`", max_memory=1 << 20)
    refused(option, "leave out option `collection`", collection="none")
    refused(option, "no option `treshold`", treshold=0.5)
    refused(option, "`partitions` is 0", partitions=0)
    with pytest.raises(option, match="option `right_id`: there is no column `nr`"):
        likewise.spark.match(frame, frame, on="name", left_id="other", right_id="nr", min=0.5)
    with pytest.raises(wrong, match=r"takes frames of PySpark, and this is of type Table; .* likewise.match"):
        likewise.spark.match(SORTED, SORTED, **ON)  # type: ignore[arg-type]


def test_searches_are_those_of_one_machine(spark: Any, tmp_path: Path) -> None:
    rows = pyarrow.table({"id": SORTED.column("id"), "name": SORTED.column("full.name")})
    index = likewise.Index.build(rows, tmp_path / "names.lw", on="name", id="id")
    asked = _names(60, 9).rename_columns(["number", "the.name"])
    frame = _frame(spark, asked, 5)
    expected = index.search(asked, query_on="the.name", query_id="number", k=3)
    _same(likewise.spark.search(frame, index, query_on="the.name", query_id="number", k=3), expected)
    sent = set(_ship._sent[spark])
    some = likewise.spark.search(frame, tmp_path / "names.lw", query_on="the.name", query_id="number", k=2, min=0.3)
    _same(some, index.search(asked, query_on="the.name", query_id="number", k=2, min=0.3))
    assert _ship._sent[spark] == sent, "what was sent is not sent again"
    shared = likewise.spark.search(frame, index, query_on="the.name", query_id="number", k=3, shared=True)
    _same(shared, expected)
    assert shared.schema.simpleString() == "struct<query:string,rank:bigint,id:string,score:double,text:string>"
    with pytest.raises(likewise.OptionError, match="no option `kk`"):
        likewise.spark.search(frame, index, query_on="the.name", query_id="number", kk=3)  # type: ignore[call-arg]
    with pytest.raises(likewise.OptionError, match="`query_id` is needed"):
        likewise.spark.search(frame, index, query_on="the.name")
    with pytest.raises(likewise.InputError, match="build one on disk"):
        likewise.spark.search(frame, likewise.Index(rows, on="name"), query_id="number")


def test_the_page_prints_what_it_says(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/spark.md").read_text(encoding="utf-8")
    code, text = (re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)[0] for language in ("python", "text"))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {"spark": spark})
    assert printed.getvalue() == text


#: The same calls where the session is a client of a server, which has no driver's objects to reach for.
CONNECT = """
import os, sys, pyarrow
import java, likewise, likewise.spark
java.use_package()
os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession
from likewise.spark import _components, _numbers
_numbers.STRETCH, _components.FEW = 5, 0
spark = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "2").getOrCreate()
assert type(spark).__module__.startswith("pyspark.sql.connect")
texts = ["acme inc", "acme  inc.", "zeta ltd", "acne inc", "zeta limited", "beta", "acme corp", "zeta ltd", "beta inc", "bet"] * 2
table = pyarrow.table({"id": list(range(len(texts))), "name": texts})
frame = spark.createDataFrame(table)
given = dict(on="name", id="id", min=0.4)
def rows(result):
    told = result.toArrow() if hasattr(result, "toArrow") else pyarrow.table(result)
    return sorted(map(repr, told.to_pylist()))
def same(found, expected):
    assert rows(found) == rows(expected) != []
same(likewise.spark.dedupe(frame, **given), likewise.dedupe(table, **given))
half = table.slice(0, 7)
once = dict(given, one_to_one=True)
same(likewise.spark.match(spark.createDataFrame(half), frame, **once), likewise.match(half, table, **once))
index = likewise.Index.build(table, sys.argv[1], on="name", id="id")
asked = dict(query_on="name", query_id="id", k=2)
same(likewise.spark.search(spark.createDataFrame(half), index, **asked), index.search(half, **asked))
likewise.spark.release()
spark.stop()
print("the same")
"""


def test_it_works_by_spark_connect(tmp_path: Path) -> None:
    pytest.importorskip("grpc")
    run = [sys.executable, "-c", CONNECT, str(tmp_path / "names.lw")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("the same\n"), done.stderr[-5000:]


def test_nothing_is_asked_of_spark_that_connect_lacks() -> None:
    for path in (ROOT / "python/likewise/spark").glob("*.py"):
        assert not re.search(r"\.rdd\b|sparkContext|_jvm|_jdf|_sc\b|broadcast", path.read_text(encoding="utf-8")), path


def test_it_can_be_imported_without_pyspark() -> None:
    code = "import sys; sys.modules['pyspark'] = None; import likewise.spark\ntry: likewise.spark.dedupe([], min=0.5)\n"
    code += "except likewise.MissingPackageError as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "likewise.spark.dedupe needs the package pyspark" in done.stdout, done.stderr
