"""The repairs that are tried for each kind of clash, with their weights: a table for each subject."""

from __future__ import annotations

from operator import itemgetter

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Edit
from shapecheck.repairs import discarded, twins
from shapecheck.repairs.situation import Situation
from shapecheck.repairs.table import counts, functional, operands, staging, training, values
from shapecheck.repairs.weights import Repair

_SUBJECTS = (functional, operands, counts, training, values, staging)


def weighed(kind: ClashKind) -> dict[Repair, int]:
    """Return the repairs of a kind of clash with their weights; the less, the likelier."""
    own = {repair: weight for subject in _SUBJECTS for repair, weight in subject.TABLE.get(kind, {}).items()}
    return own and {discarded.result_kept: -1, **own}


def repairs(s: Situation) -> list[tuple[int, tuple[Edit, ...]]]:
    """Return the repairs of a clash with their weights, the likeliest first; those of negative weight are likelier than
    what the rules suggest. After each comes the same in all places that are written alike."""
    found = [(weight + each.weight, each.edits) for repair, weight in weighed(s.kind).items() for each in repair(s)]
    alike = ((weight, edits, twins.in_all_places(s, edits)) for weight, edits in sorted(found, key=itemgetter(0)))
    return [(weight, each) for weight, edits, more in alike for each in (edits, more) if each]
