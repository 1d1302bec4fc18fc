"""The pack of JAX: networks of flax, haiku and equinox, with what is known of their results."""

from __future__ import annotations

import pytest

from tests.support.environments import JAX
from tests.support.expressions import FAILS, SILENT, checked, wrong

NETWORKS = """
from functools import partial
import equinox as eqx
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from flax import struct
from flax.training.train_state import TrainState
from shapecheck import reveal_shape as show

x, wide = jnp.ones((3, 4)), jnp.ones((3, 5))

@struct.dataclass
class Record:
    weights: jax.Array
    size: int = struct.field(pytree_node=False, default=3)

class Target(eqx.Module):
    place: jax.Array = eqx.field(converter=jnp.asarray)
    weight: jax.Array = eqx.field(converter=lambda number: jnp.ones(4) * number, default=1.0)

class Written(Target):
    def __init__(self, place):
        self.place, self.weight = place, 2.0

@jax.tree_util.register_pytree_node_class
class Noted:
    def __init__(self, array):
        self.array = array

    def tree_flatten(self):
        return (self.array,), None

    @classmethod
    def tree_unflatten(cls, aux, parts):
        return cls(*parts)

record = Record(weights=jnp.ones((2, 3)))
image = jnp.ones((2, 8, 8, 3))
key = jax.random.PRNGKey(0)

class Net(nn.Module):
    width: int = 6

    @nn.compact
    def __call__(self, inputs):
        bias = self.param("bias", nn.initializers.zeros, (self.width,))
        return nn.Dense(2)(nn.relu(nn.Dense(self.width)(inputs) + bias))

class Counted(TrainState):
    batches: int = 0

class Scaled:
    factor = 2.0

    @partial(jax.vmap, in_axes=(None, 0))
    def one(self, row):
        return row * self.factor

def loss(params, inputs):
    return net.apply({"params": params}, inputs).sum()

def pictured(pixels):
    return hk.Linear(2)(hk.Flatten()(hk.Conv2D(4, kernel_shape=3, stride=2)(pixels)))

function = hk.without_apply_rng(hk.transform(pictured))
haiku_params = function.init(key, image)
def channels_first(pixels):
    maps = hk.Conv2D(4, kernel_shape=3, stride=(2, 1), data_format="NCHW")(pixels)
    return hk.MaxPool(2, 2, "VALID", channel_axis=1)(maps)

upright = hk.without_apply_rng(hk.transform(channels_first))
upright_params = upright.init(key, jnp.ones((2, 3, 8, 6)))
class Plain:
    scale = 3

    @partial(jax.jit, static_argnums=(0,))
    def compiled(self, a):
        return a * self.scale

    def repeated(self, a, times):
        return jnp.stack([a] * times)

plain = Plain()
maps = eqx.nn.Conv2d(3, 5, 3, stride=2, padding=1, key=key)
pixels = jnp.ones((3, 8, 8))

class Tagger(nn.Module):
    @nn.compact
    def __call__(self, inputs):
        return nn.Dense(3)(nn.RNN(nn.LSTMCell(features=6))(inputs))

def squared(module, inputs):
    return jnp.mean(module(inputs) ** 2)

tagger = Tagger()
tagger_params = tagger.init(key, x[None])
linear = nnx.Linear(4, 2, rngs=nnx.Rngs(0))

class Steadied(nn.Module):
    @nn.compact
    def __call__(self, inputs, is_training):
        inputs = nn.BatchNorm(use_running_average=not is_training)(inputs)
        return nn.Dropout(0.5)(inputs, deterministic=not is_training)

steadied = Steadied()
variables = steadied.init(key, x, True)
rows = hk.transform(lambda inputs: hk.Linear(2)(inputs))
net = Net()
params = net.init(key, x)
inner = params["params"]
tx = optax.adam(1e-3)
state = TrainState.create(apply_fn=net.apply, params=inner, tx=tx)
counted = Counted.create(apply_fn=net.apply, params=inner, tx=tx, batches=1)
later = state.apply_gradients(grads=jax.grad(loss)(inner, x))
ensemble = jax.vmap(net.init, in_axes=(0, None))(jax.random.split(key, 7), x)
updated = optax.apply_updates(inner, jax.grad(loss)(inner, x))
"""
OF_NETWORKS = {
    "record.weights": "(2, 3) float32",
    "nnx.merge(*nnx.split(linear))(x).astype(float)": "(3, 2) float32",
    "nnx.merge(*nnx.split(linear))(wide)": FAILS,
    "linear(nnx.Rngs(0).normal((3, 4))).astype(float)": "(3, 2) float32",
    "nnx.capture(linear, nnx.Intermediate)(x)[0].astype(float)": "(3, 2) float32",
    "nnx.Dropout(0.5)(x, rngs=nnx.Rngs(0)).astype(float)": "(3, 4) float32",
    "record.replace(weights=x).weights": "(3, 4) float32",
    "record.replace(weights=x).weights @ wide": FAILS,
    "Noted(x).array": "(3, 4) float32",
    "nnx.Param(jax.random.normal(nnx.Rngs(0).params(), (4, 7))).value": "(4, 7) float32",
    "x @ nnx.Param(jnp.ones((5, 7))).value": FAILS,
    "net.apply(params, x).astype(float)": "(3, 2) float32",
    "net.apply(params, wide)": FAILS,
    "net.apply(inner, x)": FAILS,
    "tx.update(x, tx.init({'a': x}))": FAILS,
    "nn.LSTMCell(6).init_with_output(key, nn.LSTMCell(6).initialize_carry(key, (2, 4)), x)": FAILS,
    "nn.GRUCell(6).init_with_output(key, nn.GRUCell(6).initialize_carry(key, x.shape), x)[0][0].astype(float)": (
        "(3, 6) float32"
    ),
    "optax.hinge_loss(x, x).astype(float)": "(3, 4) float32",
    "optax.cosine_similarity(x, wide)": FAILS,
    "optax.kl_divergence(x, x).astype(float)": "(3,) float32",
    "optax.global_norm(inner).astype(float)": "() float32",
    "(optax.linear_schedule(1.0, 0.0, 10)(3) * x).astype(float)": "(3, 4) float32",
    "optax.incremental_update({'a': x}, {'a': x}, 0.1)['a']": "(3, 4) float32",
    "steadied.apply(variables, x, False).astype(float)": "(3, 4) float32",
    "steadied.apply(variables, x, True, rngs={'dropout': key})": FAILS,
    "steadied.apply(variables, x, True, mutable=['batch_stats'])": FAILS,
    "steadied.apply(variables, x, True, mutable=['batch_stats'], rngs={'dropout': key})[0].astype(float)": (
        "(3, 4) float32"
    ),
    "nn.BatchNorm(True).apply({'params': variables['params']['BatchNorm_0']}, x)": FAILS,
    "rows.apply(rows.init(key, x), x)": FAILS,
    "rows.apply(rows.init(key, x), None, x).astype(float)": "(3, 2) float32",
    "Net(7).apply(params, x)": FAILS,
    "net.apply({'params': inner}, wide)": FAILS,
    "jax.jit(net.apply)(params, wide)": FAILS,
    "jax.grad(loss)(inner, wide)": FAILS,
    "net.apply({'params': updated}, x).astype(float)": "(3, 2) float32",
    "net.apply({'params': updated}, wide)": FAILS,
    "state.apply_fn({'params': state.params}, wide)": FAILS,
    "later.apply_fn({'params': later.params}, x).astype(float)": "(3, 2) float32",
    "later.apply_fn({'params': later.params}, wide)": FAILS,
    "counted.replace(batches=2).apply_fn({'params': counted.params}, wide)": FAILS,
    "net.apply(ensemble, x)": FAILS,
    "jax.vmap(net.apply, in_axes=(0, None))(ensemble, x).astype(float)": "(7, 3, 2) float32",
    "jax.vmap(net.apply, in_axes=(0, None))(ensemble, wide)": FAILS,
    "function.apply(haiku_params, image).astype(float)": "(2, 2) float32",
    "upright.apply(upright_params, jnp.ones((2, 3, 8, 6))).astype(float)": "(2, 4, 2, 3) float32",
    "hk.avg_pool(image, 2, 2, 'VALID', channel_axis=None).astype(float)": "(2, 4, 4, 1) float32",
    "function.apply(haiku_params, image[:, :6])": FAILS,
    "eqx.filter_vmap(lambda a, b: a * b)(x, 2.0)": "(3, 4) float32",
    "eqx.filter_vmap(lambda a, b: a + b)(x, jnp.ones((2, 4)))": FAILS,
    "eqx.filter_vmap(lambda a, b: a.sum() * b, in_axes=(eqx.if_array(1), None))(x, x[0, 0])": "(4,) float32",
    "eqx.filter_vmap(lambda a, b: (a * 2.0, b), axis_size=3)(1.0, x)[1].astype(float)": "(3, 4) float32",
    "x * eqx.filter_vmap(lambda a: a * 2.0, axis_size=5)(1.0)": "(3, 4) float32",
    "jax.vmap(lambda a: a * 2.0, in_axes=None, axis_size=5)(1.0)": "(5,) float32",
    "jax.grad(lambda a: a[0].sum() * 2.0)(eqx.partition((x, 3), eqx.is_inexact_array)[0])[0]": "(3, 4) float32",
    "jax.grad(lambda a: a[0].sum() * 2.0)(eqx.partition((x, jnp.arange(3)), eqx.is_array)[0])[0]": FAILS,
    "eqx.combine(*eqx.partition((x, 3), eqx.is_array))[0] * x": "(3, 4) float32",
    "jax.jit(plain.compiled)(x)": "(3, 4) float32",
    "jax.jit(plain.repeated, static_argnums=1)(x[0], 4)": "(4, 4) float32",
    "jax.jit(plain.repeated)(x[0], 4)": FAILS,
    "jnp.nan_to_num(Target((1.0, 2.0)).place[..., 0])": "() float32",
    "x @ Target((1.0, 2.0)).weight": "(3,) float32",
    "x @ Target((1.0, 2.0, 3.0)).place": FAILS,
    "Written((1.0, 2.0)).place[..., 0] * Written(0).weight": "(4,) float32",
    "eqx.nn.MaxPool2d(2, 2)(maps(pixels)).astype(float)": "(5, 2, 2) float32",
    "maps(pixels[:2])": FAILS,
    "maps(image)": FAILS,
    "jnp.linalg.solve(jnp.ones((7, 3, 3)), jnp.ones(3))": "(7, 3) float32",
    "jnp.linalg.solve(jnp.ones((3, 3)), jnp.ones((3, 2)))": "(3, 2) float32",
    "tagger.apply(tagger_params, x[None]).astype(float)": "(1, 3, 3) float32",
    "tagger.apply(tagger_params, wide[None])": FAILS,
    "nn.RNN(nn.GRUCell(5), return_carry=True).init_with_output(key, image[0])[0][1].astype(float)": "(8, 8, 5) float32",
    "nnx.value_and_grad(squared)(linear, x)[0].astype(float)": "() float32",
    "x if isinstance(params, dict) else wide": "(3, 4) float32",
    "Scaled().one(x)": "(3, 4) float32",
    "nn.ConvTranspose(5, (3, 3), (2, 2)).init_with_output(key, image)[0].astype(float)": "(2, 16, 16, 5) float32",
    "nn.ConvTranspose(5, (3, 4), strides=(2, 2), padding='VALID').init_with_output(key, image)[0].astype(float)": (
        "(2, 17, 18, 5) float32"
    ),
    "nn.MultiHeadDotProductAttention(num_heads=3).init_with_output(key, x, x)[0]": FAILS,
    "jax.value_and_grad(lambda a: (a.sum(), a), has_aux=True)(x)[1]": "(3, 4) float32",
    "jax.value_and_grad(lambda a: (a.sum(), a))(x)[1]": FAILS,
    "jax.tree_util.tree_map(jnp.add, {'a': x}, {'a': x})['a']": "(3, 4) float32",
    "jax.tree_util.tree_map(jnp.add, {'a': x}, {'a': x, 'b': x})['a']": FAILS,
}
"""Networks, whose weights are made for certain inputs."""


@pytest.mark.parametrize("expression", OF_NETWORKS)
def test_networks(expression: str, networks: dict[str, str]) -> None:
    assert networks.get(expression, SILENT) == OF_NETWORKS[expression]


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return checked(NETWORKS, OF_NETWORKS, tmp_path_factory.mktemp("networks") / "program.py")


@pytest.mark.skipif(not JAX.is_there, reason="JAX is not there: make diff-packs")
def test_networks_are_so() -> None:
    assert wrong(JAX.python, NETWORKS, OF_NETWORKS) == {}
