"""Suppression of findings: comments in programs, and baselines of known findings."""
