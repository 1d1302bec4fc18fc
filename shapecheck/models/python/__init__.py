"""Parts of Python's standard library that compute sizes."""
