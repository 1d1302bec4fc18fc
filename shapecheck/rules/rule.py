"""Registration and discovery of rules, and their judgement of clashes.

A rule is a function in a module of its own name, in a package named for its category, beside a page of that name.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from shapecheck import rules
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Lost
from shapecheck.findings import Finding, Related, Severity
from shapecheck.renamed import current_name
from shapecheck.rules.call import Call, Words
from shapecheck.rules.cause import causes, failures_before, result_of
from shapecheck.rules.finding import finding_of
from shapecheck.source import Place

Judgement = Callable[[Call], Words | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; `on` are the kinds of clashes it judges, `page` its documentation in Markdown."""

    code: str
    name: str
    category: str
    severity: Severity
    on: frozenset[ClashKind]
    summary: str
    page: str = field(repr=False)
    judge: Judgement = field(repr=False, compare=False)


_found: dict[str, Rule] = {}


def rule(code: str, severity: Severity, on: AbstractSet[ClashKind]) -> Callable[[Judgement], Rule]:
    """Turn a function into a rule, which is named after it."""

    def register(function: Judgement) -> Rule:
        file = Path(function.__code__.co_filename)
        page = file.with_name(f"{function.__name__}.md").read_text(encoding="utf-8")
        lines = (line.strip() for line in page.splitlines())
        summary = next((line for line in lines if line and not line.startswith("#")), "")
        name, category = function.__name__.replace("_", "-"), function.__module__.split(".")[-2]
        made = Rule(code, name, category, severity, frozenset(on), summary, page, function)
        _found[code] = made
        return made

    return register


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, by code."""
    for package in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
        if package.ispkg:
            inside = importlib.import_module(package.name)
            for module in pkgutil.iter_modules(inside.__path__, f"{package.name}."):
                importlib.import_module(module.name)
    return tuple(_found[code] for code in sorted(_found))


def find(word: str) -> Rule | None:
    """Return the rule with this code or name."""
    code, name = word.upper(), current_name(word.lower())
    return next((rule for rule in all_rules() if rule.code == code or rule.name == name), None)


def nearest(word: str) -> str | None:
    """Return the code or name of a rule that is most like a word."""
    known = [known for rule in all_rules() for known in (rule.name, rule.code)]
    return next(iter(difflib.get_close_matches(word, known, n=1)), None)


def judge(clashes: Sequence[Clash], graph: Graph) -> list[Finding]:
    """Return the findings that the clashes of a graph make."""
    return [finding for finding, _ in judge_calls(clashes, graph)]


def judge_calls(clashes: Sequence[Clash], graph: Graph, *, brief: bool = False) -> list[tuple[Finding, Call]]:
    """Return one finding for each place and rule, in the order of places, with the call that it is about; of several
    clashes of a step, the first. `brief` findings have no witness, which takes time.

    Errors take precedence over suspicions; each rule reports its own suspicions.
    """
    by_kind = {kind: rule for rule in all_rules() for kind in rule.on}
    everywhere = _everywhere(clashes, graph)
    best: dict[tuple[str, Place], tuple[Finding, Call]] = {}
    judged: dict[int, tuple[str, Place]] = {}
    for clash in sorted(clashes, key=lambda clash: clash.claim is None):
        rule = by_kind[clash.kind]
        first = best.get(judged[clash.step.id]) if clash.step.id in judged else None
        if clash.step.id in judged and (first is None or not _is_another_operand(first[1], clash)):
            continue
        call = Call(clash, graph, (clash.kind, clash.step.place) in everywhere)
        words = rule.judge(call)
        if words is None:
            continue
        finding = finding_of(call, words, rule.code, rule.name, rule.category, rule.severity, brief=brief)
        if first is not None:
            best[judged[clash.step.id]] = _with_other(first[0], finding), first[1]
            continue
        if clash.claim is not None:
            judged[clash.step.id] = (rule.code, finding.place)
        if clash.kind == ClashKind.VERSION and any(place == finding.place for _, place in best):
            continue  # a failure in all versions makes one in some versions redundant
        known = best.get((rule.code, finding.place))
        if known is None or finding.rank < known[0].rank:
            best[rule.code, finding.place] = finding, call
    return sorted(_linked(best.values(), graph), key=lambda judged: judged[0].sort_key)


def _is_another_operand(first: Call, clash: Clash) -> bool:
    """Return whether a clash is of the same kind and step as the first one, and about other operands."""
    is_same = first.clash.kind is clash.kind and first.clash.step is clash.step and clash.claim is not None
    return is_same and bool(clash.operands) and not any(part in first.clash.operands for part in clash.operands)


def _with_other(first: Finding, other: Finding) -> Finding:
    """Return the first finding with what is wrong with another operand in the same place."""
    told = Related(other.place, other.message)
    return first if told in first.related else replace(first, related=(*first.related, told))


def _linked(judged: Iterable[tuple[Finding, Call]], graph: Graph) -> Iterator[tuple[Finding, Call]]:
    """Yield the findings with their causes, and with the failures whose results they depend on."""
    found = list(judged)
    failing = {call.step.id: result_of(call.step) for _, call in found if call.clash.claim is not None}
    for finding, call in found:
        own = (*causes(call), *([failing[call.step.id]] if call.step.id in failing else []))
        before = dict.fromkeys(failures_before(call.step, failing, graph) if failing else ())
        yield replace(finding, causes=own, follows=tuple(key for key in before if key not in own)), call


def _everywhere(clashes: Sequence[Clash], graph: Graph) -> set[tuple[ClashKind, Place]]:
    """Return the kinds and places in which each step of the clashing operation clashes; a re-execution repeats the same
    steps; a step with an operand of unknown rank, or of which only some alternative clashes, tells nothing."""
    clashing: dict[tuple[ClashKind, Place], set[int]] = {}
    for clash in clashes:
        clashing.setdefault((clash.kind, clash.step.place), set()).add(clash.step.id)
    kinds: dict[tuple[Place, str], set[ClashKind]] = {}
    for clash in clashes:
        kinds.setdefault((clash.step.place, clash.step.name), set()).add(clash.kind)
    if not kinds:
        return set()
    fine: set[tuple[ClashKind, Place]] = set()
    for step in graph.steps:
        for kind in kinds.get((step.place, step.name), ()):
            if step.id not in clashing[kind, step.place] and not _tells_nothing(step):
                fine.add((kind, step.place))
    return clashing.keys() - fine


def _tells_nothing(step: Step) -> bool:
    """Return whether a step without a clash may clash, or repeats one."""
    if step.replayed or step.is_suspect or any(isinstance(value, Lost) for value in step.given):
        return True
    return any(tensor.shape.rank is None for _, tensor in step.operands())
