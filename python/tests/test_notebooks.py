"""The notebooks of examples/notebooks run, and print what is stored in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import notebooks


def test_there_are_notebooks() -> None:
    assert len(notebooks.NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored(path: Path) -> None:
    stored = notebooks.read(path)
    found = notebooks.outputs(notebooks.run(path))
    for source, was, now in zip(notebooks.code(stored), notebooks.outputs(stored), found, strict=True):
        where = f"{path.name}, the cell that ends with `{source.splitlines()[-1].strip()}`"
        again = "`python python/tests/notebooks.py --write` stores what is printed now"
        assert notebooks.without_counts(now) == notebooks.without_counts(was), f"{where}; {again}"


@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_the_same_wherever_it_was_written(path: Path) -> None:
    stored = notebooks.read(path)
    assert stored.metadata == notebooks.METADATA
    assert all(not cell.metadata for cell in stored.cells)
    text = path.read_text(encoding="utf-8")
    assert not any(place in text for place in ("/home/", "/root/", "/tmp/", "/Users/", "site-packages", " at 0x"))


@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    cells = notebooks.read(path).cells
    linked = re.findall(r"\]\(([^)#]+)", "\n".join(cell.source for cell in cells if cell.cell_type == "markdown"))
    assert linked
    for link in linked:
        assert (path.parent / link).exists(), link
