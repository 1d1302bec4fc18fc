"""Operations that XLA does not compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.shapes.facts import FALSE

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

UNSUPPORTED = frozenset(
    "tf.edit_distance tf.histogram_fixed_width tf.image.combined_non_max_suppression tf.image.crop_and_resize "
    "tf.io.decode_raw tf.linalg.det tf.linalg.eig tf.linalg.lu tf.linalg.slogdet tf.linalg.sqrtm tf.math.bessel_i0 "
    "tf.math.segment_sum tf.nn.dilation2d tf.nn.erosion2d tf.nn.fractional_max_pool tf.nn.max_pool_with_argmax "
    "tf.nn.sampled_softmax_loss tf.numpy_function tf.print tf.py_function tf.random.gamma "
    "tf.random.log_uniform_candidate_sampler tf.random.poisson tf.random.stateless_gamma tf.sets.intersection "
    "tf.sparse.sparse_dense_matmul tf.timestamp tf.unique_with_counts".split()
)
"""Operations that TensorFlow 2.21 refuses to compile."""
FAMILIES = ("tf.strings.", "tf.lookup.")
"""Modules whose operations work with texts and tables, which XLA does not have."""


def check_compiled(t: Tracer, name: str) -> None:
    """Refuse an operation in a function that XLA compiles."""
    if name in UNSUPPORTED or name.startswith(FAMILIES):
        require(t, ClashKind.XLA, FALSE, "XLA does not compile this operation")
        raise PathEnds
