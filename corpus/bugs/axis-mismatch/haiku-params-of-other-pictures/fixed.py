import haiku as hk
import jax
import jax.numpy as jnp


def forward(images):
    net = hk.Sequential(
        [
            hk.Conv2D(8, kernel_shape=3, stride=2),
            jax.nn.relu,
            hk.Flatten(),
            hk.Linear(32),
            jax.nn.relu,
            hk.Linear(10),
        ]
    )
    return net(images)


network = hk.without_apply_rng(hk.transform(forward))
params = network.init(jax.random.PRNGKey(42), jnp.zeros((1, 28, 28, 1)))
logits = network.apply(params, jnp.zeros((16, 28, 28, 1)))
print(logits.shape)
