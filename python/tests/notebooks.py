"""Runs the notebooks of `examples/notebooks`.

`python python/tests/notebooks.py` says which outputs are not those that are stored; `--write` stores those of this run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))

#: What a notebook says of itself: nothing that differs from one machine to the next.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read(path: Path) -> Any:
    """A notebook as it is stored."""
    return nbformat.read(path, as_version=4)


def code(notebook: Any) -> list[str]:
    """The sources of its code cells."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook: Any) -> list[list[dict[str, Any]]]:
    """The outputs of its code cells. What a cell prints may come in pieces, which are put together."""
    found: list[list[dict[str, Any]]] = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        whole: list[dict[str, Any]] = []
        for output in cell.outputs:
            if output.output_type == "stream" and whole and whole[-1].get("name") == output.name:
                whole[-1]["text"] += output.text
            else:
                whole.append(dict(output))
        found.append(whole)
    return found


def without_counts(whole: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs of a cell, whenever it ran."""
    return [{name: value for name, value in output.items() if name != "execution_count"} for output in whole]


@contextmanager
def _own_settings(folder: Path) -> Iterator[None]:
    """No settings of the user's, and results that are the same whatever the terminal."""
    given = {"IPYTHONDIR": str(folder), "JUPYTER_PREFER_ENV_PATH": "1", "COLUMNS": "120"}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def run(path: Path) -> Any:
    """A notebook with the outputs of a run in a copy of the examples. An exception in a cell is raised."""
    notebook = read(path)
    with tempfile.TemporaryDirectory() as scratch, _own_settings(Path(scratch) / "ipython"):
        copied = Path(scratch) / "examples"
        shutil.copytree(EXAMPLES, copied)
        folder = copied / "notebooks"
        client = NotebookClient(
            notebook,
            timeout=600,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
        )
        client.execute()
    return notebook


def tidy(notebook: Any) -> Any:
    """A notebook without what differs between runs."""
    notebook.metadata = nbformat.from_dict(METADATA)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, (cell, whole) in enumerate(zip(cells, outputs(notebook)), 1):
        cell.metadata = nbformat.from_dict({})
        cell.execution_count = number
        numbered = [{**output, "execution_count": number} if "execution_count" in output else output for output in whole]
        cell.outputs = [nbformat.from_dict(output) for output in numbered]
    return notebook


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="store the outputs of this run")
    parser.add_argument("notebooks", nargs="*", type=Path, default=NOTEBOOKS, help="all of them without this")
    given = parser.parse_args()
    differ = 0
    for path in given.notebooks:
        stored, found = outputs(read(path)), tidy(run(path))
        same = stored == outputs(found)
        differ += not same
        print(f"{path.name}: {'as stored' if same else 'stored anew' if given.write else 'differs'}")
        if given.write:
            nbformat.write(found, path)
    return 1 if differ and not given.write else 0


if __name__ == "__main__":
    sys.exit(main())
