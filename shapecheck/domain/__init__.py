"""The abstract values that flow through a program, and their joins."""
