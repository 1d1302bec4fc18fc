"""Files are checked by a real scheduler and two worker processes, with the same result as without them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.checker import cluster, cluster_unit
from shapecheck.checker.pipeline import check
from shapecheck.cli import run
from shapecheck.config import Config
from shapecheck.project.recorded_files import Query
from shapecheck.project.shipped_files import Answers, Entry, ShippedFiles, Unanswered

Printed = Callable[..., tuple[int, str]]
FILES = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "requirements.txt": "tensorflow==1.15\n",
    "shop/__init__.py": "",
    "shop/tables.py": "import numpy as np\n\ndef table(n):\n    return np.zeros((n, 4))\n",
    "shop/inner/__init__.py": "",
    "shop/inner/use.py": "import numpy as np\nfrom ..tables import table\nprint(table(3) @ np.ones((5, 2)))\n",
    "tools/other.py": "import numpy as np\nfrom shop.tables import table\nprint(table(7).reshape(5, 5))\n",
    "tools/read.py": "import numpy as np\nx = np.load('kept/x.npy')\nprint(x @ np.ones((5, 2)))\n",
    "tools/fine.py": "import numpy as np\nprint(np.ones(3) + np.ones((4, 3)))\n",
    "tools/broken.py": "import numpy as np\ndef f(:\n    pass\n",
}


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL", host="127.0.0.1"
    ) as found:
        yield found


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project in the current folder, which is not that of the workers: they cannot read its files."""
    import numpy as np

    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tools/kept").mkdir()
    np.save(tmp_path / "tools/kept/x.npy", np.zeros((3, 4)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def address(workers: Any) -> str:
    return str(workers.scheduler_address).replace("tcp://", "dask://")


@pytest.fixture
def printed(project: Path, capsys: pytest.CaptureFixture[str]) -> Printed:
    """Run the command in the project; return the exit status and what it prints."""

    def called(*arguments: str) -> tuple[int, str]:
        status = run(["check", "--no-cache", ".", *arguments])
        told = capsys.readouterr()
        return status, told.out + told.err

    return called


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_the_report_is_the_same(workers: Any, printed: Printed, output_format: str) -> None:
    arguments = ("--coverage", "--output-format", output_format)
    here = printed(*arguments)
    assert here[1].count("tools/read.py") > 0, "the header of a file with data is known"
    assert printed(*arguments, "--executor", address(workers)) == here


def test_what_a_lost_worker_had_is_done_again(workers: Any, project: Path) -> None:
    many = {f"more/step{at}.py": FILES["shop/inner/use.py"].replace("..", "shop.") for at in range(20)}
    (project / "more").mkdir()
    for name, text in many.items():
        (project / name).write_text(text)
    here = check(["."], Config(jobs=1))
    killed: list[int] = []

    def at(done: int, total: int) -> None:
        if done == 5:
            killed.append(next(iter(workers.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    there = check(["."], Config(executor=address(workers)), progress=at)
    assert killed and there.problems == here.problems
    assert [(each.place, each.message) for each in there.findings] == [
        (each.place, each.message) for each in here.findings
    ]


def test_a_question_without_an_answer_ends_the_unit(
    workers: Any, printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "answers_to", lambda *_: Answers())
    status, output = printed("--executor", address(workers))
    assert status == 2
    assert "tools/read.py: not checked: no answer to" in output


def test_a_worker_with_other_code_is_refused(workers: Any, printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "content_edition", lambda: "another one")
    status, output = printed("--executor", address(workers))
    assert status == 2
    assert "a worker has another version of shapecheck or of Python" in output


@pytest.mark.parametrize(
    ("executor", "told"),
    [
        ("localhost:8786", "is not an address such as dask://localhost:8786"),
        ("dask://127.0.0.1:9", "no scheduler answers at dask://127.0.0.1:9"),
    ],
)
def test_a_cluster_that_cannot_be_used(
    printed: Printed, monkeypatch: pytest.MonkeyPatch, executor: str, told: str
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "SECONDS", 0.1)
    status, output = printed("--executor", executor)
    assert status == 2
    assert told in output


def test_without_dask(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise ImportError

    monkeypatch.setattr(cluster, "_distributed", missing)
    status, output = printed("--executor", "dask://localhost:8786")
    assert status == 2
    assert "Dask is not installed: pip install 'tensor-shapecheck[dask]'" in output


def test_only_what_was_sent_is_answered() -> None:
    files = ShippedFiles([], "/far")
    with pytest.raises(Unanswered) as asked:
        files.is_file(Path("a.py"))
    assert asked.value.question == Query("file", "a.py")
    files.take([Answers(folders={"/far": {"a.py": Entry(("file", "there"), False)}}, real={"/far": "/real/far"})])
    assert files.is_file(Path("a.py")) and files.is_there(Path("a.py")) and not files.is_folder(Path("a.py"))
    assert not files.is_there(Path("b")) and files.has_python(Path("/far"))
    assert files.real(Path("a.py")) == "/real/far/a.py"
    assert files.source(Path("b.py")) is None
    with pytest.raises(Unanswered):
        files.source(Path("a.py"))


def test_a_worker_keeps_few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from shapecheck.checker.parallel import RunSettings
    from shapecheck.target import Target

    monkeypatch.setattr(cluster_unit, "_workers", {})
    for at in range(cluster_unit.MOST_RUNS + 3):
        cluster_unit._worker_of(cluster_unit.Run(f"run {at}", RunSettings([], Target()), "/far"), [])
    assert len(cluster_unit._workers) == cluster_unit.MOST_RUNS
