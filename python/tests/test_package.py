"""The package is typed, and its stub and options are those of the engine."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import likewise
import notebooks
from conftest import ROOT
from likewise import _likewise, _options

PACKAGE = Path(likewise.__file__).parent
SPECIAL = {"__len__", "__arrow_c_stream__", "__new__"}


def _parameters(value: Any) -> list[str]:
    """The names of a function's parameters, as the module tells them."""
    text = getattr(value, "__text_signature__", None) or "()"
    return [name for name in re.findall(r"(\$?\w+)(?:=[^,)]*)?[,)]", text) if name not in ("$self", "self", "cls")]


def _of_stub(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]


def test_the_stub_is_that_of_the_module() -> None:
    stub = ast.parse((PACKAGE / "_likewise.pyi").read_text(encoding="utf-8"))
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    public = {name for name in vars(_likewise) if not name.startswith("_")}
    assert public == set(functions) | set(classes)
    for name, function in functions.items():
        assert _parameters(getattr(_likewise, name)) == _of_stub(function), name
    for name, node in classes.items():
        own = getattr(_likewise, name)
        methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        there = {key for key in vars(own) if not key.startswith("_")}
        assert there == {key for key in methods if not key.startswith("_")}, name
        for key, method in methods.items():
            assert key in SPECIAL or key in there
            is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in method.decorator_list)
            assert is_property == inspect.isgetsetdescriptor(vars(own).get(key)), (name, key)
            if key in there and not is_property:
                assert _parameters(getattr(own, key)) == _of_stub(method), (name, key)


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("compare", _options.CompareOptions),
        ("score", _options.ScoreOptions),
        ("search", _options.SearchOptions),
        ("match", _options.MatchOptions),
        ("dedupe", _options.DedupeOptions),
        ("build", _options.BuildOptions),
        ("add", _options.AddOptions),
        ("rank", _options.RankOptions),
        ("train", _options.TrainOptions),
        ("answer", _options.AnswerOptions),
    ],
)
def test_options_are_those_of_the_engine(task: str, options: type) -> None:
    assert set(options.__annotations__) | {k for base in options.__mro__ for k in getattr(base, "__annotations__", {})} == set(
        json.loads(_likewise.options(task))
    )


def test_options_of_evaluations_and_models_are_there() -> None:
    of_all = set(_options.EvaluateOptions.__annotations__) | set(_options.CompareOptions.__annotations__)
    for task in ("evaluate", "evaluate_rank"):
        assert set(json.loads(_likewise.options(task))) <= of_all
    of_match = set(_options.MatchOptions.__annotations__) | set(_options.CompareOptions.__annotations__)
    assert set(json.loads(_likewise.options("by_model"))) <= of_match


def test_everything_public_is_documented_and_typed() -> None:
    assert (PACKAGE / "py.typed").exists()
    for name in likewise.__all__:
        value = getattr(likewise, name)
        assert name == "__version__" or inspect.getdoc(value), name
        if inspect.isfunction(value):
            assert "return" in value.__annotations__, name
    assert get_type_hints(likewise.Threshold)


def _check_types(*paths: Path) -> None:
    run = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), *map(str, paths)]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_types_hold() -> None:
    _check_types(ROOT / "python/likewise")


def test_types_hold_for_who_uses_it(tmp_path: Path) -> None:
    used = sorted((ROOT / "examples").rglob("*.py"))
    for path in notebooks.NOTEBOOKS:
        source = tmp_path / f"{path.stem.replace('-', '_')}.py"
        source.write_text("\n\n".join(notebooks.code(notebooks.read(path))) + "\n", encoding="utf-8")
        used.append(source)
    _check_types(*used)


def test_the_import_is_quick() -> None:
    code = "import time; t = time.perf_counter(); import likewise; print(time.perf_counter() - t)"
    took = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(3)]
    assert min(took) < 0.5, "100 ms is the aim, on an idle machine"
