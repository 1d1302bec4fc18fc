import tensorflow as tf

BATCH_SIZE = 8
IMG_SIZE = 32
AUTOTUNE = tf.data.AUTOTUNE


def prepare(image, label):
    image = tf.image.resize(image, (IMG_SIZE, IMG_SIZE))
    return image / 255.0, tf.one_hot(label, 5)


def load_dataset(count, shuffle=False):
    images = tf.random.uniform((count, 40, 40, 3), maxval=255.0)
    labels = tf.random.uniform((count,), maxval=5, dtype=tf.int32)
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if shuffle:
        ds = ds.shuffle(100)
    return ds.map(prepare, num_parallel_calls=AUTOTUNE).batch(BATCH_SIZE).prefetch(AUTOTUNE)


train_ds = load_dataset(40, shuffle=True)
val_ds = load_dataset(16)
train_ds = train_ds.repeat(2)

model = tf.keras.Sequential([
    tf.keras.Input(shape=(IMG_SIZE, IMG_SIZE, 3)),
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(5, activation="softmax"),
])
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.fit(train_ds, validation_data=val_ds, epochs=1, verbose=0)
