"""Expressions of Polars."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars
import pytest

import likewise
import likewise.polars
from conftest import EXAMPLES

FRAME = polars.DataFrame(
    {
        "a": ["Acme Inc", None, "Apex Ltd", "", "Żółta łódź", "Zeta Inc"],
        "b": ["ACME Incorporated", "Bo", "Apex Limited", "x", "zolta lodz", None],
        "city": ["Lima", "Lima", "Oslo", "Oslo", "Oslo", "Lima"],
    }
)


@pytest.mark.parametrize("measure", ["levenshtein", "tfidf", "", "0.5*sc + 0.5*jaro", likewise.Measure("jaro-winkler")])
def test_scores_are_those_of_columns(measure: str | likewise.Measure) -> None:
    expected = likewise.score(FRAME["a"], FRAME["b"], measure=measure)
    expression = polars.col("a").likewise.score(polars.col("b"), measure=measure)  # type: ignore[attr-defined]
    for found in (
        FRAME.select(expression)["a"],
        FRAME.select(likewise.polars.score("a", "b", measure=measure))["a"],
        FRAME.lazy().select(x=expression).collect(engine="streaming")["x"],
    ):
        assert found.dtype == polars.Float64 and found.to_list() == expected.to_list()
    # Groups are scored by themselves: their own texts are counted.
    grouped = FRAME.group_by("city", maintain_order=True).agg(expression)
    for city, scores in zip(grouped["city"], grouped["a"]):
        own = FRAME.filter(polars.col("city") == city)
        assert scores.to_list() == likewise.score(own["a"], own["b"], measure=measure).to_list()


def test_one_text_goes_with_all_rows() -> None:
    names = FRAME["a"].to_list()
    expected = [likewise.score(name or "", "acme", measure="sc") for name in names]
    by: Any = {"measure": "sc", "collection": "none"}
    assert FRAME.select(likewise.polars.score("a", polars.lit("acme"), **by))["a"].to_list() == expected
    assert FRAME.select(likewise.polars.score(polars.lit("acme"), "a", **by)).to_series().to_list() == expected
    none = FRAME.clear().select(likewise.polars.score("a", polars.lit("acme"), **by))
    assert none.to_series().to_list() == []


def test_counts_come_from_elsewhere_and_analyzers_are_heeded(tmp_path: Path) -> None:
    customers = polars.read_csv(EXAMPLES / "messy-customers.csv", infer_schema=False)
    customers.select("name").write_csv(tmp_path / "names.csv")
    options: Any = {"measure": "tfidf", "collection": tmp_path / "names.csv", "analyzer": "analyzer(stem=porter)"}
    shifted = customers.with_columns(other=polars.col("name").shift(1))
    found = shifted.select(likewise.polars.score("name", "other", **options)).to_series()
    assert found.to_list() == likewise.score(shifted["name"], shifted["other"], **options).to_list()
    assert found.sum() > 0


def test_errors_are_the_library_s() -> None:
    with pytest.raises((polars.exceptions.ComputeError, likewise.ExpressionError), match="did you mean `levenshtein`"):
        FRAME.select(likewise.polars.score("a", "b", measure="levenstein"))
