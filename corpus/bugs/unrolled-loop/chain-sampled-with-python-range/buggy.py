import tensorflow as tf


def log_probability(x):
    return -0.25 * x**4 + x**2


class Sampler(tf.Module):
    def __init__(self, burn_in):
        super().__init__()
        self.burn_in = burn_in

    @tf.function
    def run(self, x, scale):
        for _ in range(self.burn_in):
            proposal = x + scale * tf.random.normal([])
            keep = tf.math.log(tf.random.uniform([])) < log_probability(proposal) - log_probability(x)
            x = tf.where(keep, proposal, x)
        return x


sampler = Sampler(burn_in=250)
print(float(sampler.run(tf.constant(0.1), tf.constant(1.0))))
