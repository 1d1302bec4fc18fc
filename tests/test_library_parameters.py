"""Arguments that the functions, layers and methods of libraries refuse, checked, and called where the libraries are
installed; those that only other versions take are not reported.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.dataflow.calls.library_parameters import parameters_of
from shapecheck.models.lang.bind import signatures
from tests.support.environments import CURRENT, JAX, PYTORCH, Environment
from tests.support.expressions import FAILS, checked, wrong
from tests.support.parameter_lists import common, parse
from tests.support.parameter_texts import present_now

OF_TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from shapecheck import reveal_shape as show

x = torch.zeros(3, 4)
layer = nn.Linear(4, 3)
weights = [torch.zeros(3, requires_grad=True)]
steps = torch.optim.SGD(weights, lr=0.1)

def weighted(value, options):
    return F.softmax(value, **options)
"""
TORCH_REFUSES = (
    "nn.Linear(3, 4, bais=False)",
    "nn.Linear(3, 4, True, bias=False)",
    "nn.Linear(3)",
    "nn.Conv2d(3, 8, kernel=3)",
    "nn.LSTM(3, 4, num_layer=2)",
    "nn.CrossEntropyLoss(weights=x)",
    "nn.MultiheadAttention(8, 2, batchfirst=True)",
    "layer(x, y=1)",
    "nn.Dropout(0.1)(x, training=True)",
    "nn.MSELoss()(x)",
    "F.softmax(x, dims=1)",
    "weighted(x, {'axis': 1})",
    "F.relu(x, True, 3)",
    "F.cross_entropy(x)",
    "F.max_pool2d(x[None], kernel=2)",
    "torch.zeros(3, shape=3)",
    "torch.sum(x, dims=1)",
    "torch.linalg.svd(x, some=True)",
    "x.sum(axes=1)",
    "torch.optim.Adam(weights, learning_rate=1e-3)",
    "torch.optim.lr_scheduler.StepLR(steps, 3, gama=1)",
    "nn.utils.clip_grad_norm_(weights)",
    "DataLoader([1], batchsize=3)",
)
TORCH_TAKES = (
    "nn.MSELoss(size_average=False, reduce=True)",
    "nn.Identity(3, anything=4)",
    "nn.LSTM(3, 4, proj_size=2)",
    "nn.Transformer(8, 2, norm_first=True)",
    "F.softmax(x, dim=1, _stacklevel=2)",
    "torch.sum(x, axis=1, keepdims=True)",
    "torch.sum(a=x)",
    "torch.linalg.svd(x, full_matrices=False)",
    "torch.zeros(3, names=('n',))",
    "x.add_(2, x)",
    "torch.Tensor.add(x, x)",
    "list(nn.Module.children(layer))",
    "torch.optim.lr_scheduler.StepLR(steps, 3, verbose=True)",
    "nn.utils.clip_grad_norm_(weights, 1.0, foreach=True)",
    "torch.utils.data.TensorDataset(data_tensor=x, target_tensor=x)",
    "x.sum().backward(retain_variables=True)",
)
OF_JAX = """
import equinox
import flax.linen
import haiku
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from shapecheck import reveal_shape as show

x = jnp.zeros((3, 4))
key = jax.random.PRNGKey(0)
"""
JAX_REFUSES = (
    "nnx.Linear(3, 4, use_bais=False, rngs=nnx.Rngs(0))",
    "nnx.Linear(3, 4)",
    "nnx.BatchNorm(3, rngs=nnx.Rngs(0))(x, training=True)",
    "flax.linen.Dense(features=3, activation=jax.nn.relu)",
    "flax.linen.Dense()",
    "flax.linen.Conv(features=3, kernel_sizes=(3, 3))",
    "flax.linen.Dropout(0.1)(x, train=False)",
    "haiku.Linear(3, bias=True)",
    "equinox.nn.Linear(3, 4)",
    "equinox.nn.Conv2d(3, 4, kernel=3, key=key)",
    "optax.adam(lr=1e-3)",
    "optax.sgd(0.1, momentun=3)",
    "jnp.sum(x, axes=1)",
    "jnp.zeros(3, shap=3)",
    "jax.nn.softmax(x, dim=1)",
    "jax.random.normal(key, size=(3,))",
    "jax.jit(lambda a: a, static_argnum=1)",
    "jax.vmap(lambda a: a, in_axis=1)",
)
JAX_TAKES = (
    "flax.linen.Dense(3, kernel_axes=None)",
    "flax.linen.LayerNorm(1e-5, use_fast_variance=False)",
    "nnx.Linear(din=3, dout=4, rngs=nnx.Rngs(0))",
    "jax.jit(lambda a: a, device=None, backend='cpu')",
    "jnp.sum(x, axis=1, promote_integers=False)",
    "optax.adamw(1e-3, mask=None, nesterov=True)",
    "haiku.MultiHeadAttention(2, 4, 1.0, 8)",
)

OF_KERAS = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
from shapecheck import reveal_shape as show

x = np.ones((8, 4))
model = keras.Sequential([keras.layers.Dense(1)])
data = tf.data.Dataset.from_tensor_slices(x)
"""
KERAS_REFUSES = (
    "keras.layers.Dense(10, activaton='relu')",
    "keras.layers.Conv2D(32, kernal_size=3)",
    "keras.layers.LSTM(3, return_sequence=True)",
    "keras.layers.Dropout(0.5, rat=3)",
    "keras.losses.Huber(detla=1.0)",
    "keras.optimizers.Adam(learing_rate=0.1)",
    "keras.callbacks.EarlyStopping(patiance=3)",
    "keras.regularizers.L2(lamda=0.1)",
    "keras.Input(shap=(3,))",
    "model.compile(optimiser='adam', loss='mse')",
    "model.fit(x, x, epoch=3)",
    "model.evaluate(x, batchsize=3)",
    "tf.reshape(x, [32], nmae='flat')",
    "tf.reduce_mean(x, axes=1)",
    "tf.nn.conv2d(x, x, stride=1, padding='SAME')",
    "tf.GradientTape(persistant=True)",
    "tf.reshape(x)",
    "data.batch(3, drop_reminder=True)",
    "data.map(lambda a: a, num_parallel_call=3)",
    "np.zeros(2, 3, 4, 5)",
    "np.sum(x, axes=0)",
    "np.concatenate([x, x], axes=0)",
    "np.add(x, x, axis=0)",
    "np.linalg.norm(x, axes=1)",
    "np.random.normal(0, 1, shape=3)",
    "np.random.RandomState(3).normal(sz=3)",
    "np.random.default_rng(3).integers(3, sz=3)",
    "x.mean(axes=1)",
)
KERAS_TAKES = (
    "keras.layers.Dense(10, input_dim=4, weights=None, dtype='float32', name='a', trainable=False)",
    "keras.layers.Dense(output_dim=10, init='uniform', W_regularizer=None, b_constraint=None, input_dtype='int32')",
    "keras.layers.Conv2D(32, 3, 3, border_mode='same', subsample=(1, 1), dim_ordering='tf', nb_filter=3)",
    "keras.layers.Dense(10, autocast=False, dynamic=True, batch_input_shape=(3, 4))",
    "keras.layers.LSTM(3, implementation=2, time_major=False, consume_less='gpu', inner_init='uniform')",
    "keras.layers.MaxPooling2D((2, 2), border_mode='same')",
    "keras.optimizers.Adam(lr=0.1, decay=0.1, clipnorm=1.0, weight_decay=None, jit_compile=True)",
    "model.compile('adam', 'mse', sample_weight_mode='temporal', target_tensors=None, options=None)",
    "tf.reduce_sum(x, reduction_indices=0, keep_dims=True)",
    "tf.nn.softmax(x, dim=1)",
    "tf.concat(concat_dim=0, values=[x, x])",
    "tf.Variable(x, validate_shape=False, collections=None, use_resource=True)",
    "tf.image.resize_images(x[..., None], size=(3, 3), align_corners=True)",
    "data.map(lambda a: a, num_threads=3, output_buffer_size=3)",
    "np.array(x, copy=False, ndmin=2, like=None)",
    "np.add(x, x, x, where=True, casting='no', dtype=None, extobj=None)",
    "np.sum(x, 0, None, None, True, initial=3, where=True)",
    "np.random.choice(3, 4, True, [1, 0, 0])",
    "np.clip(x, 0, 1, x, dtype=None)",
    "x.mean(1, None, None, True)",
)


@pytest.mark.parametrize(
    ("setup", "calls"),
    [(OF_TORCH, TORCH_REFUSES), (OF_JAX, JAX_REFUSES), (OF_KERAS, KERAS_REFUSES)],
    ids=("torch", "jax", "keras"),
)
def test_arguments_that_a_library_refuses_are_reported(setup: str, calls: tuple[str, ...], tmp_path: Path) -> None:
    found = checked(setup, calls, tmp_path / "program.py", apart=True)
    assert [call for call in calls if found.get(call) != FAILS] == []


@pytest.mark.parametrize(
    ("setup", "calls"),
    [(OF_TORCH, TORCH_TAKES), (OF_JAX, JAX_TAKES), (OF_KERAS, KERAS_TAKES)],
    ids=("torch", "jax", "keras"),
)
def test_arguments_that_some_version_takes_are_not_reported(setup: str, calls: tuple[str, ...], tmp_path: Path) -> None:
    found = checked(setup, calls, tmp_path / "program.py", apart=True)
    assert [call for call in calls if found.get(call) == FAILS] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "setup", "calls"),
    [(PYTORCH, OF_TORCH, TORCH_REFUSES), (JAX, OF_JAX, JAX_REFUSES), (CURRENT, OF_KERAS, KERAS_REFUSES)],
    ids=("torch", "jax", "keras"),
)
def test_the_libraries_refuse_them(environment: Environment, setup: str, calls: tuple[str, ...]) -> None:
    if not environment.is_there:
        pytest.skip(f"{environment.name} is not installed")
    setup = setup.replace("from shapecheck import reveal_shape as show\n", "")
    assert wrong(environment.python, setup, dict.fromkeys(calls, FAILS)) == {}


def test_a_table_accepts_what_the_versions_have_that_models_are_compared_with() -> None:
    """What is a parameter by position alone is left out."""
    refused = []
    for listed in (present_now(), *signatures("older_signatures").values()):
        for name, parameters in listed.items():
            known = parameters_of(name.replace("tf.compat.v1.", "tf.")) if not name.startswith("tf.contrib.") else None
            by_name = [each for each in parameters if not each.startswith(("*", "_", "self", "x"))]
            if known is not None and "**" not in {param.kind for param in known[0]}:
                named = {param.name for param in known[0] if param.kind in ("plain", "keyword")}
                refused += [(name, each) for each in by_name if each not in named]
    assert [each for each in refused if each[0] != "np.ndarray.dot"] == []


@pytest.mark.parametrize(
    ("lists", "accepted"),
    [
        (["x, axis=, *, out="], "x, axis=, *, out="),
        (["x, axis=", "x, axis=, *, out"], "x, axis=, *, out="),
        (["a, axis=", "x, axis="], "_0=, axis=, *, a=, x="),
        (["size, *, out=", "*args, dtype="], "*args, size=, out=, dtype="),
        (["x, y", "x, *, key"], "x, y=, *, key="),
        (["x, *, key", "x, y=, *, key"], "x, y=, *, key"),
        (["x, **", "x, y="], "x, y=, **"),
    ],
)
def test_lists_of_several_versions_accept_what_one_accepts(lists: list[str], accepted: str) -> None:
    assert common([parse(each) for each in lists]) == accepted
