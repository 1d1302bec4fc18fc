"""Calls that run and are wrong: what comes out is surely not what was meant."""
