"""Measures by themselves: pairs, matrices, properties."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

import likewise

TEXTS = ["Acme Inc", "ACME Incorporated", "", "Apex Ltd", None, "Żółta łódź"]


@pytest.mark.parametrize("expression", ["levenshtein", "sc", "tfidf", "", "soft-tfidf", "0.3*jaro + 0.7*bm25"])
def test_matrices_hold_the_scores_of_pairs(expression: str) -> None:
    measure = likewise.Measure(expression, collection="none")
    matrix = measure.cdist(TEXTS, TEXTS[:3])
    assert matrix.shape == (6, 3) and matrix.dtype == numpy.float64 and matrix.flags.writeable
    for row, left in enumerate(TEXTS):
        for column, right in enumerate(TEXTS[:3]):
            assert matrix[row, column] == measure.score(left, right), (left, right)
    pairs = measure.cpdist(TEXTS, TEXTS[::-1])
    assert pairs == [measure.score(a, b) for a, b in zip(TEXTS, TEXTS[::-1])]
    assert (measure.cdist(TEXTS) == measure.cdist(TEXTS, TEXTS)).all()
    assert likewise.cdist(TEXTS, measure=measure).shape == (6, 6)
    assert likewise.cpdist(["a"], ["a"], measure="equal") == [1.0]


def test_texts_at_hand_are_counted() -> None:
    names = ["Acme Inc", "Apex Inc", "Zeta Inc"]
    counted = likewise.cdist(names, measure="tfidf")
    assert counted[0, 1] < likewise.Measure("tfidf").score("Acme Inc", "Apex Inc")
    assert likewise.score(names, names[::-1], measure="tfidf")[0] == counted[0, 2]


def test_measures_tell_what_holds() -> None:
    tfidf = likewise.Measure("tfidf")
    assert tfidf.properties["adaptive"] and tfidf.properties["range"] == [0.0, 1.0]
    assert str(tfidf).startswith("tfidf(") and repr(tfidf) == "likewise.Measure('tfidf')"
    assert likewise.Measure(tfidf) == tfidf and hash(likewise.Measure("tfidf")) == hash(tfidf)
    assert likewise.Measure("tfidf", analyzer="analyzer(stem=porter)") != tfidf
    assert tfidf("a b", "a b") == 1.0
    names = {measure["name"] for measure in likewise.measures()}
    assert {"sc", "tfidf", "levenshtein", "word-grams"} <= names
    assert {"exact", "number", "date", "digits", "set"} <= names


def test_typed_columns_show_how_they_are_written() -> None:
    assert likewise.Measure("number").score("$1,299.00", "1299 USD") == 1.0
    assert likewise.score(["1,234", "12,5"], ["1234", "12,5"], measure="number") == [0.0, 1.0]
    assert likewise.cpdist(["03/04/2024"], ["2024-03-04"], measure="date(order=mdy)") == [1.0]
    with pytest.raises(likewise.Error, match=r"date\(order=dmy\)"):
        likewise.score("03/04/2024", "2024-03-04", measure="date")


def test_measures_go_wherever_expressions_go() -> None:
    by = likewise.Measure("jaro-winkler")
    texts = ["Jon Smiht", "Ann Lee"]
    plain = likewise.search(texts, "John Smith", measure="jaro-winkler").to_dicts()
    assert likewise.search(texts, "John Smith", measure=by).to_dicts() == plain
    assert likewise.search(texts, "John Smith", measure=[by]).to_dicts() == plain
    assert likewise.score("Jon", "John", measure=by) == by("Jon", "John")


def test_a_measure_brings_its_collection_along(tmp_path: Path) -> None:
    names = ["Acme Inc", "Apex Inc", "Zeta Inc"]
    plain = likewise.Measure("tfidf", collection="none")
    expected = [plain(a, b) for a, b in zip(names, names[::-1])]
    assert likewise.score(names, names[::-1], measure=plain) == expected != likewise.score(names, names[::-1], measure="tfidf")
    found = likewise.score({"a": names, "b": names[::-1]}, on="a,b", measure=plain)
    assert found["score"] == expected
    by_option = likewise.search(names, "Acme", measure="tfidf", collection="none").to_dicts()
    assert likewise.search(names, "Acme", measure=plain).to_dicts() == by_option
    other = tmp_path / "other.csv"
    other.write_text("name\nAcme Inc\n")
    for options in ({"collection": other}, {"measure": [plain, likewise.Measure("sc", collection=other)]}):
        with pytest.raises(likewise.OptionError, match="`none` and `.*other.csv` are named"):
            likewise.score({"a": names, "b": names}, on="a,b", **{"measure": plain, **options})  # type: ignore[call-overload]
    with pytest.raises(likewise.OptionError, match="option `on`"):
        likewise.score(names, names, on="text")


def test_explanations_cut_texts_where_they_meet() -> None:
    why = likewise.Measure("sc").explain("Żółta łódź", "zolta lodz, Żółta")
    part = why.parts[0]
    assert "".join(text for text, _ in part.pieces[0]) == "Żółta łódź"
    assert "".join(text for text, _ in part.pieces[1]) == "zolta lodz, Żółta"
    assert any(strength > 0 for _, strength in part.pieces[0])
    assert "Żółta" in str(why) and why.to_dict()[0]["score"] == part.score


def test_empty_input_makes_empty_output() -> None:
    assert likewise.cdist([], ["a"], measure="jaro").shape == (0, 1)
    assert likewise.cdist(["a"], [], measure="jaro").shape == (1, 0)
    assert likewise.cpdist([], [], measure="jaro") == []
    with pytest.raises(likewise.InputError):
        likewise.cpdist(["a"], ["a", "b"])
    with pytest.raises(likewise.InputError):
        likewise.cdist("text", ["a"])
