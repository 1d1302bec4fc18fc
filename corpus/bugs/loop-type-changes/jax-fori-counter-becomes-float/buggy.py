import jax
import jax.numpy as jnp


def visits(states, cells=9, decay=0.9):
    counts = jnp.zeros(cells, dtype=jnp.int32)

    def step(t, counts):
        return (decay * counts).at[states[t]].add(1)

    return jax.lax.fori_loop(0, states.shape[0], step, counts)


print(visits(jnp.arange(20) % 9))
