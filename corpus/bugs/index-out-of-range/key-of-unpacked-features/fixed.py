import tensorflow as tf

features = {"age": tf.constant([20.0, 31.0]), "income": tf.constant([1.0, 2.0])}
rows = tf.data.Dataset.from_tensor_slices((features, [0, 1]))
rows = rows.map(lambda x, y: (tf.stack([x["age"], x["income"]]), y))
scaled = rows.map(lambda x, y: (x[0] / 100.0, y))
for value, label in scaled:
    print(float(value))
