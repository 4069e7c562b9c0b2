"""What the tests share: tables of every kind, and the command's own output to hold results to."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

Rows = list[dict[str, Any]]


def _arrow(path: Path) -> Any:
    """A table with all columns as text, as the command sees it."""
    names = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    options = pyarrow.csv.ConvertOptions(column_types={name: pyarrow.string() for name in names})
    return pyarrow.csv.read_csv(path, convert_options=options)


#: Kinds of tables, and how one is made of a CSV file.
KINDS: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda path: pandas.read_csv(path, dtype=str),
    "polars": lambda path: polars.read_csv(path, infer_schema=False),
    "pyarrow": _arrow,
    "duckdb": lambda path: duckdb.sql(f"SELECT * FROM read_csv('{path}', all_varchar = true)"),
    "dict": lambda path: _arrow(path).to_pydict(),
    "dicts": lambda path: _arrow(path).to_pylist(),
    "file": lambda path: path,
}


@pytest.fixture(params=list(KINDS))
def read(request: pytest.FixtureRequest) -> Callable[[Path], Any]:
    """Reads an example as a table of one kind; a test runs with each."""
    return KINDS[request.param]


def command(*arguments: object, check: bool = True) -> str:
    """What the command prints."""
    run = [sys.executable, "-m", "likewise", "--quiet", *map(str, arguments)]
    done = subprocess.run(run, capture_output=True, text=True, encoding="utf-8", cwd=ROOT)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def lines(*arguments: object) -> Rows:
    """What the command prints as JSON Lines."""
    return [json.loads(line) for line in command(*arguments, "--json").splitlines()]


def only(rows: Rows, *columns: str) -> Rows:
    """Some columns of rows."""
    return [{name: row[name] for name in columns} for row in rows]
