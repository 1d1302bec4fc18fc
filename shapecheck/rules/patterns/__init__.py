"""Calls that run but do not compute what was meant."""
