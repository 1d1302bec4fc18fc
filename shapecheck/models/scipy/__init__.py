"""Models of SciPy."""
