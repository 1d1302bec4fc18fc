import keras
import numpy as np
from keras import layers

num_tags = 12
num_words = 500
num_departments = 4
TAGS_IN_FILE = 12


def text_branch(name, units):
    tokens = keras.Input(shape=(None,), name=name)
    x = layers.Embedding(num_words, 16, name=name + "_embedding")(tokens)
    return tokens, layers.LSTM(units, name=name + "_lstm")(x)


def load_tickets(count, seed=0):
    rng = np.random.default_rng(seed)
    inputs = {
        "title": rng.integers(num_words, size=(count, 10)),
        "body": rng.integers(num_words, size=(count, 30)),
        "tags": rng.integers(2, size=(count, TAGS_IN_FILE)).astype("float32"),
    }
    targets = {
        "priority": rng.random(size=(count, 1)),
        "department": keras.utils.to_categorical(rng.integers(num_departments, size=count), num_departments),
    }
    return inputs, targets


title_input, title_features = text_branch("title", 12)
body_input, body_features = text_branch("body", 6)
tags_input = keras.Input(shape=(num_tags,), name="tags")
x = layers.concatenate([title_features, body_features, tags_input])

priority_pred = layers.Dense(1, name="priority")(x)
department_pred = layers.Dense(num_departments, name="department")(x)
model = keras.Model(
    inputs=[title_input, body_input, tags_input],
    outputs={"priority": priority_pred, "department": department_pred},
)
model.compile(
    optimizer=keras.optimizers.RMSprop(1e-3),
    loss={
        "priority": keras.losses.BinaryCrossentropy(from_logits=True),
        "department": keras.losses.CategoricalCrossentropy(from_logits=True),
    },
    loss_weights={"priority": 1.0, "department": 0.2},
)
inputs, targets = load_tickets(64)
model.fit(inputs, targets, epochs=1, batch_size=32, verbose=0)
