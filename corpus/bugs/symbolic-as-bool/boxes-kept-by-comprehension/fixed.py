import tensorflow as tf


@tf.function
def confident(boxes, scores, threshold):
    pairs = zip(tf.unstack(boxes), tf.unstack(scores))
    kept = [tf.where(score > threshold, box, tf.zeros([4])) for box, score in pairs]
    return tf.stack(kept)


boxes = tf.random.uniform([5, 4])
scores = tf.constant([0.9, 0.2, 0.7, 0.4, 0.8])
print(confident(boxes, scores, tf.constant(0.5)).shape)
