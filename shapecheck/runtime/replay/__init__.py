"""Replays: the smallest program of the same library calls, run on the real library."""
