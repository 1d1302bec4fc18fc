import keras
from keras import layers

ICON = (48, 48, 3)
NOISE = 20


def artist():
    noise = keras.Input((NOISE,))
    h = layers.Dense(12 * 12 * 24, activation="relu")(noise)
    h = layers.Reshape((12, 12, 24))(h)
    for filters in (24, 12):
        h = layers.Conv2DTranspose(filters, 4, strides=2, padding="same", activation="relu")(h)
    return keras.Model(noise, layers.Conv2D(3, 3, padding="same", activation="sigmoid")(h))


def judge():
    icon = keras.Input(ICON)
    h = layers.Conv2D(12, 4, strides=2, padding="same", activation="relu")(icon)
    return keras.Model(icon, layers.Dense(1)(layers.Flatten()(h)))


seed = keras.Input((NOISE,))
opinion = judge()(artist()(seed))
contest = keras.Model(seed, opinion)
print(contest.count_params())
