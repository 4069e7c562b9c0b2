"""What calls give back: a long table of results, with what there is to report and why."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional, Union, overload

from . import _html, _tables
from ._likewise import Found
from ._settings import How, how


class Threshold(NamedTuple):
    """The score from which on rows belong together."""

    #: Rows that score at least this belong together.
    min: float
    #: `"given"`, `"learned"`, `"proposed"` or `"unneeded"`.
    chosen: str
    #: How it was found and how sure it is.
    reading: str


class Report(NamedTuple):
    """What a call reports besides its results."""

    #: The measures in their canonical form, one for each text of a row.
    measure: list[str]
    #: The threshold, if there is one.
    threshold: Optional[Threshold]
    #: What is good to know, each a sentence.
    notes: list[str]


class Part(NamedTuple):
    """Why two texts score what they score by one measure."""

    left: str
    right: str
    score: float
    #: What the score is, in words.
    reading: str
    #: What meets in the texts, and what each gives, the largest first: dicts of `left`, `right` and `contribution`.
    matches: list[dict[str, Any]]
    #: The measure, in canonical form.
    measure: str
    #: The column and its weight, where columns have weights.
    column: Optional[str]
    weight: Optional[float]
    #: Everything there is to know, as the command prints it with `--json`.
    details: dict[str, Any]
    #: The texts in pieces, each with how strongly it meets.
    pieces: tuple[list[tuple[str, float]], list[tuple[str, float]]]


class Explanation:
    """Why two texts score what they score: a part for each column, or for each measure. Shows itself in notebooks."""

    def __init__(self, told: list[dict[str, Any]]) -> None:
        self._told = told
        #: One for each column or measure; none where a model decided or ranked, or weights were learned.
        self.parts = [_part(part) for part in told if "effects" not in part]
        #: The two texts that a model compared.
        self.texts: list[str] = [p[side] for p in told if "effects" in p for side in ("left", "right") if side in p]
        #: The probability that two rows are the same thing, where a model or learned weights decided.
        self.probability: Optional[float] = next((p["score"] for p in told if "effects" in p and "score" in p), None)
        #: What each feature did to the probability, where a model decided or ranked: dicts of `feature`, `value` and `effect`, the
        #: strongest first. By learned weights what each column adds, in bits, and how alike it is: None where a cell is empty.
        self.effects: list[dict[str, Any]] = [e for part in told for e in part.get("effects", [])]

    @property
    def matches(self) -> list[dict[str, Any]]:
        """What meets in the texts, of all parts."""
        return [match for part in self.parts for match in part.matches]

    def to_dict(self) -> list[dict[str, Any]]:
        """Everything, as plain data."""
        return self._told

    def __str__(self) -> str:
        lines: list[str] = []
        for part in self.parts:
            if part.column is not None:
                lines.append(f"{part.weight} × {part.column}")
            lines += [f"  {part.left}", f"  {part.right}"]
            for match in part.matches:
                left, right = match["left"], match["right"]
                what = left if left == right else f"{left or ''} ~ {right or ''}"
                lines.append(f"    {what:<24} {match['contribution']:>9.4f}")
            lines.append(f"  {part.score:.4f}: {part.reading}")
        lines += [f"  {text}" for text in self.texts]
        for effect in self.effects:
            value = "" if effect["value"] is None else f" = {effect['value']:.3f}"
            lines.append(f"  {effect['effect']:+.3f}  {effect['feature']}{value}")
        if self.probability is not None:
            lines.append(f"  {self.probability:.4f}: probability")
        return "\n".join(lines)

    def __repr__(self) -> str:
        scores = ", ".join(f"{part.score:.4f}" for part in self.parts)
        return f"<likewise.Explanation: {scores or f'{len(self.effects)} features'}>"

    def _repr_html_(self) -> str:
        return _html.explanation(self)


def _part(told: dict[str, Any]) -> Part:
    left, right = ([(text, strength) for text, strength in pieces] for pieces in told["pieces"])
    return Part(
        left=told["left"],
        right=told["right"],
        score=told["score"],
        reading=told["reading"],
        matches=told["matches"],
        measure=told["measure"],
        column=told.get("column"),
        weight=told.get("weight"),
        details=told["explanation"],
        pieces=(left, right),
    )


class Result:
    """A long table of results.

    It exports an Arrow stream, so that any library of frames takes it; `frame` is the kind of frame that went in. It
    iterates over named tuples. `stats` and `report` say how it came about, `explain(i)` why row `i` scores what it scores.
    """

    #: Rows are read from the engine so many at a time.
    _CHUNK = 4096

    def __init__(self, found: Found, kind: Optional[str], run: How) -> None:
        self._found = found
        self._table = found.frame
        self._kind = kind
        self._how: How = (run[0], None, run[2], run[3])
        self._frame: Any = None

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.columns

    @property
    def stats(self) -> Optional[dict[str, Any]]:
        """The work that a search was: plan, texts, scored, skipped and more."""
        return None if self._found.stats is None else json.loads(self._found.stats)

    @property
    def report(self) -> Report:
        """Measures, the threshold and why it was chosen, and notes."""
        if self._found.report is None:
            return Report([], None, [])
        told = json.loads(self._found.report)
        threshold = None if told["threshold"] is None else Threshold(**told["threshold"])
        return Report(told["measure"], threshold, told["notes"])

    @property
    def frame(self) -> Any:
        """The results as the kind of frame that went in: pandas, Polars, pyarrow, a DuckDB relation; a list of dicts where
        none did."""
        if self._frame is None:
            self._frame = _tables.native(self._table, self._kind)
        return self._frame

    def to_pandas(self) -> Any:
        """As a frame of pandas."""
        return _tables.to_pandas(self._table)

    def to_polars(self) -> Any:
        """As a frame of Polars."""
        return _tables.native(self._table, "polars")

    def to_arrow(self) -> Any:
        """As a table of pyarrow."""
        return _tables.native(self._table, "pyarrow")

    def to_duckdb(self, connection: Any = None) -> Any:
        """As a relation, of a connection or of DuckDB's default one."""
        table = self.to_arrow()
        return (connection or _tables.need("duckdb", "a relation")).from_arrow(table)

    def to_dict(self) -> dict[str, list[Any]]:
        """As lists by the names of the columns."""
        return self._table.to_dict()

    def to_dicts(self) -> list[dict[str, Any]]:
        """As a list of dicts."""
        rows: list[dict[str, Any]] = _tables.native(self._table, None)
        return rows

    def explain(self, row: int) -> Explanation:
        """Why a row, counted from 0, scores what it scores."""
        return Explanation(json.loads(self._found.explain(self._number(row), self._how)))

    def _number(self, row: int) -> int:
        """The number of a row; one below 0 counts from the end."""
        number = row + len(self) if row < 0 else row
        if not 0 <= number < len(self):
            raise IndexError(f"there is no row {row}: there are {len(self)}")
        return number

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[Any]:
        row = namedtuple("Row", self.columns, rename=True)  # type: ignore[misc]
        for start in range(0, len(self), self._CHUNK):
            lists = [self._table.values(name, start, self._CHUNK) for name in self.columns]
            yield from map(row, *lists)

    @overload
    def __getitem__(self, at: int) -> Any: ...

    @overload
    def __getitem__(self, at: str) -> list[Any]: ...

    def __getitem__(self, at: Union[int, str]) -> Any:
        """A row by its number, or the values of a column by its name."""
        if isinstance(at, str):
            if at not in self.columns:
                raise KeyError(at)
            return self._table.values(at, 0, len(self))
        number = self._number(at)
        row = namedtuple("Row", self.columns, rename=True)  # type: ignore[misc]
        return row(*(self._table.values(name, number, 1)[0] for name in self.columns))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        columns = self.columns
        shown = [columns, *([_cell(value) for value in row] for row in _head(self, 10))]
        widths = [max(len(row[at]) for row in shown) for at in range(len(columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in shown]
        rest = len(self) - (len(shown) - 1)
        return "\n".join(lines + ([f"… and {rest:,} more rows"] if rest > 0 else []))

    def _repr_html_(self) -> str:
        return _html.result(self, _head(self, 20))


def _head(result: Result, rows: int) -> list[tuple[Any, ...]]:
    count = min(rows, len(result))
    return list(zip(*(result._table.values(name, 0, count) for name in result.columns)))


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    text = "" if value is None else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def explain(measure: Any, left: str, right: str) -> Explanation:
    """An explanation by a measure of the engine's."""
    return Explanation(json.loads(measure.explain(left, right)))


def default_how() -> How:
    """How calls are run that say nothing."""
    return how()
