"""`tf.data`: sources of data sets and their transformations."""
