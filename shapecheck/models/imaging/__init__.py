"""Imaging libraries: OpenCV, Pillow, imageio and scikit-image."""
