"""scikit-learn."""
