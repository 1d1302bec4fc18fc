import tensorflow as tf

SPEC = {"age": tf.TensorSpec([None], tf.float32), "income": tf.TensorSpec([None], tf.float32)}


@tf.function(input_signature=[SPEC])
def risk(features):
    return tf.sigmoid(0.03 * features["age"] - 0.001 * features["income"])


row = {"age": tf.constant([41.0]), "income": tf.constant([1800.0])}
print(risk(row).numpy())
request = {"age": tf.constant([29.0]), "salary": tf.constant([2100.0])}
print(risk(request).numpy())
