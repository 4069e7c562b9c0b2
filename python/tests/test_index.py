"""Indexes in memory and on disk."""

from __future__ import annotations

from pathlib import Path

import polars
import pytest

import likewise

PEOPLE = polars.DataFrame(
    {"no": ["p1", "p2", "p3"], "name": ["Ana Lima", "Bo Berg", "Cy Young"], "city": ["Lima", "Oslo", "Rome"]}
)


def test_an_index_grows_and_shrinks(tmp_path: Path) -> None:
    index = likewise.Index.build(PEOPLE, tmp_path / "people.lw", on="name", id="no")
    assert (len(index), index.columns[0][:2]) == (3, ("name", 1.0))
    assert index.add({"no": ["p4"], "name": ["Ana Limo"]}) == 1
    assert [row.id for row in index.search("ana lima")][:2] == ["p1", "p4"]
    with pytest.raises(likewise.IndexFileError, match="p4"):
        index.add({"no": ["p4"], "name": ["Ana"]})
    assert index.add({"no": ["p4"], "name": ["Zoe"]}, on_duplicate="replace") == 1
    assert index.search("zoe")[0].id == "p4" and len(index) == 4
    assert index.remove(["p1", "p9"]) == ["p9"] and len(index) == 3
    index.compact()
    assert index.verify() == [] and index.search("ana lima").to_dicts() == []
    other = likewise.Index.open(tmp_path / "people.lw")
    index.remove("p2")
    assert len(other) == 3
    other.refresh()
    assert len(other) == 2
    assert "people.lw" in repr(other)


def test_rows_without_ids_are_numbered_on(tmp_path: Path) -> None:
    index = likewise.Index.build(["Ana", "Bo", "Cy"], tmp_path / "names.lw")
    index.remove([3, 1])
    index.add(["Di"])
    assert sorted(row.id for row in index.search(["Ana", "Bo", "Di"])) == [2, 3]


def test_an_index_in_memory_is_searched_like_the_table() -> None:
    index = likewise.Index(PEOPLE, on={"name": 0.7, "city": 0.3}, id="no")
    asked = {"name": ["Ana", "Bo"], "city": ["Lima", "Rome"]}
    options = {"on": {"name": 0.7, "city": 0.3}, "id": "no"}
    assert index.search(asked, query_on=["name", "city"], keep="city").to_dicts() == likewise.search(
        PEOPLE, asked, keep="city", **options
    ).to_dicts()
    assert index.search(("Ana", "Lima"), k=1)[0].id == "p1"
    left = polars.DataFrame({"name": ["Anna Lima"], "city": ["Lima"]})
    assert index.match(left, min=0.1).to_dicts() == likewise.match(
        left, PEOPLE, on=options["on"], right_id="no", min=0.1
    ).to_dicts()
    assert index.dedupe(min=0.9).to_dicts() == likewise.dedupe(PEOPLE, min=0.9, **options).to_dicts()
    with pytest.raises(likewise.Error, match="in memory"):
        index.add(PEOPLE)


def test_a_path_of_an_index_stands_for_the_index(tmp_path: Path) -> None:
    index = likewise.Index.build(PEOPLE, tmp_path / "people.lw", on="name", id="no")
    assert likewise.search(tmp_path / "people.lw", "bo").to_dicts() == index.search("bo").to_dicts()
    assert likewise.match(["Bo Berg"], str(tmp_path / "people.lw"), min=0.5)[0].right_id == "p2"
    with pytest.raises(likewise.OptionError, match="keep"):
        index.search("bo", keep="city")
    with pytest.raises(likewise.OptionError, match="option `labels`"):
        index.dedupe(labels="city")


def test_explanations_and_weights_come_from_the_index(tmp_path: Path) -> None:
    index = likewise.Index.build(PEOPLE, tmp_path / "people.lw", on="name:2,city:1", measure="jaro-winkler", id="no")
    hit = index.search(("Ana Lima", "Rome"), within="10s")
    assert hit["proven"][0] is True
    parts = hit.explain(0).parts
    assert hit[0].score == pytest.approx(sum(part.score * (part.weight or 0) for part in parts))
