"""What docs/python.md and the README show is so."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

import likewise
from conftest import ROOT

PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_first_example_prints_what_the_page_says() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(_blocks(PAGE, "python")[0], {})
    assert printed.getvalue() == _blocks(PAGE, "text")[0]


def test_the_readme_prints_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = _blocks(README, "python")
    section = README[README.index("```python") :]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(block, {})
    assert printed.getvalue() == _blocks(section, "text")[0]


def test_measures_on_the_page_are_measures() -> None:
    expressions = re.findall(r"""measure=["']([^…]+?)["']\)?[,`)]""", PAGE)
    assert len(expressions) > 6
    for expression in expressions:
        if "vectors" not in expression:
            assert likewise.Measure(expression.replace('\\"', '"')), expression


def test_calls_on_the_page_are_there() -> None:
    for name in re.findall(r"likewise\.(\w+)\(", PAGE):
        assert hasattr(likewise, name), name
