"""Models of JAX."""
