"""Repairs of programs of functions that are transformed, which take their keys and their state as arguments."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs import functional
from shapecheck.repairs.weights import Table

TABLE: Table = {
    ClashKind.AXIS: {
        functional.mapped_over_batch: 0,
        functional.argument_shared: 0,
        functional.axes_mapped_as_given: 0,
        functional.state_given: 0,
        functional.broadcast_as_numpy: 0,
    },
    ClashKind.RANK: {
        functional.mapped_over_batch: 0,
        functional.result_reduced: 0,
        functional.auxiliary_declared: 0,
        functional.key_given: 0,
        functional.starts_completed: 0,
        functional.broadcast_as_numpy: 1,
    },
    ClashKind.UNPACK: {functional.keys_counted: 0},
    ClashKind.ELEMENTS: {functional.values_added: 0},
    ClashKind.DTYPE: {functional.floats_differentiated: 0},
    ClashKind.IMMUTABLE: {functional.updated_elsewhere: 0},
    ClashKind.SIGNATURE: {
        functional.operand_of_branches: 0,
        functional.offered_to_apply: 0,
        functional.key_before_arguments: 0,
    },
    ClashKind.SYMBOLIC_NUMPY: {functional.in_traced_numpy: 0},
    ClashKind.SYMBOLIC_PYTHON: {
        functional.list_made_hashable: 0,
        functional.segments_counted: 1,
        functional.argument_static: 2,
    },
    ClashKind.SYMBOLIC_BOOL: {functional.argument_static: 4},
    ClashKind.LOOP_SHAPE: {functional.pair_returned: 0},
    ClashKind.LOOP_TYPE: {functional.state_cast: 0},
}
