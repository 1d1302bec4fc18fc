import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

CLASSES = 20
HEIGHT, WIDTH = 16, 64


def range_images(count=8):
    rng = np.random.RandomState(64)
    scans = rng.normal(size=(count, HEIGHT, WIDTH, 5)).astype("float32")
    labels = rng.randint(0, CLASSES, size=(count, HEIGHT, WIDTH, 1)).astype("int32")
    return tf.data.Dataset.from_tensor_slices((scans, labels)).batch(4, drop_remainder=True)


def conv_block(filters, strides=1):
    return tf.keras.Sequential([
        layers.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False),
        layers.BatchNormalization(),
        layers.ReLU(),
    ])


inputs = tf.keras.Input((HEIGHT, WIDTH, 5))
x = conv_block(8)(inputs)
skip = x
x = conv_block(16, strides=(1, 2))(x)
x = layers.Conv2DTranspose(8, 3, strides=(1, 2), padding="same")(x)
x = layers.Add()([x, skip])
probabilities = layers.Conv2D(CLASSES, 1, activation="softmax")(x)
model = tf.keras.Model(inputs, probabilities)

loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
optimizer = tf.keras.optimizers.Adam(1e-3)
miou = tf.keras.metrics.MeanIoU(num_classes=CLASSES)

for epoch in range(1):
    miou.reset_state()
    for scans, labels in range_images():
        with tf.GradientTape() as tape:
            predicted = model(scans, training=True)
            loss = loss_fn(labels, predicted)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        miou.update_state(labels, tf.argmax(predicted, axis=-1))
    print("epoch %d loss %.3f mIoU %.3f" % (epoch, loss, miou.result()))
