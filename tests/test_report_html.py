"""The page that `shapecheck report` writes: what it contains, and that nothing of a program becomes markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from shapecheck.cli import run

BROKEN = """
import keras
import tensorflow as tf
from keras import layers

class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.d1 = layers.Dense(64)
        self.d2 = layers.Dense(3)

    def call(self, x):
        return self.d2(self.d1(x))

y = Net()(tf.zeros([5, 7]))
w = tf.matmul(y, tf.zeros([4, 2]))
title = "</script><script>alert(1)</script>"
lost = open(title).read()
"""
MODEL = """
import keras
from keras import layers

model = keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(8, 3), layers.LSTM(4), layers.Dense(10)])
"""


class Elements(HTMLParser):
    """The elements of a page with their attributes, the text of the scripts, and that all elements are closed."""

    VOID = ("meta", "input", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str]]] = []
        self.scripts: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            name = self.found[-1][1].get("id", "")
            self.scripts[name] = self.scripts.get(name, "") + data

    def classed(self, name: str) -> list[dict[str, str]]:
        return [attributes for _, attributes in self.found if name in attributes.get("class", "").split()]


TRAINED = """
import keras
from keras import layers

made = [layers.Conv2D(8, 3), layers.MaxPooling2D(), layers.Dense(10, activation="softmax")]
model = keras.Sequential([keras.Input((28, 28, 1)), *made])
model.compile("adam", "sparse_categorical_crossentropy")
(x, y), _ = keras.datasets.mnist.load_data()
model.fit(x[..., None] / 255.0, y)
"""


@pytest.fixture(name="report")
def _report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def made(**files: str) -> tuple[str, Elements]:
        for name, text in files.items():
            Path(f"{name}.py").write_text(text)
        assert run(["report", ".", "-o", "report.html", "-q"]) == 0
        text = Path("report.html").read_text()
        return text, Elements(text)

    return made


def test_a_finding_has_all_that_is_known_of_it(report: Any) -> None:
    text, page = report(broken=BROKEN)
    assert page.open == []
    (card,) = page.classed("finding")
    assert (card["data-file"], card["data-rule"]) == ("broken.py", "SHP101 axis-mismatch")
    assert card["data-cause"] == "broken.py:10  self.d2 = layers.Dense(3)"
    plain = re.sub(r"<[^>]+>", "", text[: text.index("application/json")])
    for part in (
        "y has 3 columns",
        "comes from self.d2(self.d1(x))",
        "fails",
        "- self.d2 = layers.Dense(3)",
        "+ self.d2",
    ):
        assert part in plain
    pictures = json.loads(page.scripts["pictures-0"])
    assert "layers.Dense(3)" in pictures["dataflow"]


def test_the_source_has_shapes_in_its_margin(report: Any) -> None:
    _, page = report(broken=BROKEN)
    file = json.loads(page.scripts["file-0"])
    assert "\n".join(file["lines"]) == BROKEN
    notes = {(row, text): (shape, more) for row, text, shape, more in file["notes"]}
    assert notes[15, "y"] == ("(5, 3)", "float32")
    assert notes[13, ""] == ("(5, 3)", "float32")
    assert notes[18, "lost"][0] == ""
    assert notes[18, "lost"][1]
    assert [row for row, *_ in file["findings"]] == [16]
    assert [(title, row) for title, row, _ in file["models"]] == [("Net", 15)]


def test_a_fault_in_a_model_is_drawn(report: Any) -> None:
    _, page = report(model=MODEL)
    pictures = json.loads(page.scripts["pictures-0"])
    assert 'class="box fault"' in pictures["before"]


def test_models_are_drawn_before_and_after_a_fix(report: Any) -> None:
    _, page = report(trained=TRAINED)
    pictures = json.loads(page.scripts["pictures-0"])
    assert "(B, 13, 13, 10)" in pictures["before"]
    assert "Flatten" not in pictures["before"]
    assert "Flatten" in pictures["after"]
    assert "(B, 1352) → (B, 10)" in pictures["after"]


def test_nothing_is_loaded_and_no_text_becomes_markup(report: Any) -> None:
    text, page = report(broken=BROKEN, model=MODEL)
    assert [tag for tag, _ in page.found if tag in ("link", "img", "iframe", "object")] == []
    assert not [a for _, a in page.found if {"src", "onclick", "onload"} & a.keys()]
    links = [a["href"] for _, a in page.found if "href" in a]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "default-src 'none'" in text
    assert text.count("<script") == len(page.scripts)
    assert "url(" not in text
    assert "http" not in re.sub(r"http-equiv|http://www.w3.org", "", text.replace(BROKEN, ""))


def test_every_target_of_a_link_exists(report: Any) -> None:
    _, page = report(broken=BROKEN, clean="import numpy as np\nx = np.zeros(3)\n", empty="")
    ids = {a["id"] for _, a in page.found if "id" in a}
    for _, attributes in page.found:
        link = attributes.get("href", "")[1:]
        file = re.match(r"file=(\d+)", link)
        assert not link or (f"file-{file[1]}" if file else link) in ids
    assert len(page.classed("tile")) == 3 + 4  # those of the legend as well


def test_unchecked_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.py").write_bytes(b"x = '\xe4'\n")
    assert run(["report", "latin.py", "-o", "report.html"]) == 2
    assert "latin.py: cannot decode" in Path("report.html").read_text()


def test_a_defect_costs_one_file_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(tracer: object) -> None:
        raise ValueError("a defect")

    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text(BROKEN)
    Path("empty.py").write_text("")
    monkeypatch.setattr("shapecheck.checker.survey.model_tables", fails)
    assert run(["report", ".", "-o", "report.html", "--jobs", "1"]) == 2
    assert "broken.py: not drawn: internal error" in capsys.readouterr().err
    assert len(Elements(Path("report.html").read_text()).classed("finding")) == 1
