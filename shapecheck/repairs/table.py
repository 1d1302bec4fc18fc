"""The repairs that are tried for each kind of clash, with their weights: the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Edit
from shapecheck.repairs.alike import (
    cut_alike,
    cut_as_target,
    part_left_out,
    prepared_value_given,
    same_argument_given,
    treated_alike,
    unused_value_given,
)
from shapecheck.repairs.arguments import (
    dtype_given,
    entry_left_out,
    key_renamed,
    keyword_renamed,
    list_made_tuple,
    result_key_renamed,
    signature_resized,
)
from shapecheck.repairs.arrays import (
    accumulator_shaped,
    axes_inserted,
    column_kept_as_table,
    columns_indexed,
    index_of_classes,
    key_made_position,
    last_value_returned,
    new_axis_left_out,
    pairs_of_lists_split,
    positions_wrapped,
    range_one_longer,
    rows_paired,
    shape_index_provided,
    slices_shifted_of_layers,
    solved_by_least_squares,
    start_resized,
    terms_added,
    unpacked_in_part,
)
from shapecheck.repairs.axes import axes_rearranged, batch_kept_first, unwrapped
from shapecheck.repairs.distant import (
    channels_scaled,
    counted_with_one_more,
    flag_given,
    halves_counted,
    last_axis_measured,
    layer_named,
    measured_of_other,
    number_changed,
    rows_of_embedding,
    sizes_added,
    square_shape_named,
)
from shapecheck.repairs.dtypes import number_truncated, operand_cast
from shapecheck.repairs.estimators import rows_scaled, sample_wrapped
from shapecheck.repairs.indices import axis_indexed_kept, bound_lowered, index_left_out, index_lowered
from shapecheck.repairs.layers import (
    activation_given,
    axis_declared,
    batched,
    batched_once,
    layer_added,
    maps_averaged,
    maps_scaled,
    shape_of_data,
    steps_kept,
    yielded_as_batch,
)
from shapecheck.repairs.loops import initial_value_shaped, start_shaped, variable_left_open
from shapecheck.repairs.losses import class_numbers_encoded, loss_exchanged, one_hot_undone
from shapecheck.repairs.moved import loss_taped, made_once
from shapecheck.repairs.names import classes_chosen, operand_replaced, partner_given
from shapecheck.repairs.numerics import (
    diagonal_made,
    edges_centred,
    frequencies_matched,
    multiplied_elementwise,
    product_meant,
)
from shapecheck.repairs.options import (
    axes_dropped,
    axes_kept,
    axes_left_out,
    axis_changed,
    classes_encoded,
    columns_as_variables,
    factor_transposed,
    logits_declared,
    padding_kept,
    pooled,
    rows_left_out,
    sequences_returned,
    vectors_stacked,
)
from shapecheck.repairs.pictures import channels_converted, grey_repeated
from shapecheck.repairs.sequences import (
    classes_of_metric,
    last_step_taken,
    rows_of_zip_unstacked,
    starred_unstacked,
    steps_averaged,
    steps_unstacked,
)
from shapecheck.repairs.situation import Candidate, Situation
from shapecheck.repairs.sizes import (
    batches_left_open,
    default_changed,
    factor_left_out,
    factor_made_divisor,
    flattened_size_counted,
    neighbours_swapped,
    one_more_or_less,
    reshape_fitted,
    reshaped,
    size_changed,
    size_left_open,
    size_of_neighbour,
    sizes_changed_together,
    slice_shifted,
)
from shapecheck.repairs.staging import (
    arguments_cast,
    asserted_in_graph,
    dynamic_size,
    in_tensorflow,
    list_gathered,
    list_yielded_as_tuple,
    literal_made_float,
    literal_made_tensor,
    loop_in_graph,
    option_of_function,
    positions_made_int32,
    printed_when_run,
    quotient_made_integer,
    rest_dropped,
    result_declared,
    rows_unstacked,
    signature_widened,
    taped_in_tensorflow,
    truth_reduced,
    values_made_tensors,
    values_of_tensors,
    variable_watched,
    where_chosen,
)
from shapecheck.repairs.traced_python import (
    branch_cast,
    conditional_value,
    formatted_when_run,
    invariants_given,
    number_drawn_in_graph,
    result_unpacked,
    state_made_variable,
    table_gathered,
    text_split_in_graph,
)
from shapecheck.repairs.tracing import list_made_array, result_shaped, signature_inferred

Repair = Callable[[Situation], Iterator[Candidate]]
Weights = Mapping[Repair, int]

_SIZES: Weights = {
    slice_shifted: 3,
    one_more_or_less: 4,
    neighbours_swapped: 5,
    sizes_changed_together: 6,
    size_changed: 8,
    default_changed: 9,
    factor_left_out: 9,
}
_DISTANT: Weights = {
    measured_of_other: 2,
    last_axis_measured: 1,
    sizes_added: 9,
    number_changed: 12,
    flag_given: 14,
    counted_with_one_more: 8,
    layer_named: 13,
}
_ALIKE: Weights = {part_left_out: 1, cut_alike: 1, treated_alike: 2, unused_value_given: 2, prepared_value_given: 2}
_MODEL: Weights = {sequences_returned: 3, layer_added: 8, pooled: 9, padding_kept: 10}
_DATA: Weights = {axes_rearranged: 1, unwrapped: 5}
_DECLARED: Weights = {rows_left_out: 0, shape_of_data: 5, axis_declared: 6, flag_given: 14}
_LOST_AXES: Weights = {axes_kept: 4, axis_indexed_kept: 5}
_PYTHON: Weights = {
    table_gathered: 0,
    formatted_when_run: 0,
    number_drawn_in_graph: 0,
    text_split_in_graph: 0,
    starred_unstacked: 0,
    conditional_value: 0,
}
_TRACED: Weights = {
    **_PYTHON,
    list_gathered: 0,
    in_tensorflow: 0,
    values_of_tensors: 1,
    option_of_function: 1,
    dynamic_size: 4,
}
_TYPES: Weights = {literal_made_float: 0, literal_made_tensor: 1, quotient_made_integer: 2, positions_made_int32: 2}
_SHAPES: Weights = {**_ALIKE, **_DATA, **_MODEL, **_SIZES, **_DISTANT}
_OPERANDS: Weights = {axes_kept: 0, axes_dropped: 1, classes_chosen: 1, size_of_neighbour: 3, operand_replaced: 6}
_K = ClashKind
_TABLE: Mapping[ClashKind, Weights] = {
    _K.AXIS: {
        solved_by_least_squares: 0,
        multiplied_elementwise: 0,
        edges_centred: 0,
        diagonal_made: 1,
        frequencies_matched: 1,
        terms_added: 0,
        start_resized: 0,
        range_one_longer: 8,
        slices_shifted_of_layers: 8,
        channels_converted: 4,
        factor_transposed: 0,
        partner_given: 0,
        axis_changed: 2,
        columns_as_variables: 1,
        factor_made_divisor: 1,
        axes_dropped: 2,
        **_SHAPES,
        size_of_neighbour: 3,
        rest_dropped: 4,
    },
    _K.RANK: {
        column_kept_as_table: 0,
        sample_wrapped: 0,
        rows_scaled: 0,
        diagonal_made: 0,
        steps_kept: 0,
        batched: 0,
        positions_wrapped: 0,
        steps_unstacked: 0,
        treated_alike: 3,
        part_left_out: 2,
        axes_dropped: 2,
        **_DECLARED,
        **_SHAPES,
        **_LOST_AXES,
    },
    _K.UNPACK: {unpacked_in_part: 1, axis_indexed_kept: 0},
    _K.BROADCAST: {
        rows_paired: 0,
        product_meant: 0,
        edges_centred: 0,
        frequencies_matched: 1,
        diagonal_made: 1,
        axes_inserted: 3,
        accumulator_shaped: 0,
        columns_indexed: 1,
        index_of_classes: 0,
        cut_as_target: 0,
        slices_shifted_of_layers: 4,
        channels_converted: 4,
        grey_repeated: 5,
        partner_given: 0,
        **_OPERANDS,
        loss_exchanged: 2,
        **_SHAPES,
        rest_dropped: 7,
    },
    _K.ELEMENTS: {
        classes_of_metric: 0,
        square_shape_named: 1,
        flattened_size_counted: 1,
        channels_scaled: 4,
        channels_converted: 4,
        reshape_fitted: 3,
        **_MODEL,
        **_SIZES,
        unwrapped: 5,
        size_left_open: 9,
    },
    _K.AXIS_RANGE: {axes_left_out: 0, vectors_stacked: 0, axis_changed: 0, unwrapped: 4, **_LOST_AXES},
    _K.INDEX_RANGE: {
        frequencies_matched: 0,
        shape_index_provided: 0,
        key_made_position: 0,
        rows_of_embedding: 1,
        part_left_out: 3,
        index_left_out: 0,
        axes_dropped: 1,
        index_lowered: 2,
        bound_lowered: 3,
        axes_rearranged: 6,
        unwrapped: 6,
        **{repair: weight for repair, weight in _SIZES.items() if repair is not neighbours_swapped},
    },
    _K.NEGATIVE_SIZE: {rows_left_out: 0, padding_kept: 1, **_SIZES},
    _K.SET_SHAPE: {halves_counted: 0, counted_with_one_more: 1, grey_repeated: 1, reshaped: 0, **_SHAPES},
    _K.FEED: {
        pairs_of_lists_split: 0,
        same_argument_given: 1,
        new_axis_left_out: 3,
        channels_converted: 4,
        channels_scaled: 6,
        maps_scaled: 1,
        partner_given: 0,
        batched: 0,
        rows_left_out: 0,
        batches_left_open: 0,
        list_yielded_as_tuple: 0,
        classes_encoded: 2,
        class_numbers_encoded: 2,
        loss_exchanged: 3,
        **_SHAPES,
        yielded_as_batch: 4,
        batched_once: 4,
    },
    _K.CROSS_ENTROPY: {
        last_step_taken: 0,
        steps_averaged: 0,
        partner_given: 0,
        maps_scaled: 0,
        loss_exchanged: 0,
        one_hot_undone: 1,
        classes_encoded: 2,
        **_SHAPES,
        sequences_returned: 1,
    },
    _K.LAYER_INPUT: {
        channels_scaled: 2,
        channels_converted: 4,
        layer_named: 3,
        axes_dropped: 2,
        rows_left_out: 0,
        shape_of_data: 16,
        **_SHAPES,
        **_LOST_AXES,
    },
    _K.VERSION: {list_yielded_as_tuple: 0},
    _K.UNBUILT: {maps_averaged: 0, pooled: 4},
    _K.NOT_INTEGER: {number_truncated: 0},
    _K.STRETCH_BOTH: {axes_rearranged: 0},
    _K.ROWS_MEET_COLUMNS: {axes_kept: 0, axes_rearranged: 1},
    _K.LOSS_STRETCHED: {axes_rearranged: 0, operand_replaced: 5},
    _K.TARGETS_STRETCHED: {axes_rearranged: 0, **_SIZES},
    _K.BATCH_LAST: {batch_kept_first: 0},
    _K.BATCH_SOFTMAX: {axis_changed: 0},
    _K.BATCH_CROSSED: {axes_kept: 0, axes_rearranged: 1},
    _K.ROWS_CROSSED: {axes_kept: 0, axes_rearranged: 1},
    _K.BIAS_COLUMN: {axes_kept: 0, axes_rearranged: 1},
    _K.ARGMAX_ROWS: {axis_changed: 0},
    _K.BATCHED_TWICE: {unwrapped: 0},
    _K.LABELS_ENCODING: {loss_exchanged: 0},
    _K.METRIC_LABELS: {loss_exchanged: 0},
    _K.ONE_CLASS: {loss_exchanged: 0},
    _K.LOGITS_AS_PROBABILITIES: {logits_declared: 0, activation_given: 1},
    _K.SOFTMAX_AS_LOGITS: {logits_declared: 0},
    _K.DTYPES_MIXED: {operand_cast: 0},
    _K.FLOATS_TRUNCATED: {operand_cast: 0},
    _K.FEED_MISPLACED: {axes_rearranged: 0, neighbours_swapped: 2},
    _K.NOTHING: {last_value_returned: 0},
    _K.LEAKED_SYMBOLIC: {state_made_variable: 0},
    _K.SYMBOLIC_NUMPY: _TRACED,
    _K.SYMBOLIC_PYTHON: _TRACED,
    _K.SYMBOLIC_BOOL: {asserted_in_graph: 0, truth_reduced: 2, **_TRACED, where_chosen: 1},
    _K.SYMBOLIC_ITERATION: {
        starred_unstacked: 0,
        rows_of_zip_unstacked: 1,
        rows_unstacked: 0,
        loop_in_graph: 3,
        **_TRACED,
    },
    _K.STATIC_SIZE: {dynamic_size: 0, result_shaped: 1},
    _K.NO_GRADIENT: {
        loss_taped: 0,
        taped_in_tensorflow: 1,
        variable_watched: 0,
        option_of_function: 1,
        values_of_tensors: 2,
        literal_made_float: 6,
    },
    _K.BRANCHES: {branch_cast: 0, result_key_renamed: 0, **_TYPES},
    _K.RETRACE_VALUE: {values_made_tensors: 0},
    _K.RETRACE_SHAPE: {signature_inferred: 0},
    _K.LOOP_STATE: {list_made_array: 0},
    _K.TRACE_EFFECT: {printed_when_run: 0},
    _K.UNROLLED: {loop_in_graph: 0},
    _K.XLA: {option_of_function: 0},
    _K.LOOP_SHAPE: {invariants_given: 0, variable_left_open: 0, start_shaped: 0, initial_value_shaped: 0},
    _K.STATE: {made_once: 0},
    _K.LOOP_TYPE: {result_unpacked: 0, **_TYPES, loop_in_graph: 1},
    _K.DECLARED: {signature_resized: 0, list_yielded_as_tuple: 0, result_declared: 0},
    _K.SIGNATURE: {
        dtype_given: 0,
        key_renamed: 0,
        keyword_renamed: 0,
        list_made_tuple: 0,
        entry_left_out: 0,
        axes_rearranged: 0,
        rest_dropped: 1,
        arguments_cast: 2,
        signature_widened: 6,
    },
}


def repairs(s: Situation) -> list[tuple[Edit, ...]]:
    """Return the repairs of a clash, the likeliest first."""
    weighed = _TABLE.get(s.kind, {}).items()
    found = [(weight + each.weight, each.edits) for repair, weight in weighed for each in repair(s)]
    return [edits for _, edits in sorted(found, key=lambda entry: entry[0])]
