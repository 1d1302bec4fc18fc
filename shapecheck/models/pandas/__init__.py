"""Models of pandas."""
