import tensorflow as tf


@tf.function
def pick_action(q_values, epsilon):
    if tf.random.uniform([]) > epsilon:
        action = tf.argmax(q_values, output_type=tf.int32)
    else:
        action = tf.random.uniform([], maxval=tf.size(q_values), dtype=tf.int32)
    return action


actions = [int(pick_action(tf.constant([0.1, 0.9, 0.3]), tf.constant(0.2))) for _ in range(5)]
print(actions)
