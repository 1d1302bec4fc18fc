import tensorflow as tf


class Scheduler(tf.Module):
    def __init__(self, patience):
        self.patience = patience
        self.best = tf.Variable(float("inf"))
        self.waited = tf.Variable(0)
        self.rate = tf.Variable(0.1)

    @tf.function
    def observe(self, loss):
        if loss < self.best:
            self.best.assign(loss)
            self.waited.assign(0)
        else:
            self.waited.assign_add(1)
        if self.waited >= self.patience:
            self.rate.assign(self.rate * 0.5)
            self.waited.assign(0)
        return self.rate.read_value()


scheduler = Scheduler(2)
for loss in (1.0, 0.8, 0.9, 0.85, 0.95, 0.99):
    rate = scheduler.observe(tf.constant(loss))
print(float(rate))
