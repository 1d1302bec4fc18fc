"""The weights of repairs: which are tried for a kind of clash, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs.situation import Candidate, Situation

Repair: TypeAlias = Callable[[Situation], Iterator[Candidate]]
Weights: TypeAlias = Mapping[Repair, int]
Table: TypeAlias = Mapping[ClashKind, Weights]
