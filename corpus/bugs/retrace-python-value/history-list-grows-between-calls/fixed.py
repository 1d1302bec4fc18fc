import tensorflow as tf
from tensorflow.keras import layers

cell = layers.GRUCell(8)
query = layers.Dense(8)
query.build((None, 8))
STEPS = 7


@tf.function
def attend(state, memory, filled):
    scores = tf.einsum("bd,btd->bt", query(state), memory)
    scores = tf.where(tf.range(STEPS)[tf.newaxis] < filled, scores, -1e9)
    return tf.einsum("bt,btd->bd", tf.nn.softmax(scores), memory)


inputs = tf.random.normal([2, STEPS, 5])
state = tf.zeros([2, 8])
memory = tf.Variable(tf.zeros([2, STEPS, 8]))
for t in range(STEPS):
    output, state = cell(inputs[:, t], state)
    memory[:, t].assign(output)
    context = attend(state, memory, tf.constant(t + 1))
    state = state + context
print(state.shape)
