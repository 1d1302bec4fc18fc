"""Distances of SciPy between vectors, and between rows."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Tensor, op, result
from shapecheck.models.lang.constraints import broadcasting, of_rank
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

VECTORS = "none: of vectors"


def _are_vectors(u: Tensor, v: Tensor) -> bool:
    """Refuse tables; rows and columns counted as vectors once, but tables never did."""
    for each in (u, v):
        if sum(isinstance(size, int) and size > 1 for size in each.shape.known) > 1:
            of_rank(each, 1)
    return u.rank == v.rank == 1


@op("scipy.spatial.distance.{cosine,correlation}", oracle=VECTORS)
def product_distance(u: Tensor, v: Tensor) -> Answer:
    return "n, n ->" if _are_vectors(u, v) else SCALAR


@op("scipy.spatial.distance.{euclidean,sqeuclidean,cityblock,chebyshev,minkowski,canberra,braycurtis}", oracle=VECTORS)
@op("scipy.spatial.distance.{hamming,jaccard,yule,dice,rogerstanimoto,russellrao,sokalsneath}", oracle=VECTORS)
@op("scipy.spatial.distance.{mahalanobis,seuclidean}", oracle=VECTORS)
def distance(u: Tensor, v: Tensor) -> Answer:
    """The differences of the first ones broadcast, so that one of a single number has a distance to any other."""
    return "~B, ~B ->" if _are_vectors(u, v) else SCALAR


@op("scipy.spatial.distance.jensenshannon", dtype="?", oracle=VECTORS)
def jensenshannon(p: Tensor, q: Tensor) -> Answer:
    return SCALAR if p.rank == q.rank == 1 else UNRANKED


@op("scipy.spatial.distance.directed_hausdorff", dtype="?", oracle="none: tables only")
def directed_hausdorff(u: Tensor, v: Tensor) -> Answer:
    """Return the distance, and the rows that have it."""
    return "m k, n k -> , ,"


@op("scipy.spatial.distance_matrix", dtype="?", oracle="none: tables only")
def distance_matrix(x: Tensor, y: Tensor) -> Answer:
    return "m k, n k -> m n"


@op("scipy.spatial.procrustes", dtype="float64", oracle="none: tables that are not constant")
def procrustes(data1: Tensor, data2: Tensor) -> Answer:
    """Return both tables, moved and scaled, and how much they differ."""
    return "m n, m n -> m n, m n,"


@op("scipy.spatial.minkowski_distance", dtype="?", oracle=VECTORS)
def minkowski_distance(x: Tensor, y: Tensor) -> Answer:
    """Points are along the last axis."""
    shape, needs = broadcasting([x.shape, y.shape], f"{x.shape} and {y.shape}")
    return result(Shape(shape.sizes[:-1]) if x.rank and y.rank else UNRANKED, needs=needs)
