import tensorflow as tf


def update_client(weights, data):
    def one_step(w, batch):
        gradient = tf.reduce_mean(batch, axis=0) - w
        return w + 0.1 * gradient

    for batch in data:
        weights = one_step_of(weights, batch)
    return weights


@tf.function
def one_step_of(w, batch):
    return w + 0.1 * (tf.reduce_mean(batch, axis=0) - w)


clients = [tf.data.Dataset.from_tensor_slices(tf.random.normal([20, 3])).batch(5) for _ in range(6)]
server = tf.zeros([3])
for round_number in range(4):
    updates = [update_client(server, client) for client in clients]
    server = tf.add_n(updates) / len(updates)
print(server.numpy())
