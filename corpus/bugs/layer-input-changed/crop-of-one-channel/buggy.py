import numpy as np, tensorflow as tf
imgs = np.random.randint(0, 255, (20, 50, 60, 3), dtype=np.uint8)
labels = np.arange(20) % 4
def prep(img, label):
    img = tf.image.resize(img, (64, 64))
    return tf.image.random_crop(img, (56, 56, 1)), label
ds = tf.data.Dataset.from_tensor_slices((imgs, labels)).map(prep).batch(4)
net = tf.keras.Sequential([tf.keras.layers.Input((56, 56, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
net.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(ds, verbose=0)
