"""How calls behave: signals, forks, threads, progress, pickles, exceptions."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import likewise
from conftest import EXAMPLES

NAMES = [f"name {at} of {at * 7919 % 1000}" for at in range(4000)]

LONG = """
import likewise, sys
names = [f"the name {at} of company number {at * 7919 % 100000}" for at in range(20000)]
print("begun", flush=True)
try:
    CALL
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        "likewise.match(names, names, measure='monge-elkan', k=5, min=0)",
        "likewise.dedupe(names, measure='monge-elkan', min=0.99)",
        "likewise.cdist(names, names, measure='monge-elkan')",
        "likewise.search(names, names, measure='monge-elkan', threads=1)",
        "likewise.cpdist(names * 50, names[1:] * 50 + names[:50], measure='monge-elkan')",
        "likewise.train({'query': names, 'candidate': names[::-1], 'label': [at % 2 for at in range(20000)]}, features='sentences')",
    ],
)
def test_ctrl_c_stops_within_a_second(call: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", LONG.replace("CALL", call)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(1.5)
    assert process.poll() is None, "it was to take long"
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    said = process.stdout.readline()
    took = time.monotonic() - sent
    process.kill()
    process.wait()
    assert said == "stopped\n"
    assert took < 1.0, f"{took:.2f} s"


def test_a_build_that_is_stopped_leaves_no_index(tmp_path: Path) -> None:
    path = tmp_path / "names.lw"
    likewise.Index.build(["Ana"], path)

    def stop(stage: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    many = [f"the name {at} of company number {at * 7919 % 100000}" for at in range(300_000)]
    with pytest.raises(KeyboardInterrupt):
        likewise.Index.build(many, path, progress=stop)
    deadline = time.monotonic() + 20
    while len(list(tmp_path.iterdir())) > 1 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(likewise.Index.open(path)) == 1 and likewise.Index.open(path).verify() == []


FORK = """
import os, sys, likewise
names = [f"name {at} of {at * 7919 % 1000}" for at in range(3000)]
index = likewise.Index(names)
first = index.search(names[:500], k=3).to_dicts()
child = os.fork()
if child == 0:
    try:
        same = index.search(names[:500], k=3).to_dicts() == first
        same = same and likewise.cdist(names[:300], measure="levenshtein") is not None
        os._exit(0 if same else 3)
    except BaseException:
        os._exit(4)
_, status = os.waitpid(child, 0)
assert index.search(names[:500], k=3).to_dicts() == first
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_searches_in_parallel() -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], timeout=60)
    assert done.returncode == 0


PROCESSES = """
import multiprocessing, sys, likewise

names = [f"name {at} of {at * 7919 % 1000}" for at in range(3000)]

def work(index, measure, name):
    hits = index.search([name, name + "x"], k=3).to_dicts()
    return hits, measure.score(name, "name 7"), likewise.score(name, names[0])

if __name__ == "__main__":
    index, measure = likewise.Index.build(names, sys.argv[2]), likewise.Measure("sc(q=2:3)")
    expected = [work(index, measure, name) for name in names[:4]]
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        found = pool.starmap_async(work, [(index, measure, name) for name in names[:4]]).get(timeout=60)
    assert found == expected
"""


# In a process of its own: a fork of this one would take along the threads of DuckDB and Polars.
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_take_indexes_and_measures(method: str, tmp_path: Path) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not here")
    script = tmp_path / "work.py"
    script.write_text(PROCESSES)
    run = [sys.executable, "-W", "ignore", str(script), method, str(tmp_path / "names.lw")]
    subprocess.run(run, timeout=90, check=True)


def test_pickles(tmp_path: Path) -> None:
    index = likewise.Index.build(["Ana", "Bo"], tmp_path / "names.lw")
    again = pickle.loads(pickle.dumps(index))
    assert again.path == index.path and again.search("Bo").to_dicts() == index.search("Bo").to_dicts()
    with pytest.raises(likewise.Error, match="in memory"):
        pickle.dumps(likewise.Index(["Ana"]))
    for expression in ("sc(q=2:4)", "0.5*sc + 0.5*jaro", ""):
        measure = likewise.Measure(expression)
        again = pickle.loads(pickle.dumps(measure))
        assert again == measure and again("Ana", "Anna") == measure("Ana", "Anna")


def test_threads_search_one_index_at_once() -> None:
    index = likewise.Index(NAMES)
    expected = [index.search(NAMES[at : at + 200], k=3).to_dicts() for at in range(0, 800, 200)]
    found: list[Any] = [None] * 8

    def search(number: int) -> None:
        at = number % 4 * 200
        found[number] = index.search(NAMES[at : at + 200], k=3, threads=1 + number % 2).to_dicts()

    threads = [threading.Thread(target=search, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == expected * 2


def test_other_threads_go_on_while_work_is_done() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.01)

    ticking = threading.Thread(target=tick)
    ticking.start()
    began = time.monotonic()
    likewise.dedupe(NAMES[:1000], measure="monge-elkan", min=0.95)
    took = time.monotonic() - began
    done.set()
    ticking.join()
    assert ticks > took / 0.01 * 0.2


def test_results_do_not_depend_on_threads() -> None:
    one = likewise.match(NAMES, NAMES[::-1], k=2, min=0, threads=1).to_dict()
    assert likewise.match(NAMES, NAMES[::-1], k=2, min=0, threads=3).to_dict() == one
    likewise.configure(threads=2)
    try:
        assert likewise.match(NAMES, NAMES[::-1], k=2, min=0).to_dict() == one
    finally:
        likewise.configure()
    for wrong in (0, -1, 5000):
        with pytest.raises(likewise.OptionError):
            likewise.search(NAMES, "x", threads=wrong)


def test_progress_is_told_in_the_thread_that_called(capfd: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[str, int, int | None]] = []

    def callback(stage: str, done: int, total: int | None) -> None:
        assert threading.current_thread() is threading.main_thread()
        told.append((stage, done, total))

    names = NAMES[:1000]
    likewise.match(names, names, measure="monge-elkan", k=1, min=0.9, progress=callback)
    assert told and {stage for stage, _, _ in told} <= {"rows indexed", "rows matched"}
    assert all(total is None or done <= total for _, done, total in told)
    capfd.readouterr()
    likewise.search(names, NAMES[:100], measure="monge-elkan")
    assert capfd.readouterr().err == "", "nothing is printed unless asked for"
    likewise.dedupe(names, measure="monge-elkan", min=0.9, progress=True)
    assert "rows indexed" in (err := capfd.readouterr().err) or "finding" in err

    def broken(stage: str, done: int, total: int | None) -> None:
        raise ValueError("no more of this")

    with pytest.raises(ValueError, match="no more of this"):
        likewise.match(names, names, measure="monge-elkan", k=1, min=0.9, progress=broken)


def test_exceptions_are_one_tree_with_the_library_s_words(tmp_path: Path) -> None:
    with pytest.raises(likewise.OptionError, match="there is no option `one-to-one`: did you mean `one_to_one`?"):
        likewise.match(["a"], ["b"], **{"one-to-one": True})  # type: ignore[misc]
    with pytest.raises(likewise.ExpressionError, match="did you mean `levenshtein`?"):
        likewise.search(["a"], "a", measure="levenstein")
    with pytest.raises(likewise.ExpressionError):
        likewise.Measure("sc(q=)")
    with pytest.raises(likewise.OptionError, match="did you mean `question`?"):
        likewise.search(EXAMPLES / "faq.csv", "x", on="queston")
    for options, said in [
        ({"k": "3"}, 'option `k` is "3": a whole number from 0 on is expected'),
        ({"k": -1}, "option `k` is -1: a whole number from 0 on is expected"),
        ({"min": "a"}, 'option `min` is "a": a number is expected'),
        ({"within": "soon"}, 'option `within` is "soon": not a duration, such as 50ms or 2s'),
        ({"threads": "2"}, "option `threads` is '2'; it must be a whole number from 1 to 1024"),
    ]:
        with pytest.raises(likewise.OptionError) as refused:
            likewise.search(["a"], "a", **options)  # type: ignore[arg-type]
        assert str(refused.value) == said
    with pytest.raises(likewise.OptionError, match="which column"):
        likewise.search(EXAMPLES / "faq.csv", "x")
    with pytest.raises(likewise.OptionError, match="leave out option `on`"):
        likewise.Index(["a"]).search("a", on="text")
    with pytest.raises(likewise.OptionError, match="no column `anwser`: did you mean `answer`?"):
        likewise.search(EXAMPLES / "faq.csv", "x", on="question", keep="anwser")
    with pytest.raises(likewise.IndexFileError):
        likewise.Index.open(tmp_path / "nothing.lw")
    (tmp_path / "no.lwm").write_text("no model")
    with pytest.raises(likewise.ModelError, match="not a model"):
        likewise.Model.open(tmp_path / "no.lwm")
    with pytest.raises(likewise.InputError, match="give two texts, or two columns"):
        likewise.score("a", ["b"])  # type: ignore[call-overload]
    with pytest.raises(likewise.OptionError, match="there are no data of the kind"):
        likewise.evaluate("nothing", tmp_path)  # type: ignore[arg-type]
    for name in likewise.__all__:
        value = getattr(likewise, name)
        if isinstance(value, type) and issubclass(value, BaseException):
            assert issubclass(value, likewise.Error)


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, threading, likewise\n"
        "assert threading.active_count() == 1\n"
        "heavy = {'numpy', 'pandas', 'polars', 'pyarrow', 'duckdb', 'tqdm'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "import os\n"
        "if os.path.isdir('/proc/self/task'): assert len(os.listdir('/proc/self/task')) == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_command_ends_with_its_exit_codes() -> None:
    def code(*arguments: str) -> int:
        run = [sys.executable, "-m", "likewise", *arguments]
        return subprocess.run(run, capture_output=True).returncode

    assert (code("score", "a", "b"), code("score", "a", "b", "-m", "nothing"), code("--nothing")) == (0, 2, 2)
    assert code("search", "nowhere.csv", "x") == 1
    assert code("--help") == 0
