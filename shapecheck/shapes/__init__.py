"""Sizes, shapes, element types, facts about sizes, and the solver that decides claims about them."""
