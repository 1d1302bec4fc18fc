"""Random tensors of TensorFlow and NumPy."""

from __future__ import annotations

from shapecheck.models.lang import Answer, ShapeArg, Size, Tensor, at_least, never, op, result
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.values import as_size


@op(
    "tf.random.{uniform,normal,truncated_normal}", "tf.{random_uniform,random_normal,truncated_normal}", dtype="float32"
)
@op("keras.random.{uniform,normal,truncated_normal,randint}", dtype="float32")
@op("keras.backend.{random_uniform,random_normal,truncated_normal,random_binomial}", dtype="float32")
@op("tf.random.stateless_{uniform,normal,truncated_normal}", dtype="float32", oracle="none: needs a seed")
@op("tf.random.Generator.{uniform,normal,truncated_normal}", dtype="float32", oracle="none: a method")
def drawn(shape: ShapeArg) -> Answer:
    return shape


@op("np.random.{rand,randn}", varargs="sizes", dtype="float64")
def rand(sizes: ShapeArg = SCALAR) -> Answer:
    return sizes


NUMBER = Tensor("a parameter", SCALAR)
_METHODS = "random,random_sample,sample,ranf,standard_normal"


@op(f"np.random.{{{_METHODS}}}", f"np.random.RandomState.{{{_METHODS},standard_normal}}", dtype="float64")
@op("np.random.Generator.{random,standard_normal}", dtype="float64", oracle="none: a method")
def sample(size: ShapeArg | None = None) -> Answer:
    return SCALAR if size is None else size


@op("np.random.{normal,uniform,laplace,logistic,gumbel,beta,gamma,binomial}", dtype="float64", rung=3)
@op("np.random.{RandomState,Generator}.{normal,uniform,laplace,beta,gamma,binomial}", dtype="float64", rung=3)
def two_parameters(low: Tensor = NUMBER, high: Tensor = NUMBER, size: ShapeArg | None = None) -> Answer:
    """Without a size, as many as the parameters broadcast to."""
    return broadcast([low.shape, high.shape])[0] if size is None else size


@op("np.random.{poisson,exponential,geometric,chisquare}", dtype="float64")
@op("np.random.{RandomState,Generator}.{poisson,exponential}", dtype="float64")
def one_parameter(lam: Tensor = NUMBER, size: ShapeArg | None = None) -> Answer:
    return lam.shape if size is None else size


@op(
    "np.random.{randint,random_integers}",
    "np.random.RandomState.randint",
    "np.random.Generator.integers",
    dtype="int64",
)
def randint(low: Tensor, high: Tensor | None = None, size: ShapeArg | None = None) -> Answer:
    return low.shape if size is None else size


@op("np.random.choice", "np.random.RandomState.choice", "np.random.Generator.choice", rung=3)
def choice(a: Tensor, size: ShapeArg | None = None) -> Answer:
    picked = SCALAR if size is None else size
    if a.rank is None:
        return UNRANKED
    return Shape((*picked.head, *a.shape.head[1:]), picked.tail)


@op("np.random.permutation", "np.random.RandomState.permutation", "np.random.Generator.permutation", rung=3)
def permutation(x: Tensor) -> Answer:
    """Of a number, the numbers below it."""
    if x.rank == 0:
        count = as_size(x.value)
        return Shape((fresh("?", Kind.LOST) if count is None else count,))
    return x.shape


@op("tf.random.shuffle", "tf.random_shuffle", "keras.random.shuffle")
def shuffle(value: Tensor) -> Answer:
    return "*S -> *S"


@op("np.random.multivariate_normal", "np.random.{RandomState,Generator}.multivariate_normal", dtype="float64", rung=2)
def multivariate_normal(mean: Tensor, cov: Tensor, size: ShapeArg | None = None) -> Answer:
    return "d, d d -> *K d", {"K": SCALAR if size is None else size}


@op("tf.random.categorical", "tf.multinomial", dtype="int64", rung=2)
def categorical(logits: Tensor, num_samples: Size) -> Answer:
    return "b c -> b n", {"n": num_samples}


@op("tf.random.{gamma,poisson}", "tf.{random_gamma,random_poisson}", dtype="float32", rung=2)
def random_gamma(shape: ShapeArg, alpha: Tensor) -> Answer:
    return "*S -> *K *S", {"K": shape}


@op("tf.random_crop", "tf.image.random_crop", rung=3)
def random_crop(value: Tensor, size: ShapeArg) -> Answer:
    if value.rank is None or size.tail is not None:
        return size
    if value.rank != len(size.head):
        return result(
            UNRANKED, needs=[never("rank", f"size has {len(size.head)} entries, value has rank {value.rank}")]
        )
    pairs = list(zip(value.shape.head, size.head, strict=True))
    needs = [
        at_least("axis", have, want, f"value has {have}, too few for a crop of {want}")
        for have, want in pairs
        if want != -1
    ]
    return result(Shape(tuple(have if want == -1 else want for have, want in pairs)), needs=needs)
