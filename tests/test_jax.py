"""The pack of JAX: expressions with what is known of them, checked, and computed where JAX is installed.

`python -m tests.support.environments packs` makes the environment for that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import shapecheck
from tests.support.environments import JAX
from tests.support.expressions import FAILS, SILENT, checked, wrong

SETUP = """
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, jit, lax, random, vmap
from jax.experimental import pallas
from jax.experimental.ode import odeint
from jax.flatten_util import ravel_pytree
from shapecheck import reveal_shape as show

x = jnp.ones((3, 4))
row = jnp.arange(4.0)
key = random.PRNGKey(0)
tree = {"w": x, "b": [jnp.zeros(4), jnp.zeros(())]}
half = jnp.zeros(3, jnp.float16)

def dense(params, inputs):
    return inputs @ params["w"] + params["b"]

params = {"w": jnp.ones((4, 5)), "b": jnp.zeros(5)}

def loss(params, inputs):
    return jnp.mean(dense(params, inputs) ** 2)

@jax.jit
def doubled(a):
    return 2 * a

@partial(jax.jit, static_argnums=1)
def folded(a, rows):
    return a.reshape(rows, -1)

def fold_list(a, sizes):
    return a.reshape(sizes)

def is_key(a):
    try:
        if jax.dtypes.issubdtype(a.dtype, jax.dtypes.prng_key):
            return a.shape == ()
        return a.shape == (2,) and a.dtype == np.uint32
    except AttributeError:
        return False

def copied(a):
    def kernel(given, made):
        made[...] = given[...].astype(jnp.float16)
    return pallas.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(a.shape, jnp.float16), interpret=True)(a)

@jax.custom_vjp
def halved(a):
    return a / 2

halved.defvjp(lambda a: a / 2, lambda kept, g: (g / 2,))

@jax.custom_vjp
def valued(a):
    return jnp.sum(np.asarray(a))

valued.defvjp(lambda a: (valued(a), a), lambda kept, g: (np.asarray(kept) * g,))

kept = []

def keep(a):
    kept.append(a * 2)
    return a

@jax.jit
@jax.vmap
def normed(a):
    return a / jnp.linalg.norm(a)
"""
CASES = {
    "jnp.ones(pallas.cdiv(10, 4))": "(3,) float32",
    "copied(x)": "(3, 4) float16",
    "vmap(lambda a, b: lax.add(a, b))(x, jnp.ones(3))": "(3, 4) float32",
    "vmap(lambda a, b: lax.max(a, b * a))(x, jnp.ones(3))": "(3, 4) float32",
    # what lax makes and rearranges
    "lax.full((2, 3), 1.0).astype(float)": "(2, 3) float32",
    "lax.broadcasted_iota(jnp.int32, (3, 4), 0)": "(3, 4) int32",
    "lax.broadcast_in_dim(x, (2, 3, 4), (1, 2))": "(2, 3, 4) float32",
    "lax.broadcast_in_dim(x, (2, 3, 5), (1, 2))": FAILS,
    "lax.collapse(jnp.ones((2, 3, 5)), 0, 2)": "(6, 5) float32",
    "lax.pad(x, 0.0, ((1, 2, 0), (0, 0, 1)))": "(6, 7) float32",
    "lax.slice(x, (0, 1), (2, 4))": "(2, 3) float32",
    "lax.slice(x, (0, 1), (2, 6))": FAILS,
    "lax.split(x, (1, 3), axis=1)[1]": "(3, 3) float32",
    "lax.split(x, (1, 2), axis=1)[1]": FAILS,
    "lax.dot(x, jnp.ones((4, 5)))": "(3, 5) float32",
    "lax.dot(x, jnp.ones((3, 5)))": FAILS,
    "lax.dot_general(x, x, (((1,), (1,)), ((), ())))": "(3, 3) float32",
    "lax.dot_general(x, x, (((1,), (0,)), ((), ())))": FAILS,
    "lax.argmax(x, 1, jnp.int32)": "(3,) int32",
    "lax.clamp(0.0, x, 1.0)": "(3, 4) float32",
    # trees apart from their leaves
    "jax.tree_util.tree_unflatten(jax.tree_util.tree_structure(tree), [row, x, row])['b'][1]": "(3, 4) float32",
    "jax.tree_util.tree_reduce(jnp.add, [x, x])": "(3, 4) float32",
    "jax.tree_util.tree_reduce(jnp.add, [x, x.T])": FAILS,
    "jnp.zeros(jax.eval_shape(jnp.transpose, jax.ShapeDtypeStruct((3, 4), jnp.float32)).shape)": "(4, 3) float32",
    "jax.make_array_from_callback((3, 4), x.sharding, lambda at: x[at], dtype=jnp.float32)": "(3, 4) float32",
    "jnp.diff(jnp.zeros((2, 3), jnp.int32), append=1.5)": "(2, 3) float32",
    "jax.pmap(lambda a: a * 2)(jnp.ones((1, 3)))": "(1, 3) float32",
    "jnp.append(x, x, axis=0)": "(6, 4) float32",
    "jnp.append(x, x[:, :2], axis=0)": FAILS,
    "jnp.insert(x, 1, 0.0, axis=0)": "(4, 4) float32",
    "jnp.block([[x, x], [x, x]]).astype(float)": "(6, 8) float32",
    "jnp.apply_along_axis(jnp.sum, 1, x).astype(float)": "(3,) float32",
    "jax.scipy.stats.norm.logpdf(x, 0.0, row).astype(float)": "(3, 4) float32",
    "jax.scipy.stats.norm.logpdf(x, 0.0, row[:3])": FAILS,
    # arrays, and their dtypes
    "jnp.zeros((2, 3))": "(2, 3) float32",
    "jnp.zeros(3, dtype='float64')": "(3,) float32",
    "jnp.arange(5)": "(5,) int32",
    "jnp.array(np.zeros((2, 2)))": "(2, 2) float32",
    "jnp.array([[1, 2, 3]])": "(1, 3) int32",
    "np.zeros(3) + jnp.ones((2, 1))": "(2, 3) float32",
    "half + 1.5": "(3,) float16",
    "half + jnp.arange(3)": "(3,) float16",
    "jnp.arange(3) * 0.5": "(3,) float32",
    "jnp.arange(3) / 2": "(3,) float32",
    "jnp.ones(3, bool) + 1": "(3,) int32",
    "jnp.sum(jnp.ones((2, 3), jnp.int8), axis=0)": "(3,) int32",
    "np.sin(x)": "(3, 4) float32",
    "x.astype(jnp.int32)": "(3, 4) int32",
    "x.T @ x": "(4, 4) float32",
    # lists are no arrays
    "jnp.sum([1, 2, 3])": FAILS,
    "jnp.prod(x.shape)": FAILS,
    "row + [1, 2, 3, 4]": FAILS,
    "x[[0, 1]]": FAILS,
    "x[[0, 1], :]": "(2, 4) float32",
    "x.at[[0, 1]].set(0.0)": FAILS,
    "jnp.stack([[1.0], [2.0]])": FAILS,
    "jnp.asarray([row, row])": "(2, 4) float32",
    # keys
    "random.normal((3, 4))": FAILS,
    "random.normal(random.split(key), (3,))": FAILS,
    "random.split(random.split(key)[0])": "(2, 2) uint32",
    "random.uniform(key, (3,), minval=row)": FAILS,
    "random.bernoulli(key, row, (3, 4))": "(3, 4) bool",
    "random.bernoulli(key, row, (4, 3))": FAILS,
    "random.categorical(key, x, shape=(5, 3))": "(5, 3) int32",
    "random.categorical(key, x, shape=(3, 5))": FAILS,
    "random.multivariate_normal(key, jnp.zeros(3), jnp.eye(3), (5,)).astype(float)": "(5, 3) float32",
    "random.multivariate_normal(key, jnp.zeros(3), jnp.ones(3))": FAILS,
    "random.choice(key, x, (2,), axis=1)": "(3, 2) float32",
    "random.uniform(key, (2, 4), minval=row)": "(2, 4) float32",
    "random.weibull_min(key, row, x)": "(3, 4) float32",
    "random.weibull_min(key, 1.0, 2.0, (3,), 'float16')": "(3,) float16",
    "random.multivariate_normal(key, jnp.zeros(3), jnp.eye(3), dtype='float16')": "(3,) float32",
    "jnp.ones(3 if is_key(key) else 4)": "(3,) float32",
    "jnp.ones(3 if is_key(random.key(0)) else 4)": "(3,) float32",
    "jnp.ones(3 if is_key(random.split(random.key(0))) else 4)": "(4,) float32",
    "jnp.ones(3 if is_key(x) else 4)": "(4,) float32",
    "jnp.ones(3 if jnp.issubdtype(x.dtype, jnp.floating) else 4)": "(3,) float32",
    "jnp.ones(3 if jnp.issubdtype(x.dtype, np.integer) else 4)": "(4,) float32",
    # functions of functions
    "lax.scan(lambda c, a: c + a, 0.0, row)[0]": FAILS,
    "lax.scan(lambda c, a: (c, a), 0.0, None)[0]": FAILS,
    "lax.while_loop(lambda a: a < 3, lambda a: a + 1, row)": FAILS,
    "lax.cond(row > 1, lambda a: a, lambda a: -a, row)": FAILS,
    "lax.cond(True, lambda a: a, lambda a: -a)": FAILS,
    "vmap(jnp.dot, in_axes=1)(x, row)": FAILS,
    "grad(loss, argnums=2)(params, x)": FAILS,
    "jax.jvp(jnp.sin, (x,), (x,))[1]": "(3, 4) float32",
    "jax.jvp(jnp.sin, (x,), (row,))[1]": FAILS,
    "jax.vjp(lambda a: a @ row, x)[1](jnp.ones(3))[0]": "(3, 4) float32",
    "jax.vjp(lambda a: a @ row, x)[1](row)[0]": FAILS,
    "jnp.vectorize(jnp.dot, signature='(n,m),(m)->(n)')(jnp.ones((5, 3, 4)), row)": "(5, 3) float32",
    "jnp.vectorize(jnp.dot, signature='(n,m),(m)->(n)')(x, jnp.ones(3))": FAILS,
    "ravel_pytree(params)[0]": "(25,) float32",
    "ravel_pytree(params)[1](jnp.ones(25))['w']": "(4, 5) float32",
    "ravel_pytree(params)[1](jnp.ones(24))['w']": FAILS,
    "odeint(lambda y, t: -y, x, jnp.linspace(0.0, 1.0, 7))": "(7, 3, 4) float32",
    "odeint(lambda t, y: y, row, jnp.linspace(0.0, 1.0, 7))": FAILS,
    "jax.image.resize(x, (6, 8), 'linear').astype(float)": "(6, 8) float32",
    "jax.image.resize(x, (6,), 'linear')": FAILS,
    "jax.ops.segment_sum(x, jnp.array([0, 1, 1]), 2)": "(2, 4) float32",
    "jnp.unique(row, size=3)": "(3,) float32",
    "lax.add(row, jnp.zeros(4, jnp.int32))": FAILS,
    "lax.add(row, 2.0)": "(4,) float32",
    "x @ x": FAILS,
    "x + jnp.ones(3)": FAILS,
    "x == jnp.ones((4, 3))": FAILS,
    "x.reshape(2, -1)": "(2, 6) float32",
    "jnp.diff(x, axis=0).astype(jnp.float16)": "(2, 4) float16",
    "jnp.stack([3, jnp.uint8(1)])": "(2,) uint8",
    "jnp.bincount(jnp.zeros(3, int), weights=jnp.zeros(3, jnp.float16), length=8)": "(8,) float16",
    "jax.lax.slice_in_dim(x, 1, 3, axis=1)": "(3, 2) float32",
    "jax.lax.slice_in_dim(x, 1, 5, axis=1)": FAILS,
    "jax.lax.select(True, x, x)": "(3, 4) float32",
    "jax.lax.select(x > 0, x, x[:1])": FAILS,
    "jax.lax.select(x > 0, 0.0, 1.0)": FAILS,
    "jax.vmap(lambda a: jax.lax.select(a > 0, 0.0, 1.0))(x).astype(float)": "(3, 4) float32",
    "x.reshape(5, -1)": FAILS,
    "jnp.concatenate([x, jnp.ones((3, 1))], axis=1)": "(3, 5) float32",
    "jnp.concatenate([x, jnp.ones((3, 1))])": FAILS,
    "jnp.einsum('ij,kj->ik', x, x)": "(3, 3) float32",
    "jnp.einsum('ij,jk->ik', x, x)": FAILS,
    "x.mean(axis=0, keepdims=True)": "(1, 4) float32",
    "jnp.argmax(x, axis=-1)": "(3,) int32",
    "jnp.where(x > 0, x, 0.0)": "(3, 4) float32",
    "jnp.linalg.norm(x, axis=1)": "(3,) float32",
    "jnp.tril(x)": "(3, 4) float32",
    "jnp.tril(row)": FAILS,
    # subscripts
    "x[0]": "(4,) float32",
    "x[7]": "(4,) float32",
    "x[:, None, ::2]": "(3, 1, 2) float32",
    "x[0, 0, 0]": FAILS,
    "x[jnp.array([0, 2, 9])]": "(3, 4) float32",
    "x.at[0].set(row)": "(3, 4) float32",
    "x.at[:, 1].add(1.0)": "(3, 4) float32",
    "x.at[0].set(jnp.ones(3))": FAILS,
    "x.at[5].get()": "(4,) float32",
    "[a.shape for a in x][0]": SILENT,
    # functions of functions
    "doubled(x)": "(3, 4) float32",
    "folded(x, 6)": "(6, 2) float32",
    "folded(x, 5)": FAILS,
    "normed(x)": "(3, 4) float32",
    "vmap(jnp.dot)(x, x)": "(3,) float32",
    "vmap(jnp.dot, in_axes=(0, None))(x, row)": "(3,) float32",
    "vmap(jnp.dot, in_axes=(None, 0))(row, x)": "(3,) float32",
    "vmap(jnp.dot, in_axes=(0, 1))(x, x)": FAILS,
    "vmap(jnp.dot)(x, jnp.ones((2, 4)))": FAILS,
    "vmap(lambda a: a[None], out_axes=1)(x)": "(1, 3, 4) float32",
    "vmap(vmap(jnp.add, (0, None)), (None, 0))(row, jnp.arange(6.0))": "(6, 4) float32",
    "vmap(partial(dense, params))(x)": "(3, 5) float32",
    "vmap(loss, in_axes=(None, 0))(params, x)": "(3,) float32",
    "vmap(lambda t: t['w'].sum())({'w': x})": "(3,) float32",
    "vmap(jnp.sin)(jnp.ones(()))": FAILS,
    "grad(loss)(params, x)['w']": "(4, 5) float32",
    "grad(loss, argnums=(0, 1))(params, x)[1]": "(3, 4) float32",
    "grad(dense)(params, x)['w']": FAILS,
    "jax.value_and_grad(loss)(params, x)[0]": "() float32",
    "jax.value_and_grad(lambda p: (loss(p, x), x), has_aux=True)(params)[0][1]": "(3, 4) float32",
    "vmap(grad(loss), (None, 0))(params, x)['b']": "(3, 5) float32",
    "jax.jacfwd(lambda v: x @ v)(row)": "(3, 4) float32",
    "jax.hessian(lambda v: jnp.sum(v ** 3))(row)": "(4, 4) float32",
    "jax.tree.map(lambda a, b: a + b, tree, tree)['b'][0]": "(4,) float32",
    "jax.tree.leaves(tree)[2]": "(3, 4) float32",
    # control flow
    "lax.scan(lambda c, a: (c + a.sum(), a * 2), jnp.zeros(()), x)[1]": "(3, 4) float32",
    "lax.scan(lambda c, _: (c * 2, None), row, None, length=5)[0]": "(4,) float32",
    "lax.scan(lambda c, a: (c[None], a), row, x)[0]": FAILS,
    "lax.scan(lambda c, ab: (c, ab[0] @ ab[1]), 0, (x, x))[1]": "(3,) float32",
    "lax.scan(lambda c, ab: (c, ab[0]), 0, (x, row))[1]": FAILS,
    "lax.cond(x.sum() > 0, lambda a: a, lambda a: 2 * a, row)": "(4,) float32",
    "lax.cond(x.sum() > 0, lambda a: a[:2], lambda a: a, row)": FAILS,
    "lax.fori_loop(0, 5, lambda i, a: a + x[i], row)": "(4,) float32",
    "lax.fori_loop(0, 5, lambda i, a: jnp.concatenate([a, a]), row)": FAILS,
    "lax.while_loop(lambda a: a.sum() < 9, lambda a: a + 1, row)": "(4,) float32",
    "lax.map(lambda a: a.sum(), x)": "(3,) float32",
    "lax.cond(True, lambda: 0, lambda: row.sum())": FAILS,
    "lax.cond(True, lambda: half[0], lambda: 0.0)": FAILS,
    "lax.cond(True, lambda: 0.0, lambda: row.sum()).astype(float)": "() float32",
    "lax.switch(1, [lambda a: a, lambda a: a > 1], row)": FAILS,
    "lax.scan(lambda c, a: (c + a, a), jnp.zeros((), int), row)[1]": FAILS,
    "lax.scan(lambda c, a: (c + a, a), 0, row)[1]": "(4,) float32",
    "lax.scan(lambda c, a: (c + a, a), jnp.full((), 0), row)[1]": "(4,) float32",
    "lax.scan(lambda c, a: (c + a, a), jnp.zeros(()), jnp.arange(4))[0]": "() float32",
    "lax.fori_loop(0, 3, lambda i, a: a * 0.5, jnp.arange(3))": FAILS,
    "lax.while_loop(lambda a: a[0] < 3, lambda a: a > 0, row)": FAILS,
    "jax.ops.segment_sum(x, jnp.array([0, 0, 1]), 2)": "(2, 4) float32",
    "grad(halved)(2.0)": FAILS,
    # numbers
    "random.normal(key, (2, 3))": "(2, 3) float32",
    "random.split(key, 3)": "(3, 2) uint32",
    "random.split(key)[0]": "(2,) uint32",
    "random.randint(key, (5,), 0, 10)": "(5,) int32",
    "random.uniform(key)": "() float32",
    "random.bernoulli(key, 0.5, (2,))": "(2,) bool",
    "random.categorical(key, x)": "(3,) int32",
    "random.permutation(key, x)": "(3, 4) float32",
    "random.choice(key, x, (2,))": "(2, 4) float32",
    "random.choice(key, x, (3, 0))": "(3, 0) float32",
    # jax.nn and jax.lax
    "jax.nn.relu(x)": "(3, 4) float32",
    "jax.nn.softmax(x, axis=0)": "(3, 4) float32",
    "jax.nn.softmax(x, axis=2)": FAILS,
    "jax.nn.one_hot(jnp.array([0, 2]), 5)": "(2, 5) float32",
    "jax.nn.logsumexp(x, axis=1)": "(3,) float32",
    "jax.nn.initializers.glorot_normal()(key, (4, 5))": "(4, 5) float32",
    "lax.top_k(x, 2)[1]": "(3, 2) int32",
    "lax.top_k(x, 5)[0]": FAILS,
    "lax.add(x, x)": "(3, 4) float32",
    "lax.add(x, row)": FAILS,
    "lax.dynamic_slice(x, (0, 0), (2, 2))": "(2, 2) float32",
    "lax.dynamic_slice(x, (0, 0), (2, 5))": FAILS,
    "lax.dynamic_slice(x, (0,), (2, 2))": FAILS,
    "lax.dynamic_slice(x, jnp.zeros(3, int), (2, 2))": FAILS,
    "lax.dynamic_slice(x, jnp.zeros(2, int), (2, 2))": "(2, 2) float32",
    "lax.dynamic_update_slice(x, row[None], (1,))": FAILS,
    "lax.stop_gradient(x)": "(3, 4) float32",
    "lax.rsqrt(x)": "(3, 4) float32",
}
STAGES = {
    "grad(valued)(row)": "(4,) float32",
    "grad(lambda a: valued(a) * 2)(row)": "(4,) float32",
    "grad(lambda a: np.asarray(valued(a)))(row)": FAILS,
    "jit(grad(valued))(row)": FAILS,
    "grad(lambda a: (a * np.array(lax.stop_gradient(a * 2))).sum())(row)": "(4,) float32",
    "jit(lambda a: (a * np.array(lax.stop_gradient(a * 2))).sum())(row)": FAILS,
    "jit(lambda a: jnp.histogram_bin_edges(a, bins=5).astype(jnp.float32))(row)": "(6,) float32",
    "vmap(lambda a: lax.pmean(a, 'i'), axis_name='i')([x, x[:, 0]])[1].astype(jnp.float32)": "(3,) float32",
    "jit(lambda a: a if a.sum() > 0 else -a)(row)": FAILS,
    "grad(lambda a: a.sum() if a[0] > 0 else -a.sum())(row)": "(4,) float32",
    "jit(lambda a, n: jnp.zeros(n) + a)(row, 4)": FAILS,
    "jit(lambda a, n: jnp.zeros(n) + a, static_argnums=1)(row, 4)": "(4,) float32",
    "jit(lambda a, n: jnp.zeros(n) + a, static_argnames='n')(row, n=4)": "(4,) float32",
    "jit(lambda a, n=4: a[:n])(row)": "(4,) float32",
    "jit(lambda a, s: jax.ops.segment_sum(a, s))(row, jnp.arange(4))": FAILS,
    "jit(lambda a, s: jax.ops.segment_sum(a, s, 5))(row, jnp.arange(4))": "(5,) float32",
    "jit(lambda a, n: a[:n])(row, 2)": FAILS,
    "jit(lambda a: a[a > 0])(row)": FAILS,
    "jit(lambda a: a[np.array([0, 1])])(row)": "(2,) float32",
    "jit(lambda a: a.at[a > 0].set(0.0))(row)": FAILS,
    "jit(lambda a: jnp.nonzero(a)[0])(row)": FAILS,
    "jit(lambda a: a[jnp.argmax(a)] * a)(row)": "(4,) float32",
    "jit(lambda a: a * float(a[0]))(row)": FAILS,
    "grad(lambda a: a.sum() * float(a[0]))(row)": FAILS,
    "jit(lambda a: a + np.cos(a))(row)": FAILS,
    "jit(lambda a: a * np.mean(a))(row)": "(4,) float32",
    "jit(lambda a: a * np.shape(a)[0])(row)": "(4,) float32",
    "jit(lambda a: a * len(a) + sum(b for b in a))(row)": "(4,) float32",
    "jit(lambda a: a * min(a[0], 1))(row)": FAILS,
    "jit(lambda a: a * [1, 2][a[0].astype(int)])(row)": FAILS,
    "jit(lambda a, axis: x.sum(axis=axis) + a)(row, 0)": FAILS,
    "vmap(lambda a: a * int(a))(row)": FAILS,
    "vmap(lambda a: a * np.sin(a))(row)": FAILS,
    "grad(lambda a: (a * np.sin(a)).sum())(row)": FAILS,
    "jit(fold_list, static_argnames='sizes')(row, sizes=[2, 2])": FAILS,
    "jit(fold_list, static_argnames='sizes')(row, sizes=(2, 2))": "(2, 2) float32",
    "(kept.clear(), jit(keep)(row), kept[0] + 1)[2]": FAILS,
    "jit(lambda a: a if row[0] > 0 else -a)(row)": FAILS,
    "vmap(lambda a: a if row[0] > 0 else -a)(row)": "(4,) float32",
    "jit(lambda a: a if row.shape[0] > 0 else -a)(row)": "(4,) float32",
    "vmap(lambda a: a if a > 0 else -a)(row)": FAILS,
    "vmap(lambda a, b: a if b else -a, (0, None))(row, True)": "(4,) float32",
    "lax.fori_loop(0, 3, lambda i, a: a + [1.0, 2.0, 3.0][i], row)": FAILS,
    "jax.checkpoint(lambda a: a if a[0] > 0 else -a)(row)": FAILS,
    "grad(lambda a: (a ** 2).sum())(jnp.arange(3))": FAILS,
    "x.var(axis=0, dtype=int)": "(4,) float32",
    "jnp.full((5, 2), jnp.ones((1, 5, 1)))": FAILS,
    "random.normal(key, 3, 4)": FAILS,
    "folded(x, jnp.arange(3))": FAILS,
    "lax.while_loop(lambda s: s[1] < 3, lambda s: (s[0], s[0]), (jnp.float32(2), jnp.int32(0)))": FAILS,
    "jnp.percentile(x, jnp.ones((1, 2)))": FAILS,
}
"""Functions that are traced with arrays that have no values."""


REGISTERED = """
import jax

class Registered:
    def __init_subclass__(cls):
        jax.tree_util.register_pytree_node(cls, lambda made: ((made.x,), None), lambda _, parts: cls(*parts))
"""
POINT = """
import jax
from bases import Registered

class PointBASE:
    def __init__(self, x=1.0):
        self.x = x
"""


SCALED = """
import jax
import jax.numpy as jnp

@jax.jit
def scaled(a, doubled=True, width: int = 3):
    padded = jnp.concatenate([a, jnp.zeros(width)])
    if doubled:
        return padded * 2
    return padded
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the check says of each expression."""
    return checked(SETUP, CASES, tmp_path_factory.mktemp("jax") / "program.py")


@pytest.mark.parametrize("expression", CASES)
def test_what_is_known(expression: str, told: dict[str, str]) -> None:
    assert told.get(expression, SILENT) == CASES[expression]


@pytest.mark.skipif(not JAX.is_there, reason="JAX is not there: make diff-packs")
def test_it_is_so() -> None:
    assert wrong(JAX.python, SETUP, CASES) == {}


@pytest.mark.parametrize("expression", STAGES)
def test_stages(expression: str, tmp_path: Path) -> None:
    """Each is a program of its own, which ends where it fails."""
    told = checked(SETUP, [expression], tmp_path / "program.py")
    assert told.get(expression, SILENT) == STAGES[expression]


@pytest.mark.parametrize(("base", "count"), [("", 1), ("(Registered)", 0)])
def test_objects_of_a_base_in_another_file(base: str, count: int, tmp_path: Path) -> None:
    """It may make trees of all objects of classes that derive from it, which a compiled function takes."""
    (tmp_path / "bases.py").write_text(REGISTERED)
    path = tmp_path / "program.py"
    path.write_text(f"{POINT.replace('BASE', base)}\nprint(jax.jit(lambda point: 2 * point.x)(Point()))\n")
    assert len(shapecheck.check([path], shapecheck.Config(cache_dir=None))) == count


@pytest.mark.parametrize(("call", "count"), [("", 0), ("scaled(jnp.ones(3))", 0), ("scaled(jnp.ones(3), False)", 1)])
def test_options_that_no_call_gives(call: str, count: int, tmp_path: Path) -> None:
    """They are not traced, but are what they are by default."""
    path = tmp_path / "program.py"
    path.write_text(f"{SCALED}\n{call}\n")
    assert len(shapecheck.check([path], shapecheck.Config(cache_dir=None))) == count


@pytest.mark.skipif(not JAX.is_there, reason="JAX is not there: make diff-packs")
def test_stages_are_so() -> None:
    assert wrong(JAX.python, SETUP, STAGES) == {}
