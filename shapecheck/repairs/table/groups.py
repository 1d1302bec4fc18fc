"""Groups of repairs that are tried for several kinds of clashes, with their weights."""

from __future__ import annotations

from shapecheck.repairs import (
    alike,
    axes,
    constructed,
    distant,
    indices,
    layers,
    methods,
    names,
    options,
    sequences,
    sizes,
    staging,
    swapped_sizes,
    symbolic_sizes,
    traced_python,
)
from shapecheck.repairs.weights import Weights

SIZES: Weights = {
    sizes.square_counted: 1,
    sizes.noise_named: 3,
    sizes.slice_shifted: 3,
    sizes.one_more_or_less: 4,
    swapped_sizes.neighbours_swapped: 5,
    sizes.sizes_changed_together: 6,
    sizes.size_changed: 8,
    symbolic_sizes.size_multiplied: 8,
    sizes.default_changed: 9,
    sizes.factor_left_out: 9,
}
DISTANT: Weights = {
    distant.measured_of_other: 2,
    distant.last_axis_measured: 1,
    distant.sizes_added: 9,
    distant.number_changed: 22,
    distant.flag_given: 14,
    distant.counted_with_one_more: 8,
    distant.layer_named: 13,
}
ALIKE: Weights = {
    alike.part_left_out: 1,
    alike.cut_alike: 1,
    alike.unused_value_given: 2,
    alike.prepared_value_given: 2,
    alike.treated_alike: 2,
}
MODEL: Weights = {options.sequences_returned: 3, layers.layer_added: 8, options.pooled: 9, options.padding_kept: 10}
DATA: Weights = {axes.axes_rearranged: 1, axes.unwrapped: 5}
DECLARED: Weights = {
    layers.series_given_channel: 0,
    options.rows_left_out: 0,
    layers.shape_of_data: 5,
    layers.axis_declared: 6,
    distant.flag_given: 14,
}
LOST_AXES: Weights = {options.axes_kept: 4, indices.axis_indexed_kept: 5}
PYTHON: Weights = {
    traced_python.table_gathered: 0,
    traced_python.formatted_when_run: 0,
    traced_python.number_drawn_in_graph: 0,
    traced_python.text_split_in_graph: 0,
    sequences.starred_unstacked: 0,
    traced_python.conditional_value: 0,
}
TRACED: Weights = {
    **PYTHON,
    staging.list_gathered: 0,
    staging.in_tensorflow: 0,
    staging.values_of_tensors: 1,
    staging.option_of_function: 1,
    staging.dynamic_size: 4,
}
TYPES: Weights = {
    staging.literal_made_float: 0,
    staging.state_made_float: 0,
    staging.literal_made_tensor: 1,
    staging.quotient_made_integer: 2,
    staging.positions_made_int32: 2,
}
MADE: Weights = {
    constructed.maps_enlarged: 0,
    constructed.memory_measured: 1,
    constructed.mask_given_as_other: 0,
    constructed.mask_of_keys: 0,
    constructed.channels_taken: 1,
    constructed.state_of_layers: 1,
    constructed.stride_taken: 1,
    methods.size_of_other_asked: 1,
    methods.axis_added_elsewhere: 2,
    methods.maps_resized: 6,
}
SHAPES: Weights = {**ALIKE, **DATA, **MODEL, **SIZES, **DISTANT}
OPERANDS: Weights = {
    options.axes_kept: 0,
    options.axes_dropped: 1,
    names.classes_chosen: 1,
    sizes.size_of_neighbour: 3,
    names.operand_replaced: 6,
}
