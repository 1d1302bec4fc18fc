"""Checks with live values: notebooks and debuggers, whose variables are asked for their shapes and dtypes.

A snapshot of the variables is a small program that makes values of the same shapes; what is about to run is checked
after it. Nothing of the user runs for that: objects are asked for a fixed list of attributes, and only those whose
class is known (`known_types.py`).
"""
