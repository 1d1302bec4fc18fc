"""The picture of the layers: the import contracts of `pyproject.toml`, each package with the summary of its
docstring."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from shapecheck import toml

ROOT = Path(__file__).resolve().parents[2]
WIDTH, MARGIN, LINE = 980, 12, 16
STYLE = """
  svg { color-scheme: light dark }
  rect { fill: #f6f8fa; stroke: #8c959f }
  text { font: 12px sans-serif; fill: #1f2328 }
  .name { font: bold 13px monospace }
  .title { font: bold 15px sans-serif }
  @media (prefers-color-scheme: dark) {
    rect { fill: #161b22; stroke: #57606a }
    text { fill: #e6edf3 }
  }
"""


def picture() -> str:
    """Return the drawing of all layers, and of the rooms of `dataflow`, as SVG."""
    whole, rooms = _contracts()
    parts: list[str] = []
    y = MARGIN
    for title, layers in (("shapecheck", whole), ("shapecheck.dataflow", rooms)):
        heading = f"{title}: each imports only from those below it"
        parts.append(f'<text class="title" x="{MARGIN}" y="{y + LINE}">{heading}</text>')
        y += 2 * LINE
        for layer in layers:
            drawn, height = _row(layer, y)
            parts += drawn
            y += height + 6
        y += LINE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}">'
    return f"{head}\n<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"


def _contracts() -> tuple[list[list[str]], list[list[str]]]:
    """Return the layers of the package and those of `dataflow`, from the top: the names of siblings in each."""
    settings = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = [c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == "layers"]
    whole = next(c["layers"] for c in contracts if "containers" not in c)
    rooms = next(c["layers"] for c in contracts if c.get("containers") == ["shapecheck.dataflow"])
    return [layer.split(" | ") for layer in whole], [
        [f"shapecheck.dataflow.{name}" for name in layer.split(" | ")] for layer in rooms
    ]


def _row(names: Sequence[str], y: int) -> tuple[list[str], int]:
    """Return the boxes of one layer, and their height."""
    width = (WIDTH - 2 * MARGIN - 6 * (len(names) - 1)) // len(names)
    texts = [textwrap.wrap(_summary(name), max(12, width // 6 - 2)) for name in names]
    height = (1 + max(map(len, texts))) * LINE + 10
    drawn: list[str] = []
    for at, (name, lines) in enumerate(zip(names, texts, strict=True)):
        x = MARGIN + at * (width + 6)
        drawn.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>')
        drawn.append(f'<text class="name" x="{x + 6}" y="{y + LINE}">{name.rpartition(".")[2]}</text>')
        drawn += _lines(lines, x + 6, y + 2 * LINE)
    return drawn, height


def _lines(lines: Sequence[str], x: int, y: int) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield f'<text x="{x}" y="{y + at * LINE}">{escape(line)}</text>'


def _summary(name: str) -> str:
    """Return the first sentence of a package's or a module's docstring."""
    path = ROOT.joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(told.partition("\n\n")[0].split()).partition(". ")[0].removesuffix(".")
