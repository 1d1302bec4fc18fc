"""How right the findings are: labelled programs, precision and recall.

It knows what was expected and what was found, and nothing of how.
"""
