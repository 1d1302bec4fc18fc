import jax
import jax.numpy as jnp


def init_layer(key, inputs, outputs):
    scale = jnp.sqrt(2.0 / inputs)
    return {"w": scale * jax.random.normal(key, (inputs, outputs)), "b": jnp.zeros(outputs)}


def predict(layers, x):
    for layer in layers[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ layers[-1]["w"] + layers[-1]["b"]


keys = jax.random.split(jax.random.PRNGKey(3), 2)
layers = [init_layer(keys[0], 20, 48), init_layer(keys[1], 48, 5)]
print(predict(layers, jnp.ones((16, 20))).shape)
