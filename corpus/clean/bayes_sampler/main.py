"""Sampling from a posterior: `tf.map_fn`, `tf.scan` and `tf.vectorized_map` with the right results, nested functions."""
import tensorflow as tf


@tf.function
def log_density(place):
    return -0.5 * tf.reduce_sum((place - 1.0) ** 2) - 0.1 * tf.reduce_sum(place**4)


@tf.function
def slope(place):
    with tf.GradientTape() as tape:
        tape.watch(place)
        density = log_density(place)
    return tape.gradient(density, place)


@tf.function
def chain(start, steps, seed):
    def move(carried, number):
        place, accepted = carried
        noise = tf.random.stateless_normal(tf.shape(place), [seed, number])
        proposal = place + 0.1 * slope(place) + 0.4 * noise
        odds = log_density(proposal) - log_density(place)
        take = tf.math.log(tf.random.stateless_uniform([], [number, seed])) < odds
        return tf.where(take, proposal, place), accepted + tf.cast(take, tf.int32)

    return tf.scan(move, tf.range(steps), initializer=(start, tf.constant(0)))


@tf.function
def summary(places):
    centred = places - tf.reduce_mean(places, axis=0)
    spread = tf.vectorized_map(lambda row: tf.tensordot(row, row, 0), centred)
    quantiles = tf.map_fn(
        lambda column: tf.gather(tf.sort(column), [10, tf.size(column) // 2]),
        tf.transpose(places),
    )
    lengths = tf.map_fn(lambda row: tf.size(row), places, fn_output_signature=tf.int32)
    return tf.reduce_mean(spread, axis=0), quantiles, lengths


def main():
    places, accepted = chain(tf.zeros([2]), tf.constant(150), tf.constant(7))
    covariance, quantiles, lengths = summary(places)
    print("accepted", int(accepted[-1]), covariance.shape, quantiles.shape, int(tf.reduce_sum(lengths)))


main()
