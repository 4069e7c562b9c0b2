"""How well measures and models do on labelled data."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

from typing import Unpack

from . import _html, _likewise
from ._model import Model, model_of
from ._options import EvaluateOptions, encode
from ._settings import PathLike, Progress, how

Kind = Literal["match", "retrieve", "pairs", "rank", "answer"]


class Evaluation:
    """What measures or models reached. Shows its report in notebooks."""

    __slots__ = ("_found",)

    def __init__(self, found: _likewise.Evaluation) -> None:
        self._found = found

    @property
    def figures(self) -> list[dict[str, Any]]:
        """The figures, a dict for each measure or model."""
        told: list[dict[str, Any]] = json.loads(self._found.figures)
        return told

    @property
    def notes(self) -> list[str]:
        """What is good to know."""
        return self._found.notes

    @property
    def html(self) -> Optional[str]:
        """A page with curves and the worst errors."""
        return self._found.page

    def __repr__(self) -> str:
        return f"<likewise.Evaluation: {len(self.figures)} measures or models>"

    def _repr_html_(self) -> str:
        return _html.evaluation(self)


def evaluate(
    kind: Kind,
    data: PathLike,
    *,
    gold: Optional[str] = None,
    train: Optional[PathLike] = None,
    model: Union[Model, PathLike, Sequence[Union[Model, PathLike]], None] = None,
    parses: Any = (),
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """Evaluates measures or models on data in a file or folder, as `likewise eval` does.

    Kinds of data: `match` (a folder of records), `retrieve` and `rank` (a folder of queries, documents and judgements),
    `pairs` (a table; `gold` is its column of labels, `train` a table on which the threshold is chosen), `answer` (a file of
    questions, whose `model` is a file that the command trains).
    """
    run = how(threads, progress, parses)
    given: dict[str, Any] = dict(options)
    models: list[Any] = [] if model is None else list(model) if isinstance(model, (list, tuple)) else [model]
    if kind == "answer" and models:
        given["model"] = models.pop()
    opened = [(_name(one), model_of(one)) for one in models]
    path = None if train is None else os.fspath(train)
    return Evaluation(_likewise.evaluate(kind, os.fspath(data), encode(given), gold, path, opened, run))


def _name(model: Union[Model, PathLike]) -> str:
    if isinstance(model, Model):
        return model.path or "model"
    return os.fspath(model)
