"""Findings that are not reported: comments in programs, and baselines of known findings."""
