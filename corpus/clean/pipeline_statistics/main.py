"""Statistics of a stream: state in variables and metrics, a dataset iterated inside of the graph, iterators by hand."""
import keras
import tensorflow as tf


class Moments(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.count = tf.Variable(0.0)
        self.mean = tf.Variable(tf.zeros([width]))
        self.square = tf.Variable(tf.zeros([width]))

    @tf.function(reduce_retracing=True)
    def update(self, rows):
        many = tf.cast(tf.shape(rows)[0], tf.float32)
        total = self.count + many
        shift = tf.reduce_mean(rows, axis=0) - self.mean
        self.square.assign_add(
            tf.reduce_sum((rows - tf.reduce_mean(rows, axis=0)) ** 2, axis=0) + shift**2 * self.count * many / total
        )
        self.mean.assign_add(shift * many / total)
        self.count.assign(total)

    @property
    def variance(self):
        return self.square / tf.maximum(self.count - 1.0, 1.0)


@tf.function
def consume(data, moments, metric):
    largest = tf.constant(float("-inf"))
    batches = tf.constant(0)
    for rows in data:
        moments.update(rows)
        metric.update_state(tf.reduce_mean(rows))
        largest = tf.maximum(largest, tf.reduce_max(rows))
        batches += 1
        if batches >= 12:
            break
    return largest, batches


def main():
    rows = tf.random.stateless_normal([100, 3], [4, 4]) * [1.0, 2.0, 3.0]
    data = tf.data.Dataset.from_tensor_slices(rows).batch(16)
    moments, metric = Moments(3), keras.metrics.Mean()
    largest, batches = consume(data, moments, metric)
    print(float(largest), int(batches), moments.variance.numpy().round(2), float(metric.result()))
    other, iterator = Moments(3), iter(data)
    for _ in range(3):
        other.update(next(iterator))
    remaining = list(iterator)
    print(float(other.count), [row.shape[0] for row in remaining])


main()
