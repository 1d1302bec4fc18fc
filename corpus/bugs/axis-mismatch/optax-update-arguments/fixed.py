import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.zeros((3, 2))}
opt = optax.adam(1e-2)
opt_state = opt.init(params)
grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
updates, opt_state = opt.update(grads, opt_state, params)
params = optax.apply_updates(params, updates)
