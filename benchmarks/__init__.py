"""Costs that are worth watching, measured on demand and never asserted."""
