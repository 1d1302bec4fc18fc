"""Training in TensorFlow 2: staged functions, gradient tapes, distribution strategies."""
