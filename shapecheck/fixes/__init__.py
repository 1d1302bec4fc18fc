"""Fixes written into files."""
