"""Operations of TensorFlow, NumPy and `keras.ops`, one family in each file."""
