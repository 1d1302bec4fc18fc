import tensorflow as tf


def log_density(x):
    return tf.reduce_logsumexp(-0.5 * tf.square(x - tf.constant([-2.0, 2.0])))


@tf.function
def metropolis(x, width):
    proposal = x + tf.random.uniform([], -width, width)
    accept = min(1.0, tf.exp(log_density(proposal) - log_density(x)))
    if tf.random.uniform([]) < accept:
        x = proposal
    return x


x = tf.constant(0.0)
chain = []
for _ in range(30):
    x = metropolis(x, tf.constant(1.5))
    chain.append(float(x))
print(min(chain), max(chain))
