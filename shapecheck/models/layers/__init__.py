"""Keras: layers, models, losses, and the data that they are given."""
