"""Every task gives what the command prints, to the last digit, from every kind of table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import likewise
from conftest import EXAMPLES, KINDS, command, lines, only

FAQ = EXAMPLES / "faq.csv"
CUSTOMERS = EXAMPLES / "messy-customers.csv"
LEFT, RIGHT = EXAMPLES / "products/left.csv", EXAMPLES / "products/right.csv"
QUERIES = ["how do i reset my pasword", "delete acount", "invoice", "", "refund please"]

Read = Callable[[Path], Any]


def test_search_for_one_query(read: Read) -> None:
    found = likewise.search(read(FAQ), QUERIES[0], on="question", id="id", keep="answer", k=5)
    assert found.to_dicts() == lines("search", FAQ, QUERIES[0], "--on", "question", "--id", "id", "--keep", "answer", "-k", 5)


def test_search_for_many_queries(read: Read, tmp_path: Path) -> None:
    asked = tmp_path / "asked.csv"
    asked.write_text("q,question\n" + "".join(f"n{at},{text}\n" for at, text in enumerate(QUERIES)))
    found = likewise.search(read(FAQ), read(asked), on="question", query_id="q", k=3, min=0.1)
    told = lines("search", FAQ, "--on", "question", "--queries", asked, "--query-id", "q", "-k", 3, "--min", 0.1)
    assert found.to_dicts() == told
    assert found.stats is not None and found.stats["queries"] == len(QUERIES)


def test_search_with_weighted_columns_and_a_measure_each(read: Read) -> None:
    found = likewise.search(
        read(CUSTOMERS), ("Peter Weiss", "Bamberg"), on={"name": 0.7, "city": 0.3}, measure=["jaro-winkler", "equal"], id="id"
    )
    told = lines(
        *("search", CUSTOMERS, "Peter Weiss", "Bamberg", "--on", "name:0.7,city:0.3", "--id", "id"),
        *("-m", "jaro-winkler", "-m", "equal"),
    )
    assert found.to_dicts() == told


@pytest.mark.parametrize("collection", [None, "none", CUSTOMERS])
def test_search_with_counts_from_elsewhere(collection: Path | str | None) -> None:
    options = {} if collection is None else {"collection": collection}
    found = likewise.search(KINDS["polars"](CUSTOMERS), "Petra Weis", on="name", **options)
    flags = [] if collection is None else ["--collection", collection]
    assert found.to_dicts() == lines("search", CUSTOMERS, "Petra Weis", "--on", "name", *flags)


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"min": 0.4, "k": 2}, ["--min", 0.4, "-k", 2]),
        ({"one_to_one": True, "min": 0.3}, ["--one-to-one", "--min", 0.3]),
        ({"measure": "0.5*tfidf + 0.5*jaro-winkler", "k": 1}, ["-m", "0.5*tfidf + 0.5*jaro-winkler", "-k", 1]),
    ],
)
def test_match(read: Read, options: dict[str, Any], flags: list[object]) -> None:
    found = likewise.match(read(LEFT), read(RIGHT), on="title", id="id", keep="title,right.price", **options)
    told = lines("match", LEFT, RIGHT, "--on", "title", "--id", "id", "--keep", "title,right.price", *flags)
    assert told
    assert only(found.to_dicts(), *told[0]) == told


def test_rank_counts_the_rows_of_each_left_row() -> None:
    found = likewise.match(LEFT, RIGHT, on="title", k=3, min=0)
    ranks: dict[int, list[int]] = {}
    for row in found:
        ranks.setdefault(row.left_id, []).append(row.rank)
    assert all(own == list(range(1, len(own) + 1)) for own in ranks.values())


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"min": 0.8, "method": "average", "only_duplicates": True}, ["--min", 0.8, "--method", "average", "--only-duplicates"]),
        ({"labels": "person", "keep": "name,city"}, ["--labels", "person", "--keep", "name,city"]),
        ({"pairs": True, "k": 2, "keep": "name"}, ["--pairs", "-k", 2, "--keep", "name"]),
        ({"unique": True}, ["--unique"]),
    ],
)
def test_dedupe(read: Read, options: dict[str, Any], flags: list[object]) -> None:
    found = likewise.dedupe(read(CUSTOMERS), on="name,city", id="id", **options)
    told = lines("dedupe", CUSTOMERS, "--on", "name,city", "--id", "id", *flags)
    empty = [{name: value or "" for name, value in row.items()} for row in found.to_dicts()]
    assert empty == told


def test_score(read: Read) -> None:
    pairs = EXAMPLES / "pairs.csv"
    for measures in (["levenshtein"], ["sc", "tfidf"]):
        found = likewise.score(read(pairs), on="left,right", measure=measures)
        flags = [part for measure in measures for part in ("-m", measure)]
        told = [row["score"] for row in lines("score", pairs, "--on", "left,right", *flags)]
        columns = ["score"] if len(measures) == 1 else measures
        assert [row[name] for row in found.to_dicts() for name in columns] == told


def test_score_of_two_texts() -> None:
    texts = ("Sergio Jimenez", "S. Gimenez")
    for measure in ("levenshtein", "sc(q=2:4)", "tfidf", "soft-tfidf", "0.5*sc + 0.5*jaro"):
        (told,) = lines("score", *texts, "-m", measure)
        assert likewise.score(*texts, measure=measure) == told["score"]
        part = likewise.Measure(measure).explain(*texts).parts[0]
        assert part.details == told["explanation"] and part.score == told["score"]


def test_rows_of_an_index(tmp_path: Path) -> None:
    path = tmp_path / "customers.lw"
    table = KINDS["pandas"](CUSTOMERS)
    index = likewise.Index.build(table, path, on="name", id="id")
    assert index.search("Petra Weis", k=4).to_dicts() == lines("search", path, "Petra Weis", "-k", 4)
    assert index.dedupe(min=0.8).to_dicts() == lines("dedupe", path, "--min", 0.8)
    guests = EXAMPLES / "guests.csv"
    told = lines("match", guests, path, "--left-id", "id", "--min", 0)
    assert told
    assert only(index.match(guests, left_id="id", min=0).to_dicts(), *told[0]) == told


def test_evaluate(tmp_path: Path) -> None:
    folder = EXAMPLES / "products"
    found = likewise.evaluate("match", folder, on="title", measure=["sc", "tfidf"])
    assert found.figures == lines("eval", "match", folder, "--on", "title", "-m", "sc", "-m", "tfidf")
    assert found.html is not None and "<iframe" in found._repr_html_()
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b,score\nred,read,4\nblue,blew,2\ngreen,grin,3\nblack,white,0\n")
    told = lines("eval", "pairs", pairs, "--on", "a,b", "-m", "levenshtein", "--gold", "score")
    assert likewise.evaluate("pairs", pairs, on="a,b", measure="levenshtein", gold="score").figures == told


def test_answer(tmp_path: Path) -> None:
    question = {
        "document": "Tammy has a dog. Max has a cat. The dog is brown.",
        "question": "Who has a dog?",
        "choices": ["Tammy", "Max"],
    }
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps(question) + "\n")
    for options, flags in [({}, []), ({"measure": "sc", "against": "document"}, ["-m", "sc", "--against", "document"])]:
        told = lines("answer", file, *flags)
        assert likewise.answer(file, **options) == told
        assert likewise.answer([question], **options) == told
        assert likewise.answer(question, **options) == told


def test_parse() -> None:
    text = "The old dog chased a cat. It didn't care."
    assert likewise.parse(text) == lines("parse", text)
    assert likewise.parse(text, output="conllu") == command("parse", text)
    assert likewise.parse([text, text], output="tree")[1] == command("parse", text, "--tree")


def test_measures() -> None:
    told = {measure["name"]: measure for measure in lines("measures")}
    for measure in likewise.measures():
        assert measure == told[measure["name"]]


def test_the_command_is_there() -> None:
    assert command("--version").strip() == f"likewise {likewise.__version__}"
