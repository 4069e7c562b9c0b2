"""Tables of all kinds in, and results of the same kind out. Nothing is imported that the caller does not have already."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Protocol, TypeAlias, Union, runtime_checkable

from ._errors import InputError, MissingPackageError
from ._likewise import Frame
from ._settings import How


@runtime_checkable
class ArrowStream(Protocol):
    """Whatever exports an Arrow stream: frames of pandas, Polars, pyarrow, DuckDB's relations, and many more."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


#: A file, a frame, columns by their names, rows, or one column of texts.
Table: TypeAlias = Union[
    str,
    "os.PathLike[str]",
    ArrowStream,
    Mapping[str, Iterable[Any]],
    Sequence[Mapping[str, Any]],
    Iterable[Optional[str]],
]
#: One column of texts: a list, or a series of pandas', Polars', pyarrow's or numpy's.
Texts: TypeAlias = Union[ArrowStream, Iterable[Optional[str]]]


def kind_of(table: Any) -> Optional[str]:
    """Whose frame it is."""
    module = type(table).__module__.partition(".")[0].lstrip("_")
    return module if module in ("pandas", "polars", "pyarrow", "duckdb", "numpy") else None


def is_path(table: Any) -> bool:
    """Whether it names a file."""
    return isinstance(table, (str, os.PathLike))


def need(package: str, what: str) -> Any:
    """A package that only some calls need."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingPackageError(f"{what} needs the package {package}, which is not installed") from error


def _installed(package: str) -> Any:
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        return None


def frame_of(table: Any, how: How, *, one: bool = False) -> Frame:
    """A table for the engine. With `one`, a single column of texts; a list of texts then is no list of rows."""
    if isinstance(table, Frame):
        return table
    if is_path(table):
        if one:
            raise InputError("a column of texts is wanted here, and this is one text; put it into a list")
        return Frame.of_file(os.fspath(table), how)
    kind = kind_of(table)
    if kind == "pandas":
        return _of_pandas(table)
    if kind == "polars":
        return _of_polars(table)
    if kind == "numpy":
        return _of_list("text", table.tolist())
    if kind == "pyarrow" and type(table).__name__ in ("ChunkedArray",) or _is_array(table):
        pyarrow = need("pyarrow", "a column of pyarrow's")
        return Frame.of_arrow(pyarrow.table({"text": table}))
    if kind == "duckdb" and not hasattr(table, "__arrow_c_stream__"):
        return Frame.of_arrow(table.fetch_arrow_table())
    if hasattr(table, "__arrow_c_stream__"):
        return Frame.of_arrow(table)
    if isinstance(table, Mapping):
        columns = {str(name): _values(values) for name, values in table.items()}
        return Frame.of_lists(list(columns), list(columns.values()))
    return _of_list("text", _values(table))


def _is_array(table: Any) -> bool:
    """An Arrow array of whatever maker, which is one column."""
    return hasattr(table, "__arrow_c_array__") and not hasattr(table, "__arrow_c_stream__")


def _values(values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)):
        raise InputError("a column is a list of texts, and this is one text; put it into a list")
    kind = kind_of(values)
    if kind == "pandas":
        return _plain_series(values)
    if kind in ("numpy", "pyarrow"):
        plain: list[Any] = values.tolist() if kind == "numpy" else values.to_pylist()
        return plain
    if kind == "polars":
        plain = values.to_list()
        return plain
    try:
        return list(values)
    except TypeError:
        raise InputError(
            f"a table is a frame, a file, columns by their names, rows, or a list of texts, and this is of type "
            f"{type(values).__name__}"
        ) from None


def _of_list(name: str, values: list[Any]) -> Frame:
    """A column, or rows that are dicts."""
    if values and isinstance(values[0], Mapping):
        names = list(dict.fromkeys(str(key) for row in values for key in row))
        return Frame.of_lists(names, [[_cell(row.get(name)) for row in values] for name in names])
    return Frame.of_lists([name], [values])


def _cell(value: Any) -> Any:
    """A list in a cell is kept as JSON, as in a file."""
    return json.dumps(value) if isinstance(value, (list, tuple)) else value


def _plain_series(series: Any) -> list[Any]:
    """A column of pandas' as Python's values, for where pyarrow is not installed. Dates become text."""
    nothing = series.isna().tolist()
    plain = (str, int, float, bool)
    return [
        None if empty else value if isinstance(value, plain) else str(value)
        for value, empty in zip(series.tolist(), nothing)
    ]


def _of_pandas(table: Any) -> Frame:
    pyarrow = _installed("pyarrow")
    if hasattr(table, "columns") and hasattr(table, "dtypes"):
        twice = table.columns[table.columns.duplicated()].tolist()
        if twice:
            raise InputError(f"two columns are called `{twice[0]}`")
        if pyarrow is not None:
            try:
                # The index is no column: rows go by a column, or by their numbers.
                arrow = pyarrow.Table.from_pandas(table, preserve_index=False)
            except (TypeError, ValueError) as error:
                raise InputError(f"a column holds values of several kinds; make it one kind: {error}") from error
            return Frame.of_arrow(arrow)
        names = [str(name) for name in table.columns]
        columns = [_plain_series(table.iloc[:, at]) for at in range(len(names))]
        return Frame.of_lists(names, columns)
    if pyarrow is not None:
        return Frame.of_arrow(pyarrow.table({"text": pyarrow.Array.from_pandas(table)}))
    return _of_list("text", _plain_series(table))


def _of_polars(table: Any) -> Frame:
    if hasattr(table, "collect"):
        table = table.collect()
    if hasattr(table, "to_frame"):
        table = table.alias("text").to_frame()
    polars = need("polars", "a frame of Polars")
    # A column of nothing but nulls has no kind yet.
    empty = [name for name, kind in table.schema.items() if kind == polars.Null]
    if empty:
        table = table.with_columns(polars.col(empty).cast(polars.String))
    return Frame.of_arrow(table)


def native(frame: Any, kind: Optional[str]) -> Any:
    """A table of results as the kind of frame that went in; a list of dicts where none did."""
    if kind == "pandas":
        return to_pandas(frame)
    if kind == "polars":
        return need("polars", "a frame of Polars").DataFrame(frame)
    if kind == "pyarrow":
        return need("pyarrow", "a table of pyarrow").table(frame)
    if kind == "duckdb":
        return need("duckdb", "a relation").from_arrow(need("pyarrow", "a relation").table(frame))
    columns = frame.to_dict()
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def to_pandas(frame: Any) -> Any:
    pandas = need("pandas", "a frame of pandas")
    pyarrow = _installed("pyarrow")
    if pyarrow is None:
        return pandas.DataFrame(frame.to_dict())
    return pyarrow.table(frame).to_pandas()


def numbers_like(scores: bytearray, like: Any) -> Any:
    """Scores as the kind of column that went in: a list where it was one."""
    kind = kind_of(like)
    if kind in ("pandas", "numpy"):
        array = need("numpy", "an array").frombuffer(scores, dtype="f8")
        if kind == "numpy":
            return array
        return need("pandas", "a series").Series(array, index=like.index, name="score")
    if kind == "pyarrow":
        pyarrow = need("pyarrow", "an array")
        buffers = [None, pyarrow.py_buffer(scores)]
        return pyarrow.Array.from_buffers(pyarrow.float64(), len(scores) // 8, buffers)
    if kind == "polars":
        return need("polars", "a series").DataFrame(Frame.of_scores(scores)).to_series()
    return memoryview(scores).cast("d").tolist() if scores else []


def matrix(scores: bytearray, rows: int, columns: int) -> Any:
    """A matrix of scores: numpy's where that is installed, or else a memoryview of two dimensions."""
    numpy = _installed("numpy")
    if numpy is not None:
        return numpy.frombuffer(scores, dtype="f8").reshape(rows, columns)
    return memoryview(scores).cast("d", shape=(rows, columns)) if scores else memoryview(b"")
