"""Models of Matplotlib."""
