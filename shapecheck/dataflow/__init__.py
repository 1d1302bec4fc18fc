"""The abstract interpreter: Python programs traced into a dataflow graph."""
