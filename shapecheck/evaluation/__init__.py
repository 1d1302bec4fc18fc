"""Accuracy of the findings: labelled programs, precision and recall.

It compares what was expected with what was found, and knows nothing of how it was found.
"""
