"""Clusters of rows of SciPy."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Value, as_size
from shapecheck.models.lang import Answer, AnyValue, Tensor, op, result
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

ROWS = "none: rows or their distances"
JOINED = "none: joined clusters"


@op(
    "scipy.cluster.hierarchy.{linkage,single,complete,average,weighted,centroid,median,ward}",
    dtype="float64",
    oracle="none: rows or their distances",
)
def linkage(y: Tensor, method: AnyValue = NONE, metric: AnyValue = NONE) -> Answer:
    """Each row joins two clusters; a vector has the distances of all pairs."""
    if y.rank == 1:
        return Shape((lost("rows with these distances"), 4))
    return "n _ -> (n - 1) 4"


@op("scipy.cluster.hierarchy.fcluster", dtype="int32", oracle=JOINED)
def fcluster(Z: Tensor, t: AnyValue, criterion: AnyValue = NONE) -> Answer:  # noqa: N803
    return "n 4 -> (n + 1)"


@op("scipy.cluster.hierarchy.leaves_list", dtype="int32", oracle=JOINED)
def leaves_list(Z: Tensor) -> Answer:  # noqa: N803
    return "n 4 -> (n + 1)"


@op("scipy.cluster.hierarchy.{inconsistent,optimal_leaf_ordering}", dtype="float64", oracle=JOINED)
def of_each_join(Z: Tensor) -> Answer:  # noqa: N803
    return "n 4 -> n 4"


@op("scipy.cluster.hierarchy.maxdists", dtype="float64", oracle=JOINED)
def maxdists(Z: Tensor) -> Answer:  # noqa: N803
    return "n 4 -> n"


@op("scipy.cluster.hierarchy.cophenet", dtype="float64", oracle=JOINED)
def cophenet(Z: Tensor, Y: Tensor | None = None) -> Answer:  # noqa: N803
    """Return a distance for each pair of rows; before it how well the given distances are kept."""
    pairs = {"p": "(n + 1) * n // 2"}
    return ("n 4 -> {p}" if Y is None else "n 4, _ -> , {p}"), pairs


@op("scipy.cluster.hierarchy.cut_tree", dtype="int64", oracle=JOINED)
def cut_tree(Z: Tensor, n_clusters: AnyValue = NONE, height: AnyValue = NONE) -> Answer:  # noqa: N803
    """There is a column for each number of clusters, by default for all of them."""
    one = 1 if as_size(n_clusters) is not None else lost("as many as are given")
    return "n 4 -> (n + 1) {m}", {"m": "n + 1" if n_clusters == height == NONE else one}


@op("scipy.cluster.hierarchy.fclusterdata", dtype="int32", oracle=JOINED)
def fclusterdata(X: Tensor, t: AnyValue) -> Answer:  # noqa: N803
    return "n _ -> n"


@op("scipy.cluster.vq.vq", returns="tuple", dtype="int32,float64", oracle="none: tables only")
def vq(obs: Tensor, code_book: Tensor) -> Answer:
    """Return the nearest code for each row, and how far it is."""
    return "m k, n k -> m, m" if obs.rank == code_book.rank == 2 else result(UNRANKED, UNRANKED)


@op("scipy.cluster.vq.kmeans", returns="tuple", dtype="float64,float64", oracle="none: random results")
def kmeans(obs: Tensor) -> Answer:
    """Return the centres, of which there may be fewer than are asked for, and a mean distance."""
    columns = obs.shape.size(1) if obs.rank == 2 else None
    return result(UNRANKED if columns is None else Shape((lost(), columns)), Shape(()))


@op("scipy.cluster.vq.kmeans2", returns="tuple", dtype="float64,int32", oracle="none: random results")
def kmeans2(data: Tensor, k: AnyValue = NONE) -> Answer:
    """Return the centre of each cluster, and the cluster of each row."""
    return ("m k -> n k, m", {"n": _clusters(k)}) if data.rank == 2 else result(UNRANKED, UNRANKED)


def _clusters(count: Value) -> AnySize:
    found = as_size(count)
    return lost("as many as are given") if found is None else found


@op("scipy.cluster.vq.whiten", oracle="none: no rows that are equal")
def whiten(obs: Tensor) -> Answer:
    return obs.shape
