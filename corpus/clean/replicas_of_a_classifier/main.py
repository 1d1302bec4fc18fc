"""Training on replicas: sums over the global batch, a distributed dataset, state made in the scope of the strategy."""
import numpy as np
import tensorflow as tf

BATCH = 16


def examples(rng, rows=96):
    points = rng.normal(size=(rows, 2)).astype("float32")
    return points, (points[:, 0] * points[:, 1] > 0).astype("int64")


def main():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    data = tf.data.Dataset.from_tensor_slices(examples(np.random.default_rng(1))).shuffle(96, seed=1).batch(BATCH)
    shared = strategy.experimental_distribute_dataset(data)
    with strategy.scope():
        inner = tf.Variable(tf.random.stateless_normal([2, 16], [1, 2]))
        outer = tf.Variable(tf.random.stateless_normal([16, 2], [3, 4]) * 0.1)
        seen = tf.Variable(0, trainable=False, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)

    def replica_step(points, classes):
        with tf.GradientTape() as tape:
            scores = tf.nn.relu(points @ inner) @ outer
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(classes, scores)
            loss = tf.nn.compute_average_loss(each, global_batch_size=BATCH)
        for variable, slope in zip([inner, outer], tape.gradient(loss, [inner, outer])):
            variable.assign_sub(0.3 * slope)
        seen.assign_add(1)
        return loss

    @tf.function
    def epoch(batches):
        total = 0.0
        count = 0
        for points, classes in batches:
            losses = strategy.run(replica_step, args=(points, classes))
            total += strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
            count += 1
        return total / tf.cast(count, tf.float32)

    print([round(float(epoch(shared)), 3) for _ in range(4)], "steps", int(seen.numpy()))


main()
