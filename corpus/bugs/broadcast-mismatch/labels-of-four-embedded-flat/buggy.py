from keras import Input, Model, Sequential
from keras.layers import BatchNormalization, Dense, Embedding, Flatten, LeakyReLU, Multiply, Reshape

NOISE, KINDS, LABELS = 100, 2, 4
SIDE = 28


class Pictures:
    """A network that draws pictures for noise and labels."""

    def __init__(self):
        self.drawing = self.build_drawing()
        self.generator = self.build_generator()

    def build_drawing(self):
        model = Sequential([Input((NOISE,))])
        for units in (64, 128):
            model.add(Dense(units))
            model.add(LeakyReLU(0.2))
            model.add(BatchNormalization(momentum=0.8))
        model.add(Dense(SIDE * SIDE, activation="tanh"))
        model.add(Reshape((SIDE, SIDE, 1)))
        return model

    def build_generator(self):
        noise = Input((NOISE,))
        labels = Input((LABELS,), dtype="int32")
        embedded = Flatten()(Embedding(KINDS, NOISE)(labels))
        mixed = Multiply()([noise, embedded])
        return Model([noise, labels], self.drawing(mixed))


if __name__ == "__main__":
    print(Pictures().generator.output_shape)
