"""Repairs of values of another type or number than is wanted."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs import arguments, arrays, axes, dtypes, lists, relatives, staging
from shapecheck.repairs.weights import Table

TABLE: Table = {
    ClashKind.VERSION: {staging.list_yielded_as_tuple: 0, lists.targets_parted: 0, lists.numbers_made_rows: 0},
    ClashKind.NOT_INTEGER: {relatives.dtype_of_torch: 0, dtypes.number_truncated: 0},
    ClashKind.SHAPE_ADDED: {lists.shapes_joined: 0},
    ClashKind.NEVER_EQUAL: {lists.sequence_made_array: 0},
    ClashKind.SEQUENCES: {lists.sequences_alike: 0, lists.sequence_made_array: 0},
    ClashKind.DTYPE: {relatives.dtype_of_torch: 0},
    ClashKind.DTYPES_MIXED: {dtypes.operand_cast: 0},
    ClashKind.FLOATS_TRUNCATED: {dtypes.operand_cast: 0},
    ClashKind.NOTHING: {arrays.last_value_returned: 0},
    ClashKind.SIGNATURE: {
        arguments.dtype_given: 0,
        arguments.key_renamed: 0,
        arguments.keyword_renamed: 0,
        arguments.list_made_tuple: 0,
        arguments.entry_left_out: 0,
        axes.axes_rearranged: 0,
        staging.rest_dropped: 1,
        staging.arguments_cast: 2,
        staging.signature_widened: 6,
    },
}
