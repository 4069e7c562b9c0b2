"""Tables in, and results of the same kind out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import likewise
from conftest import EXAMPLES, KINDS
from likewise import _tables

NAMES = ["Acme Inc", None, "ACME Inc.", "", "Apex Limited, a company of some length", "Żółw"]
LAYOUTS = [
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
    pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    pyarrow.dictionary(pyarrow.int32(), pyarrow.large_string()),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_all_layouts_of_text_are_read(layout: Any) -> None:
    plain = likewise.search(NAMES, "acme inc", k=5).to_dicts()
    assert [row["id"] for row in plain] == [1, 3, 5]
    whole = pyarrow.table({"text": pyarrow.array(NAMES).cast(layout) if "dict" not in str(layout) else pyarrow.array(NAMES, layout)})
    assert likewise.search(whole, "acme inc", k=5).to_dicts() == plain
    chunks = pyarrow.concat_tables([whole.slice(0, 2), whole.slice(2, 3), whole.slice(5)])
    assert likewise.search(chunks, "acme inc", k=5).to_dicts() == plain
    kept = likewise.search(pyarrow.table({"text": NAMES, "own": whole["text"]}), "acme", on="text", keep="own").to_dicts()
    assert [row["own"] for row in kept] == [row["text"] for row in kept]


def test_a_null_is_alike_nothing_and_comes_back_as_a_null() -> None:
    assert likewise.score(NAMES, NAMES, measure="levenshtein") == [1.0, 0.0, 1.0, 0.0, 1.0, 1.0]
    table = {"name": ["Acme Inc", "ACME Inc."], "city": ["Lima", None], "n": [1, None], "x": [None, 0.5], "b": [True, None]}
    for kind in (table, pyarrow.table(table), polars.DataFrame(table), pandas.DataFrame(table)):
        found = likewise.dedupe(kind, on="name", min=0.5, keep="city,n,x,b").to_dict()
        assert found["city"][1] is None and found["x"][1] == 0.5 and found["b"] == [True, None]
        assert found["n"][0] == 1 and (found["n"][1] is None or numpy.isnan(found["n"][1]))
        assert found["cluster"] == [1, 1]


@pytest.mark.parametrize(("kind", "type_"), [("pandas", pandas.DataFrame), ("polars", polars.DataFrame), ("pyarrow", pyarrow.Table), ("duckdb", duckdb.DuckDBPyRelation), ("dict", list), ("file", list)])
def test_results_are_of_the_kind_that_went_in(kind: str, type_: type) -> None:
    faq = KINDS[kind](EXAMPLES / "faq.csv")
    found = likewise.search(faq, "reset my pasword", on="question", keep="answer", k=2)
    assert isinstance(found.frame, type_)
    for other in (found.to_pandas(), found.to_polars(), found.to_arrow(), found.to_duckdb()):
        assert _tables.frame_of(other, likewise._settings.how()).to_dict() == found.to_dict()


def test_ids_keep_their_type() -> None:
    for ids, arrow in [([7, 8], "int64"), ([1.5, 2.5], "double"), (["a", "b"], "large_string")]:
        found = likewise.search(pyarrow.table({"no": ids, "name": ["Ana", "Bo"]}), "Bo", on="name", id="no", k=1)
        assert found[0].id == ids[1]
        assert arrow.replace("large_", "") in str(found.to_arrow().schema.field("id").type).replace("large_", "")
    assert likewise.search(["Ana", "Bo"], "Bo")[0].id == 2


def test_numbers_are_compared_as_they_are_written() -> None:
    table = {"code": [10, 12, 112], "share": [0.5, 1.0, 100.0]}
    assert likewise.search(table, "112", on="code", measure="equal")[0].id == 3
    assert likewise.search(table, "1", on="share", measure="equal")[0].id == 2


def test_one_column_is_enough() -> None:
    for column in (NAMES, tuple(NAMES), iter(NAMES), pandas.Series(NAMES), polars.Series(NAMES), pyarrow.array(NAMES), pyarrow.chunked_array([NAMES]), numpy.array(NAMES, dtype=object)):
        assert likewise.search(column, "apex")[0].id == 5
    for given, got in [(pandas.Series(NAMES, index=range(10, 16)), pandas.Series), (polars.Series(NAMES), polars.Series), (pyarrow.array(NAMES), pyarrow.Array), (numpy.array(NAMES, dtype=object), numpy.ndarray), (NAMES, list)]:
        scores = likewise.score(given, NAMES)
        assert isinstance(scores, got) and len(scores) == len(NAMES)
    scores = likewise.score(pandas.Series(NAMES, index=range(10, 16)), NAMES)
    assert list(scores.index) == list(range(10, 16))
    assert set(likewise.score(NAMES, NAMES, measure=["sc", "jaro"])) == {"sc", "jaro"}


def test_no_rows_are_no_error() -> None:
    empty = pandas.DataFrame({"name": pandas.Series([], dtype=str)})
    assert likewise.search(empty, "Ana", on="name").to_dicts() == []
    assert len(likewise.match(empty, ["Ana"], on=None, left_on="name", right_on="text", min=0)) == 0
    assert likewise.score([], []) == []
    assert likewise.dedupe({"name": []}, on="name", min=0.5).frame == []
    assert likewise.search(["Ana"], []).columns == ["query", "rank", "id", "score", "text"]


def test_results_iterate_and_show_themselves() -> None:
    found = likewise.search(NAMES, ["acme", "apex <b>"], k=1)
    assert [(row.query, row.rank) for row in found] == [(1, 1), (2, 1)]
    assert found["id"] == [row.id for row in found] and found[-1] == found[1]
    with pytest.raises(IndexError):
        found[2]
    with pytest.raises(KeyError):
        found["nothing"]
    assert "query" in repr(found) and "<table>" in found._repr_html_()
    why = found.explain(1)
    assert why.parts[0].left == "apex <b>" and why.matches
    assert "<mark" in why._repr_html_() and "&lt;b&gt;" in why._repr_html_() and "<b>" not in why._repr_html_()
    for row in (2, -3):
        with pytest.raises(IndexError, match=f"no row {row}"):
            found.explain(row)
    assert found.explain(-1).to_dict() == why.to_dict()
    weighted = likewise.search({"a": ["x y"], "b": ["z"]}, ("x", "z"), on="a:2,b:1", measure="tfidf")
    assert [(part.column, part.weight) for part in weighted.explain(0).parts] == [("a", 2 / 3), ("b", 1 / 3)]
    clusters = likewise.dedupe(["Acme Inc", "ACME Inc."], min=0.5)
    assert clusters.explain(1).parts[0].right == "Acme Inc"
    pairs = likewise.score({"l": ["a b"], "r": ["a c"]}, on="l,r")
    assert pairs.explain(0).parts[0].score == pairs[0].score


def test_reports_say_why() -> None:
    report = likewise.dedupe(NAMES).report
    assert report.threshold is not None and report.threshold.chosen == "proposed" and "too few" in report.threshold.reading
    assert likewise.dedupe(NAMES, min=0.5).report.threshold == (0.5, "given", "")
    assert report.measure and report.measure[0].startswith("0.7*word-grams")


def test_a_result_keeps_no_python_object_for_each_row() -> None:
    count = 50_000
    texts = [f"row {at}" for at in range(count)]
    table = pyarrow.table({"a": texts, "b": texts})
    before = sys.getallocatedblocks()
    found = likewise.score(table, on="a,b", measure="equal")
    arrow = found.to_arrow()
    assert arrow.num_rows == count
    assert sys.getallocatedblocks() - before < count // 100
    # What the count would show if there were objects.
    rows = found.to_dicts()
    assert len(rows) == count and sys.getallocatedblocks() - before > count


def test_wrong_tables_are_refused() -> None:
    for wrong in (3, object(), [1, "a"], [["a"], ["b"]], {"a": "text"}, {"a": ["x"], "b": ["x", "y"]}):
        with pytest.raises(likewise.InputError):
            likewise.search(wrong, "x")  # type: ignore[arg-type]
    with pytest.raises(likewise.InputError, match="two columns are called"):
        likewise.search(pandas.DataFrame([["a", "b"]], columns=["n", "n"]), "x", on="n")
    with pytest.raises(likewise.TableError):
        likewise.search(Path("nowhere.csv"), "x")
    for column in (pyarrow.array([[1], [2]]), pyarrow.array([b"x"], pyarrow.binary())):
        with pytest.raises(likewise.InputError, match="no column can be read as text: `a` holds"):
            likewise.search(pyarrow.table({"a": column}), "x")
    for wrong in (lambda: likewise.search(["x"], "\ud800"), lambda: likewise.search(["\ud800"], "x")):
        with pytest.raises(likewise.InputError, match="surrogates not allowed"):
            wrong()
