import tensorflow as tf
from tensorflow.keras import layers

cell = layers.GRUCell(8)
query = layers.Dense(8)
query.build((None, 8))
STEPS = 7


@tf.function
def attend(state, past):
    memory = tf.stack(past, axis=1)
    scores = tf.einsum("bd,btd->bt", query(state), memory)
    return tf.einsum("bt,btd->bd", tf.nn.softmax(scores), memory)


inputs = tf.random.normal([2, STEPS, 5])
state = tf.zeros([2, 8])
past = []
for t in range(STEPS):
    output, state = cell(inputs[:, t], state)
    past.append(output)
    context = attend(state, past)
    state = state + context
print(state.shape)
