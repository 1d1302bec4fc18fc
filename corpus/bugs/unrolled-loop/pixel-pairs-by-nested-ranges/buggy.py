import tensorflow as tf

SIDE = 18


@tf.function
def smoothness(image):
    energy = 0.0
    for row in range(SIDE - 1):
        for column in range(SIDE - 1):
            energy += tf.abs(image[row, column] - image[row + 1, column])
            energy += tf.abs(image[row, column] - image[row, column + 1])
    return energy


print(float(smoothness(tf.random.uniform([SIDE, SIDE], seed=5))))
