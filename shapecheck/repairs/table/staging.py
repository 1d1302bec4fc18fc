"""Repairs of functions that are traced into a graph, and their loops."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs import arguments, loops, moved, sequences, staging, states, traced_python, tracing
from shapecheck.repairs.table import groups
from shapecheck.repairs.weights import Table

TABLE: Table = {
    ClashKind.LEAKED_SYMBOLIC: {traced_python.state_made_variable: 0},
    ClashKind.SYMBOLIC_NUMPY: {**groups.TRACED},
    ClashKind.SYMBOLIC_PYTHON: {**groups.TRACED},
    ClashKind.SYMBOLIC_BOOL: {
        staging.asserted_in_graph: 0,
        staging.truth_reduced: 2,
        **groups.TRACED,
        staging.where_chosen: 1,
    },
    ClashKind.SYMBOLIC_ITERATION: {
        sequences.rows_summed: 0,
        sequences.starred_unstacked: 0,
        sequences.rows_of_zip_unstacked: 1,
        staging.rows_unstacked: 0,
        staging.loop_in_graph: 3,
        **groups.TRACED,
    },
    ClashKind.STATIC_SIZE: {tracing.result_shaped: -1, staging.dynamic_size: 0},
    ClashKind.NO_GRADIENT: {
        moved.loss_taped: 0,
        staging.taped_in_tensorflow: 1,
        staging.variable_watched: 1,
        staging.variable_assigned: 0,
        staging.option_of_function: 1,
        staging.values_of_tensors: 2,
        staging.literal_made_float: 6,
    },
    ClashKind.BRANCHES: {traced_python.branch_cast: 0, arguments.result_key_renamed: 0, **groups.TYPES},
    ClashKind.RETRACE_VALUE: {staging.values_made_tensors: 0},
    ClashKind.RETRACE_SHAPE: {tracing.signature_inferred: 0},
    ClashKind.LOOP_STATE: {tracing.list_made_array: 0},
    ClashKind.TRACE_EFFECT: {staging.printed_when_run: 0},
    ClashKind.UNROLLED: {staging.loop_in_graph: 0},
    ClashKind.XLA: {staging.option_of_function: 0},
    ClashKind.LOOP_SHAPE: {
        traced_python.invariants_given: 0,
        loops.variable_left_open: 0,
        states.start_of_scan_shaped: 0,
        loops.start_shaped: 0,
        loops.initial_value_shaped: 0,
    },
    ClashKind.STATE: {moved.made_once: 0},
    ClashKind.LOOP_TYPE: {traced_python.result_unpacked: 0, **groups.TYPES, staging.loop_in_graph: 1},
    ClashKind.DECLARED: {arguments.signature_resized: 0, staging.list_yielded_as_tuple: 0, staging.result_declared: 0},
}
