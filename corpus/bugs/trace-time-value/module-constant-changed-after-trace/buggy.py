import tensorflow as tf

LEARNING_RATE = 1.0
weight = tf.Variable(0.0)


@tf.function
def update(gradient):
    weight.assign_sub(LEARNING_RATE * gradient)


for epoch in range(2):
    for _ in range(2):
        update(tf.constant(1.0))
    LEARNING_RATE = LEARNING_RATE * 0.1
print("weight", weight.numpy())
