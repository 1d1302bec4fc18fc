"""Calls that fail: a constraint of an operation cannot hold."""
