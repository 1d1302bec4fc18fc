import keras
from keras import layers

QUESTION, ANSWER = 300, 200


def tower(layer, features):
    return layers.LayerNormalization()(layer(features))


question = keras.Input(shape=(QUESTION,), name="question")
answer = keras.Input(shape=(ANSWER,), name="answer")

shared = layers.Dense(64, activation="tanh", name="shared")
left = tower(shared, question)
right = tower(shared, layers.Dense(QUESTION, name="widen")(answer))

score = layers.Dot(axes=1, normalize=True)([left, right])
model = keras.Model([question, answer], score)
model.compile(loss="mse", optimizer="adam")
print(model.output_shape)
