"""Models: trained, saved, used, as by the command."""

from __future__ import annotations

import json
from pathlib import Path

import polars
import pyarrow.csv
import pytest

import likewise
from conftest import EXAMPLES, command, lines, only

LEFT, RIGHT = EXAMPLES / "products/left.csv", EXAMPLES / "products/right.csv"
MATCHES = EXAMPLES / "products/matches.csv"
OPTIONS = {"pairs_left": "left_id", "pairs_right": "right_id", "candidates": 5, "on": "title"}
FLAGS = ["--pairs-left", "left_id", "--pairs-right", "right_id", "--candidates", 5, "--on", "title"]


@pytest.fixture(scope="module")
def model() -> likewise.Model:
    left, right, matches = (polars.read_csv(path, infer_schema=False) for path in (LEFT, RIGHT, MATCHES))
    return likewise.train(matches, left=left, right=right, **OPTIONS)  # type: ignore[arg-type]


def test_training_is_the_command_s(model: likewise.Model, tmp_path: Path) -> None:
    told = command("train", "--left", LEFT, "--right", RIGHT, "--pairs", MATCHES, *FLAGS, "-o", tmp_path / "c.lwm", "--json")
    assert model.figures == json.loads(told)
    model.save(tmp_path / "p.lwm")
    assert (tmp_path / "p.lwm").read_bytes() == (tmp_path / "c.lwm").read_bytes()
    assert "labelled pairs" in repr(model) and model.columns == [("title", "title")]


def test_links_and_clusters_by_a_model(model: likewise.Model, tmp_path: Path) -> None:
    model.save(tmp_path / "m.lwm")
    told = lines("match", LEFT, RIGHT, "--model", tmp_path / "m.lwm", "--one-to-one", "--keep", "title")
    left = polars.read_csv(LEFT, infer_schema=False)
    found = likewise.match(left, RIGHT, model=model, one_to_one=True, keep="title")
    assert told and only(found.to_dicts(), *told[0]) == told
    for row, pair in enumerate(found):
        why = found.explain(row)
        assert why.probability == pair.score and why.texts[0] == pair.left_title
    effects = [abs(effect["effect"]) for effect in why.effects]
    assert effects == sorted(effects, reverse=True) and effects[0] > 0
    assert f"{pair.score:.4f}: probability" in str(why) and pair.left_title in str(why)
    assert "probability" in why._repr_html_() and not why.parts
    told = lines("dedupe", LEFT, "--model", tmp_path / "m.lwm", "--only-duplicates")
    opened = likewise.Model.open(tmp_path / "m.lwm")
    assert likewise.dedupe(left, model=opened, only_duplicates=True).to_dicts() == told
    told = lines("dedupe", LEFT, "--model", tmp_path / "m.lwm", "--pairs", "--min", 0.2)
    pairs = likewise.dedupe(left, model=tmp_path / "m.lwm", pairs=True, min=0.2)
    assert pairs.to_dicts() == told
    assert [pairs.explain(row).probability for row in range(len(pairs))] == pairs["score"]
    scores = {(pair.left_id, pair.right_id): pair.score for pair in pairs}
    clusters = likewise.dedupe(left, model=opened, min=0.2)
    for row, member in enumerate(clusters):
        ids = sorted([member.id, member.representative], key=list(left["id"]).index)
        if tuple(ids) in scores:
            assert clusters.explain(row).probability == scores[tuple(ids)]
    assert likewise.evaluate("match", LEFT.parent, model=model).figures == lines(
        "eval", "match", LEFT.parent, "--model", tmp_path / "m.lwm"
    )


def test_ranking(tmp_path: Path) -> None:
    greetings = ["hello", "good day", "hi there", "good morning"]
    pairs = [(a, b, "1") for a in greetings for b in greetings] + [(a, "it rains", "0") for a in greetings]
    pairs += [(a, "no idea", "0") for a in greetings]
    table = tmp_path / "pairs.csv"
    table.write_text("query,candidate,label\n" + "".join(",".join(pair) + "\n" for pair in pairs))
    model = likewise.train(pyarrow.csv.read_csv(table), features=["length", "char-2"], report=True)
    assert model.html is not None and "iframe" in model._repr_html_()
    model.save(tmp_path / "m.lwm")
    pool = tmp_path / "pool.csv"
    pool.write_text("reply\ngood evening\nrain is good for the garden\nhello you\n")
    told = lines("rank", pool, "good day", "--on", "reply", "--model", tmp_path / "m.lwm")
    found = likewise.rank(pool, "good day", on="reply", model=model)
    assert told and found.to_dicts() == told
    many = likewise.rank(pool, ["good day", "hello"], on="reply", model=tmp_path / "m.lwm", k=1)
    assert many["query"] == [1, 2] and many["id"][0] == told[0]["id"]
    effects = found.explain(0).effects
    assert {effect["feature"] for effect in effects} and "effect" in found.explain(0)._repr_html_()


def test_weights_are_learned_without_labels() -> None:
    flags = ["--on", "title,price", "--id", "id", "--weights", "learn"]
    left = polars.read_csv(LEFT, infer_schema=False)
    found = likewise.match(left, RIGHT, on="title,price", id="id", weights="learn", keep="title")
    told = lines("match", LEFT, RIGHT, *flags, "--keep", "title")
    assert told and only(found.to_dicts(), *told[0]) == told
    assert found.report.threshold is not None and "by weights learned from" in found.report.threshold.reading
    why = found.explain(0)
    names = [effect["feature"] for effect in why.effects]
    assert names[1:-1] == ["title", "price", "all"] and not why.parts
    bits = sum(effect["effect"] for effect in why.effects)
    assert 1 / (1 + 2**-bits) == pytest.approx(told[0]["score"])
    assert "title = " in str(why) and "title" in why._repr_html_()

    pairs = likewise.dedupe(left, on=["title", "price"], id="id", weights="learn", pairs=True, min=0.2)
    assert pairs.to_dicts() == lines("dedupe", LEFT, *flags, "--pairs", "--min", 0.2)
    clusters = likewise.dedupe(left, on=["title", "price"], id="id", weights="learn")
    assert clusters.to_dicts() == lines("dedupe", LEFT, *flags)
    itself = next(at for at, row in enumerate(clusters) if row.id == row.representative)
    with pytest.raises(likewise.InputError, match="it is one row"):
        clusters.explain(itself)
    with pytest.raises(likewise.OptionError, match="at least two columns"):
        likewise.dedupe(left, on="title", weights="learn")
