"""pandas."""
