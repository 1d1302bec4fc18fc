"""Repairs of numbers of elements, axes and positions that a value does not have."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs import (
    alike,
    arrays,
    axes,
    beside,
    constructed,
    distant,
    indices,
    layers,
    methods,
    numerics,
    options,
    pictures,
    reshapes,
    sequences,
    states,
    swapped_sizes,
)
from shapecheck.repairs.table import groups
from shapecheck.repairs.weights import Table

TABLE: Table = {
    ClashKind.ROW_OF_LAST_WORD: {sequences.rows_of_unknown_counted: 0},
    ClashKind.UNPACK: {
        states.states_of_both_directions_joined: 0,
        methods.as_many_parts: 0,
        arrays.unpacked_in_part: 1,
        indices.axis_indexed_kept: 0,
    },
    ClashKind.ELEMENTS: {
        methods.copied_before_view: 0,
        sequences.classes_of_metric: 0,
        indices.all_columns_taken: 0,
        pictures.read_as_grey: 0,
        distant.square_shape_named: 1,
        reshapes.flattened_size_counted: 1,
        reshapes.units_multiplied: 0,
        distant.channels_scaled: 4,
        pictures.channels_converted: 4,
        reshapes.reshape_fitted: 3,
        **groups.MODEL,
        **groups.SIZES,
        axes.unwrapped: 5,
        reshapes.size_left_open: 9,
        reshapes.rest_left_out: 10,
    },
    ClashKind.AXIS_RANGE: {
        methods.stacked_as_columns: 0,
        options.axes_left_out: 0,
        options.vectors_stacked: 0,
        options.axis_changed: 0,
        axes.unwrapped: 4,
        **groups.LOST_AXES,
    },
    ClashKind.INDEX_RANGE: {
        options.mask_reduced_otherwise: 0,
        indices.column_taken: 0,
        numerics.frequencies_matched: 0,
        beside.loop_over_what_is_filled: 0,
        arrays.shape_index_provided: 0,
        arrays.key_made_position: 0,
        distant.rows_of_embedding: 1,
        alike.part_left_out: 3,
        indices.index_left_out: 0,
        options.axes_dropped: 1,
        indices.index_lowered: 2,
        indices.bound_lowered: 3,
        axes.axes_rearranged: 6,
        axes.unwrapped: 6,
        **{repair: weight for repair, weight in groups.SIZES.items() if repair is not swapped_sizes.neighbours_swapped},
    },
    ClashKind.NEGATIVE_SIZE: {
        methods.batch_axis_first: 0,
        axes.axes_rearranged: 0,
        constructed.borders_kept: 1,
        layers.series_given_channel: 0,
        options.rows_left_out: 0,
        options.padding_kept: 1,
        **groups.SIZES,
    },
    ClashKind.SET_SHAPE: {
        distant.halves_counted: 0,
        distant.counted_with_one_more: 1,
        pictures.grey_repeated: 1,
        reshapes.reshaped: 0,
        **groups.SHAPES,
    },
}
