"""A replay buffer in the graph: positions kept in variables, queues, critical sections, sampling with static sizes."""
import tensorflow as tf


class Buffer(tf.Module):
    def __init__(self, capacity, width):
        super().__init__()
        self.capacity = capacity
        self.rows = tf.Variable(tf.zeros([capacity, width]), trainable=False)
        self.next = tf.Variable(0, trainable=False)
        self.full = tf.Variable(False, trainable=False)
        self.lock = tf.CriticalSection()

    @property
    def size(self):
        return tf.where(self.full, self.capacity, self.next)

    @tf.function
    def add(self, rows):
        def write():
            for at in tf.range(tf.shape(rows)[0]):
                self.rows.scatter_nd_update([[self.next]], rows[at : at + 1])
                following = self.next + 1
                if following >= self.capacity:
                    self.full.assign(True)
                    following = tf.constant(0)
                self.next.assign(following)
            return self.next.read_value()

        return self.lock.execute(write)

    @tf.function
    def sample(self, count: int):
        at = tf.random.uniform([count], maxval=self.size, dtype=tf.int32)
        rows = tf.gather(self.rows, at)
        rows.shape.assert_is_compatible_with([count, None])
        return rows


@tf.function
def drain(queue, most):
    total = tf.constant(0.0)
    taken = tf.constant(0)
    while taken < most and queue.size() > 0:
        total += queue.dequeue()
        taken += 1
    return total, taken


def main():
    buffer = Buffer(capacity=10, width=2)
    for turn in range(4):
        buffer.add(tf.fill([4, 2], float(turn)))
        print(int(buffer.size), buffer.sample(3).shape, float(tf.reduce_max(buffer.sample(3))))
    queue = tf.queue.FIFOQueue(20, [tf.float32], shapes=[[]])
    queue.enqueue_many([tf.range(8.0)])
    print([part.numpy() for part in drain(queue, tf.constant(5))], int(queue.size()))


main()
