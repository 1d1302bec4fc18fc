"""Stages: what is symbolic while a function is traced into a graph, and what Python cannot do with it."""
