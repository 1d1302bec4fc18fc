import jax
import jax.numpy as jnp

images = jnp.ones((2, 32, 32, 3))
kernel = jnp.ones((3, 3, 3, 8))
out = jax.lax.conv_general_dilated(
    images, kernel, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
)
print(out.shape)
