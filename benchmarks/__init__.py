"""Benchmarks of costs and of precision, run on demand and never asserted."""
