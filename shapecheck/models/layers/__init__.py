"""Keras: layers, models, losses, and what data meets them."""
