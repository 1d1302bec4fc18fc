"""Parts of Python's standard library that carry sizes."""
