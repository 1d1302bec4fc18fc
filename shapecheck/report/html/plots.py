"""Precision and recall by rule as a page with one plot. It knows counts, not how they were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from shapecheck.report.html.markup import attribute, tag, text

_ROW, _NAME, _BAR, _TOP = 26, 250, 260, 30
_COLUMN = _BAR + 90


@dataclass(frozen=True, slots=True)
class RuleScore:
    """A rule: how many programs are labelled with it, in how many of them it is found, and in how many working programs
    it is reported."""

    rule: str
    labelled: int
    found: int
    false: int

    @property
    def recall(self) -> float | None:
        """Return the share of the labelled programs that are found; None if there are none."""
        return self.found / self.labelled if self.labelled else None

    @property
    def precision(self) -> float | None:
        """Return the share of right findings; None if there are none."""
        return self.found / (self.found + self.false) if self.found + self.false else None


def render(title: str, scores: Sequence[RuleScore]) -> str:
    """Return the page, with the rules in the order of their labelled programs."""
    ordered = sorted(scores, key=lambda score: (-score.labelled, score.rule))
    total = RuleScore("all rules", *(sum(getattr(s, name) for s in ordered) for name in ("labelled", "found", "false")))
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    head = f'<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>{text(title)}</title>'
    head += f"<style>{style}{_STYLE}</style>"
    body = tag("main", tag("h1", text(title)) + tag("p", _told(total)) + _plot(title, [total, *ordered]))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


_STYLE = """
.plot text { font: 12px var(--sans); fill: var(--ink); } .plot .soft { fill: var(--soft); }
.plot .back { fill: var(--code); stroke: var(--rule); } .plot .recall { fill: var(--accent); }
.plot .precision { fill: var(--good); } .canvas { overflow-x: auto; }
"""


def _told(score: RuleScore) -> str:
    return text(
        f"{score.found} of {score.labelled} faults are found ({_share(score.recall)}); "
        f"{score.false} findings in working programs (precision {_share(score.precision)})."
    )


def _plot(title: str, scores: Sequence[RuleScore]) -> str:
    wide, high = _NAME + 2 * _COLUMN, _TOP + _ROW * len(scores)
    names = enumerate(("recall", "precision"))
    parts = [f'<text class="soft" x="{_NAME + at * _COLUMN}" y="16">{name}</text>' for at, name in names]
    parts += [part for at, score in enumerate(scores) for part in _row(score, _TOP + at * _ROW)]
    box = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    head = f'<svg class="plot" role="img" aria-label="{attribute(title)}" {box}>'
    return tag("div", f"{head}{''.join(parts)}</svg>", class_="canvas", tabindex=0)


def _row(score: RuleScore, y: int) -> Iterator[str]:
    yield f"<g><title>{text(score.rule)}: {_told(score)}</title>"
    yield f'<text x="0" y="{y + 13}">{text(score.rule)}</text>'
    counts = (f"{score.found} of {score.labelled}", f"{score.false} false")
    for at, (kind, share) in enumerate((("recall", score.recall), ("precision", score.precision))):
        x = _NAME + at * _COLUMN
        yield f'<rect class="back" x="{x}" y="{y}" width="{_BAR}" height="16" rx="4"/>'
        if share:
            yield f'<rect class="{kind}" x="{x}" y="{y}" width="{share * _BAR:g}" height="16" rx="4"/>'
        yield f'<text class="soft" x="{x + _BAR + 8}" y="{y + 13}">{counts[at]}</text>'
    yield "</g>"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
