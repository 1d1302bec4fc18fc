import csv

import numpy as np
import tensorflow as tf

COLUMNS = ["crim", "rooms", "age", "tax", "price"]


def write_houses(path, rows=50):
    rng = np.random.RandomState(13)
    with open(path, "w") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        for _ in range(rows):
            crim, rooms, age, tax = rng.rand(4)
            writer.writerow(["%.4f" % v for v in (crim, rooms, age, tax, 20 * rooms - 5 * crim)])


def parse_line(line):
    fields = tf.decode_csv(line, record_defaults=[[0.0]] * len(COLUMNS))
    target = fields[-1]
    features = tf.stack(fields[:-1])
    return features, target


def input_fn(path, batch):
    dataset = tf.data.TextLineDataset(path).skip(1).map(parse_line)
    dataset = dataset.shuffle(100).repeat().batch(batch, drop_remainder=True)
    return tf.data.make_one_shot_iterator(dataset).get_next()


write_houses("houses.csv")
features, price = input_fn("houses.csv", batch=10)
num_features = len(COLUMNS) - 1
W = tf.Variable(tf.zeros([num_features, 1]), name="weights")
b = tf.Variable(0.0, name="bias")
predicted = tf.matmul(features, W) + b
loss = tf.reduce_mean(tf.square(tf.squeeze(predicted, axis=1) - price))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        _, value = sess.run([train, loss])
        if step % 5 == 0:
            print("step", step, "loss", value)
    print("weights", sess.run(W).ravel())
