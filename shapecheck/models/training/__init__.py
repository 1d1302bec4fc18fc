"""Training in TensorFlow 2: `tf.function`, gradient tapes, distribution strategies."""
