"""Distances between rows, and losses of pairs of them."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Axis, Flag, Tensor, op, result
from shapecheck.models.torch.layer import layer
from shapecheck.models.torch.reduce import similarity
from shapecheck.shapes.shape import UNRANKED, Shape

FUNCTIONS = "torch.nn.functional"


@layer("torch.nn.CosineSimilarity", dtype="?")
@op(f"{{{FUNCTIONS},torch}}.cosine_similarity", dtype="?")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: Axis = 1) -> Answer:
    return similarity(x1, x2, dim)


@layer("torch.nn.PairwiseDistance", dtype="?")
@op(f"{{{FUNCTIONS},torch}}.pairwise_distance", dtype="?")
def pairwise_distance(x1: Tensor, x2: Tensor, keepdim: Flag = False) -> Answer:
    """The last axes broadcast, and are left out."""
    return similarity(x1, x2, -1, keepdim)


@op(f"{FUNCTIONS}.pdist", "torch.pdist")
def pdist(input: Tensor) -> Answer:
    """One distance for each pair of rows."""
    if input.rank != 2:
        return UNRANKED
    rows = input.shape.head[0]
    return result(Shape((rows * (rows - 1) // 2,)))
