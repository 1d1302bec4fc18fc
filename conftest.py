"""Markdown pages are tests, those in tests/md and those of the rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mdreplay import Replayer
from tests.support.mdtest import FOLDERS, REPLAYER, Page
from tests.support.programs import Parents
from tests.support.seed import SEED

ROOT = Path(__file__).resolve().parent
PAGES = (ROOT / "tests" / "md", ROOT / "shapecheck" / "rules")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Page | None:
    is_page = file_path.suffix == ".md" and file_path.name != "README.md"
    if is_page and any(file_path.is_relative_to(folder) for folder in PAGES):
        return Page.from_parent(parent, path=file_path)
    return None


def pytest_report_header() -> str:
    return f"samples are drawn from SHAPECHECK_SEED={SEED}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it again where something failed: `-q` leaves out the header."""
    if terminalreporter.stats.get("failed") or terminalreporter.stats.get("error"):
        terminalreporter.write_line(pytest_report_header())


def pytest_configure(config: pytest.Config) -> None:
    config.stash[REPLAYER] = Replayer()


def pytest_sessionstart(session: pytest.Session) -> None:
    folders = pytest.TempPathFactory.from_config(session.config, _ispytest=True)
    session.config.stash[FOLDERS] = folders
    # Tests neither use nor leave what the user's own runs keep.
    os.environ["SHAPECHECK_CACHE_DIR"] = str(folders.mktemp("cache"))


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[REPLAYER].stop()


@pytest.fixture(scope="session")
def replayer(request: pytest.FixtureRequest) -> Replayer:
    """The process that really runs programs."""
    return request.config.stash[REPLAYER]


@pytest.fixture(scope="session")
def parents() -> Iterator[Parents]:
    """The processes that run programs of the corpus, one for each environment."""
    started = Parents()
    yield started
    started.stop()
