"""Matplotlib."""
