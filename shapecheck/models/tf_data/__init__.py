"""`tf.data`: sources of datasets and their transformations."""
