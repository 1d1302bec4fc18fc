import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

numeric = keras.Input((5,), name="numeric")
city = keras.Input((1,), dtype="int32", name="city")
embedded = layers.Flatten()(layers.Embedding(30, 4)(city))
merged = tf.concat([numeric, embedded], axis=-1)
hidden = layers.Dense(16, activation="relu")(merged)
price = layers.Dense(1, name="price")(hidden)
model = keras.Model(inputs=[numeric, city], outputs=price)
model.compile("adam", "mse")
data = {"numeric": tf.random.normal([8, 5]), "city": tf.random.uniform([8, 1], maxval=30, dtype=tf.int32)}
model.fit(data, tf.random.normal([8, 1]), verbose=0)
print(model.count_params())
