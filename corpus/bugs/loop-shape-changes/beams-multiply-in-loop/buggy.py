import tensorflow as tf

BEAM = 3


@tf.function
def search(scores, transitions, steps):
    """scores (hypotheses,), transitions (states, states); returns the best scores."""
    states = tf.zeros_like(scores, tf.int32)
    for _ in tf.range(steps):
        values, following = tf.math.top_k(tf.gather(transitions, states), k=BEAM)
        scores = tf.reshape(scores[:, None] + values, [-1])
        states = tf.reshape(following, [-1])
    return scores


transitions = tf.math.log(tf.nn.softmax(tf.random.normal([5, 5], seed=3)))
print(search(tf.zeros([BEAM]), transitions, tf.constant(4)).numpy())
