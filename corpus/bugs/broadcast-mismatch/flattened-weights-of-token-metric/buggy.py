import numpy as np
import tensorflow as tf

PAD = 0
TAGS = 3
STEPS = 6


def toy_tags(count, seed):
    """Tokens with padding at the end, and a tag for each."""
    rng = np.random.RandomState(seed)
    tokens = rng.randint(1, 30, size=(count, STEPS))
    lengths = rng.randint(2, STEPS + 1, size=count)
    for row, length in zip(tokens, lengths):
        row[length:] = PAD
    return tokens.astype("int32"), (tokens % TAGS).astype("int32")


def build_tagger(vocab=30, units=8):
    tokens = tf.keras.Input((STEPS,), dtype="int32")
    x = tf.keras.layers.Embedding(vocab, units)(tokens)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(units, return_sequences=True))(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(TAGS, activation="softmax")(x))


def evaluate(model, tokens, tags):
    metric = tf.keras.metrics.SparseTopKCategoricalAccuracy(k=2)
    probabilities = model(tokens)
    weights = tf.cast(tokens != PAD, tf.float32)
    weights = tf.reshape(weights, [-1])
    metric.update_state(tags, probabilities, sample_weight=weights)
    return float(metric.result())


tagger = build_tagger()
tokens, tags = toy_tags(16, 0)
tagger.compile("adam", "sparse_categorical_crossentropy")
tagger.fit(tokens, tags, epochs=1, verbose=0)
test_tokens, test_tags = toy_tags(4, 1)
print("top 2:", evaluate(tagger, test_tokens, test_tags))
