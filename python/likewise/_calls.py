"""The command's verbs as functions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union, overload

from typing import Unpack

from . import _likewise, _tables
from ._errors import InputError, OptionError
from ._index import Index, is_index
from ._measure import Measure, cached, several
from ._model import Model, model_of
from ._options import (
    AnswerOptions,
    DedupeOptions,
    MatchOptions,
    RankOptions,
    ScoreOptions,
    SearchOptions,
    columns,
    encode,
    names,
)
from ._results import Result
from ._settings import How, PathLike, Progress, how
from ._tables import Table, Texts, frame_of, kind_of

Names = Union[str, Sequence[str], None]


def _rows(table: Any, run: How) -> Union[_likewise.Frame, _likewise.Rows]:
    """A table or an index for the engine."""
    if isinstance(table, Index):
        return table._rows
    if is_index(table):
        return Index.open(table)._rows
    return frame_of(table, run)


@overload
def score(
    left: str,
    right: str,
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[ScoreOptions],
) -> Any: ...


@overload
def score(
    left: Texts,
    right: Texts,
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[ScoreOptions],
) -> Any: ...


@overload
def score(
    left: Table,
    right: None = None,
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[ScoreOptions],
) -> Result: ...


def score(
    left: Any,
    right: Any = None,
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[ScoreOptions],
) -> Any:
    """How alike texts are.

    - Two texts: a number. Two texts cannot tell which words are rare; `collection` can.
    - Two columns: a column of the kind of the first. Their texts are the collection, unless `collection` names another.
    - A table, with `on="left,right"`: a `Result`, the table with its scores.

    By several measures (`measure=[…]`): a dict of these, or a column for each.
    """
    run = how(threads, progress)
    by = several(options.get("measure"))
    if right is None and not isinstance(left, str) or isinstance(left, os.PathLike) and right is None:
        given = [str(measure) for measure in by]
        found = _likewise.score(frame_of(left, run), None, encode(options), given, run)
        return Result(found, kind_of(left), run)
    if right is None:
        if os.path.exists(left):
            given = [str(measure) for measure in by]
            found = _likewise.score(frame_of(left, run), None, encode(options), given, run)
            return Result(found, None, run)
        raise InputError(f"`{left}` is no file; to score two texts give two: likewise.score(text, text)")
    if isinstance(left, str) != isinstance(right, str):
        raise InputError("give two texts, or two columns of texts")
    if isinstance(left, str):
        return _by_each(by, lambda measure: _two_texts(left, right, measure, options))
    if options.get("on") is not None:
        raise OptionError("option `on` names the columns of a table, and these are two columns")
    first, second = (frame_of(side, run, one=True) for side in (left, right))

    def scores(measure: Union[str, Measure, None]) -> Any:
        bound = _likewise.Measure(encode({**options, "measure": measure}), run)
        return _tables.numbers_like(bound.pairs(first, second, run), left)

    return _by_each(by, scores)


def _by_each(by: list[Any], score_by: Any) -> Any:
    if len(by) <= 1:
        return score_by(by[0] if by else None)
    return {str(measure): score_by(measure) for measure in by}


def _two_texts(left: str, right: str, measure: Any, options: Mapping[str, Any]) -> float:
    analyzer, collection = options.get("analyzer"), options.get("collection")
    unknown = set(options) - {"measure", "analyzer", "collection"}
    if unknown:
        # The engine says what is wrong with it.
        _likewise.Measure(encode({name: options[name] for name in unknown if name not in ("on", "id")}), how())
        raise OptionError(f"option `{min(unknown)}` names columns, and these are two texts")
    if collection is None and not isinstance(measure, Measure):
        return cached(measure or "", analyzer).score(left, right)
    if isinstance(measure, Measure) and analyzer is None and collection is None:
        return measure.score(left, right)
    return Measure(measure or "", analyzer=analyzer, collection=collection).score(left, right)


def search(
    table: Union[Table, Index],
    queries: Any,
    *,
    query_on: Names = None,
    query_id: Optional[str] = None,
    keep: Names = None,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[SearchOptions],
) -> Result:
    """The rows of a table or index most like a query, best first: `rank`, `id`, `score`, `text`, and columns to `keep`.

    `queries` is a text; with weighted columns a tuple of texts, in the order of `on`; or many: a list of texts, or a table,
    whose column `query_on` is compared (that of the same name without it) and whose rows go by `query_id`. With many, the
    column `query` says which.
    """
    run = how(threads, progress)
    asked, on = _asked(queries, query_on, run)
    found = _likewise.search(_rows(table, run), asked, encode(options), names(keep), on, query_id, run)
    return Result(found, kind_of(queries) or kind_of(table), run)


def _readable(text: str) -> str:
    """A text that can be written as UTF-8, as Python's may not be."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the query: {error}") from None
    return text


def _asked(queries: Any, query_on: Names, run: How) -> tuple[Any, Optional[str]]:
    """A query's texts, or a table of queries."""
    if isinstance(queries, str):
        return [_readable(queries)], None
    if isinstance(queries, tuple) and queries and all(isinstance(text, str) for text in queries):
        return [_readable(text) for text in queries], None
    return frame_of(queries, run), columns(query_on)


def match(
    left: Table,
    right: Union[Table, Index],
    *,
    keep: Names = None,
    model: Union[Model, PathLike, None] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[MatchOptions],
) -> Result:
    """For each row of a table its best rows of another table or of an index: `left_id`, `right_id`, `score` and `rank`
    (among the row's own), and columns to `keep` (`"name"` of both, `"right.price"` of one).

    Without `min` a threshold is proposed, and `report.threshold` says why. `one_to_one=True` uses each row at most once.
    With a `model` pairs are decided by probability; then `k`, `min`, `one_to_one` and ids are the options.
    """
    run = how(threads, progress)
    tables = frame_of(left, run), _rows(right, run)
    found = _likewise.match_tables(*tables, encode(options), names(keep), model_of(model), run)
    return Result(found, kind_of(left) or kind_of(right), run)


#: What options of dedupe say of clusters: with a model, all others are about the model.
_OF_CLUSTERS = ("method", "only_duplicates", "representatives")


def dedupe(
    table: Union[Table, Index],
    *,
    pairs: bool = False,
    unique: bool = False,
    keep: Names = None,
    model: Union[Model, PathLike, None] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[DedupeOptions],
) -> Result:
    """The rows of a table in clusters of duplicates: `id`, `cluster` (from 1) and `representative`, and columns to `keep`.

    With `pairs` the pairs instead: `left_id`, `right_id` and `score`. With `unique` the table itself, of each cluster the
    row that stands for it. Without `min` a threshold is learned from `labels` or proposed, and `report.threshold` says why.
    """
    if pairs and unique:
        raise OptionError("give option `pairs` or option `unique`, not both")
    run = how(threads, progress)
    given: dict[str, Any] = dict(options)
    by: dict[str, Any] = {}
    if model is not None:
        by = {name: value for name, value in given.items() if name not in _OF_CLUSTERS}
        given = {name: value for name, value in given.items() if name in _OF_CLUSTERS}
    form = "pairs" if pairs else "unique" if unique else "clusters"
    found = _likewise.dedupe(
        _rows(table, run), encode(given), encode(by), form, names(keep), model_of(model), run
    )
    return Result(found, kind_of(table), run)


def rank(
    table: Union[Table, Index],
    queries: Any,
    *,
    model: Union[Model, PathLike],
    query_on: Names = None,
    query_id: Optional[str] = None,
    keep: Names = None,
    parses: Any = (),
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[RankOptions],
) -> Result:
    """The rows of a table or index for a query, candidates by a measure, put in order by a model: `rank`, `id`, `score`
    (the probability), `retrieved` (the score of retrieval) and `text`."""
    run = how(threads, progress, parses)
    asked, on = _asked(queries, query_on, run)
    opened = model_of(model)
    if opened is None:
        raise OptionError("option `model` is needed: a model of likewise.train, or its file")
    found = _likewise.rank(
        _rows(table, run), asked, opened, encode(options), names(keep), on, query_id, run
    )
    return Result(found, kind_of(queries) or kind_of(table), run)


def answer(
    questions: Union[PathLike, Table],
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[AnswerOptions],
) -> list[dict[str, Any]]:
    """Answers questions with choices from their documents: a dict for each, with `answer`, `choice`, `scores` and
    `evidence`.

    `questions` is a file of JSON Lines, or dicts: `{"document": …, "question": …, "choices": […]}`.
    """
    run = how(threads, progress)
    given: Any = [questions] if isinstance(questions, Mapping) and _is_question(questions) else questions
    asked = os.fspath(given) if _tables.is_path(given) else frame_of(given, run)
    told: list[dict[str, Any]] = json.loads(_likewise.answer(asked, encode(options), run))
    return told


def _is_question(questions: Mapping[str, Any]) -> bool:
    return isinstance(questions.get("question"), str)


def parse(
    text: Union[str, Iterable[str]],
    *,
    model: Optional[PathLike] = None,
    output: str = "dict",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Any:
    """Sentences, words, tags, lemmas and dependency trees of English text, or of another language by a `model` of
    `likewise parse train`.

    Gives a list of sentences, each a dict of `text` and `words`; with `output="conllu"` or `"tree"` a text. Of several
    texts, a list of these.
    """
    if output not in ("dict", "conllu", "tree"):
        raise OptionError(f"option `output` is `{output}`; there are dict, conllu and tree")
    texts = [text] if isinstance(text, str) else list(text)
    path = None if model is None else os.fspath(model)
    told = _likewise.parse(texts, path, output, how(threads, progress))
    parsed: list[Any] = [json.loads(one) for one in told] if output == "dict" else told
    return parsed[0] if isinstance(text, str) else parsed
