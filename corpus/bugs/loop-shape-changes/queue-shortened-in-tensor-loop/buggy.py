import tensorflow as tf


@tf.function
def fill_boxes(weights, capacity):
    load, boxes = 0.0, 1
    while tf.size(weights) > 0:
        item = weights[0]
        weights = weights[1:]
        if load + item > capacity:
            boxes += 1
            load = 0.0
        load += item
    return boxes


print(int(fill_boxes(tf.constant([3.0, 2.5, 4.0, 1.0, 2.0]), tf.constant(5.0))))
