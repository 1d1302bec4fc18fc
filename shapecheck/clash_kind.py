"""The kinds of clashes, which models and the tracer report, rules judge and replays show."""

from __future__ import annotations

from enum import Enum


class ClashKind(Enum):
    """The violated constraint, or the pattern that a model noticed; it selects the rule."""

    # Constraints that cannot hold.
    AXIS = "axis"
    RANK = "rank"
    BROADCAST = "broadcast"
    ELEMENTS = "elements"
    AXIS_RANGE = "axis-range"
    INDEX_RANGE = "index-range"
    VALUE_RANGE = "value-range"  # which only an execution reveals
    NEGATIVE_SIZE = "negative-size"
    SET_SHAPE = "set-shape"
    FEED = "feed"
    CROSS_ENTROPY = "cross-entropy"
    LAYER_INPUT = "layer-input"
    UNBUILT = "unbuilt"
    UNPACK = "unpack"
    NOTHING = "nothing"

    # Legal and suspicious.
    APPEND_FLATTENED = "append-flattened"
    ARGMAX_ROWS = "argmax-rows"
    AXES_GATHERED = "axes-gathered"
    AXES_REORDERED = "axes-reordered"
    AXIS_FIRST = "axis-first"
    BATCH_CROSSED = "batch-crossed"
    BATCH_LAST = "batch-last"
    BATCH_SOFTMAX = "batch-softmax"
    BATCHED_TWICE = "batched-twice"
    BIAS_COLUMN = "bias-column"
    CHANNELS_GROUPED = "channels-grouped"
    CHANNELS_PLACE = "channels-place"
    DOT_OUTER = "dot-outer"
    DTYPES_MIXED = "dtypes-mixed"
    FEED_MISPLACED = "feed-misplaced"
    FLOATS_TRUNCATED = "floats-truncated"
    HEADS_MERGED = "heads-merged"
    LABELS_ENCODING = "labels-encoding"
    LOGITS_AS_PROBABILITIES = "logits-as-probabilities"
    LOSS_STRETCHED = "loss-stretched"
    METRIC_LABELS = "metric-labels"
    ONE_CLASS = "one-class"
    ROWS_CHANGED = "rows-changed"
    ROWS_CROSSED = "rows-crossed"
    ROWS_MEET_COLUMNS = "rows-meet-columns"
    SIZE1_AXIS = "size1-axis"
    SIZE_AS_DTYPE = "size-as-dtype"
    SOFTMAX_AS_LOGITS = "softmax-as-logits"
    SQUEEZE_BATCH = "squeeze-batch"
    STRETCH_BOTH = "stretch-both"
    TARGETS_STRETCHED = "targets-stretched"
    UNMASKED = "unmasked"
    VECTOR_TRANSPOSED = "vector-transposed"
    VERSION = "version"
    WRITTEN_OVER = "written-over"

    # Of staging: what is symbolic while a function is traced into a graph.
    LEAKED_SYMBOLIC = "leaked-symbolic"
    SYMBOLIC_BOOL = "symbolic-bool"
    SYMBOLIC_ITERATION = "symbolic-iteration"
    SYMBOLIC_NUMPY = "symbolic-numpy"
    SYMBOLIC_PYTHON = "symbolic-python"
    BRANCHES = "branches"
    LOOP_SHAPE = "loop-shape"
    LOOP_TYPE = "loop-type"
    NO_GRADIENT = "no-gradient"
