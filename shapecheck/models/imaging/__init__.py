"""Pictures: OpenCV, Pillow, imageio and scikit-image."""
