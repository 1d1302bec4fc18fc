"""tf.linalg.LinearOperator…: matrices that are represented by their parameters."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, TRUE, Ref, Value, as_bool
from shapecheck.models.lang import Answer, Context, Size, Tensor, attribute, base, behaviour, op
from shapecheck.models.lang.arguments import as_tensor

CLASS = "tf.linalg.LinearOperator"
MAKERS = {  # the class of an operator, by the model of the dense matrix
    "FullMatrix": "whole",
    "LowerTriangular": "square",
    "Diag": "diagonal",
    "Identity": "identity",
    "ScaledIdentity": "identity",
    "Zeros": "identity",
}
OTHERS = """Adjoint BlockDiag BlockLowerTriangular Circulant Circulant2D Circulant3D Composition Householder Inversion
Kronecker LowRankUpdate Permutation Toeplitz Tridiag""".split()


@op("tf.linalg.operator_parts.whole", oracle="none: our own name")
def whole(matrix: Tensor) -> Answer:
    return "*B m n -> *B m n"


@op("tf.linalg.operator_parts.square", oracle="none: our own name")
def square(tril: Tensor) -> Answer:
    return "*B n n -> *B n n"


@op("tf.linalg.operator_parts.diagonal", oracle="none: our own name")
def diagonal(diag: Tensor) -> Answer:
    return "*B n -> *B n n"


@op("tf.linalg.operator_parts.identity", oracle="none: our own name")
def identity(num_rows: Size) -> Answer:
    return "-> {n} {n}", {"n": num_rows}


def _register(name: str, part: str) -> None:
    def make(ctx: Context, first: Value, *rest: Value, **others: Value) -> Value:
        return ctx.new(CLASS, _dense=ctx.apply(f"tf.linalg.operator_parts.{part}", first))

    def make_by_name(ctx: Context, *args: Value, **keywords: Value) -> Value:
        named = [keywords[key] for key in ("matrix", "tril", "diag", "num_rows") if key in keywords]
        if not (args or named) or (len(args) > 1 and part == "identity") or "batch_shape" in keywords:
            return ctx.new(CLASS)
        return make(ctx, (args or named)[0])

    make_by_name.__module__ = __name__
    behaviour(f"{CLASS}{name}")(make_by_name)


for _name, _part in MAKERS.items():
    _register(_name, _part)


@behaviour(CLASS, *(f"{CLASS}{name}" for name in OTHERS))
def unknown(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Return a matrix of which only the class is known."""
    return ctx.new(CLASS)


def _dense(ctx: Context, self: Value) -> Value:
    found = ctx.get(self, "_dense") if isinstance(self, Ref) else None
    return as_tensor(ctx.lost("a linear operator"), ctx) if found is None else found


@behaviour(f"{CLASS}.to_dense")
def to_dense(ctx: Context, self: Value, name: Value = TRUE) -> Value:
    return _dense(ctx, self)


@behaviour(f"{CLASS}.matmul")
def matmul(ctx: Context, self: Value, x: Value, adjoint: Value = FALSE, adjoint_arg: Value = FALSE) -> Value:
    if isinstance(x, Ref):
        return ctx.new(CLASS)
    return ctx.apply("tf.matmul", _dense(ctx, self), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)


@behaviour(f"{CLASS}.matvec")
def matvec(ctx: Context, self: Value, x: Value, adjoint: Value = FALSE) -> Value:
    return ctx.apply("tf.linalg.matvec", _dense(ctx, self), x, adjoint_a=adjoint)


@behaviour(f"{CLASS}.solve")
def solve(ctx: Context, self: Value, rhs: Value, adjoint: Value = FALSE, adjoint_arg: Value = FALSE) -> Value:
    if isinstance(rhs, Ref) or as_bool(adjoint_arg) is not False:
        return ctx.lost("a linear operator")
    return ctx.apply("tf.linalg.triangular_solve", _dense(ctx, self), rhs)


@behaviour(f"{CLASS}.{{determinant,log_abs_determinant}}")
def determinant(ctx: Context, self: Value, name: Value = TRUE) -> Value:
    return ctx.apply("tf.linalg.det", _dense(ctx, self))


@behaviour(f"{CLASS}.trace")
def trace(ctx: Context, self: Value, name: Value = TRUE) -> Value:
    return ctx.apply("tf.linalg.trace", _dense(ctx, self))


@behaviour(f"{CLASS}.{{adjoint,inverse,cholesky,diag_part,eigvals,add_to_tensor,solvevec,cond}}")
def derived(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a linear operator")


@attribute(f"{CLASS}.shape")
def shape(ctx: Context, self: Value) -> Value:
    from shapecheck.models.ops.query import tensor_shape

    return tensor_shape(ctx, _dense(ctx, self))


base(CLASS, "object")
