import keras
from keras import layers


def classifier(shape, filters, classes):
    model = keras.Sequential([keras.Input(shape)])
    for number, count in enumerate(filters, start=1):
        model.add(layers.Conv2D(count, (3, 3), activation="relu", name=f"conv{number}"))
        model.add(layers.MaxPooling2D((2, 2), name=f"pool{number}"))
    model.add(layers.Flatten())
    model.add(layers.Dense(64, activation="relu"))
    model.add(layers.Dense(classes, activation="softmax"))
    return model


net = classifier((32, 32, 3), [16, 32, 64, 128], classes=10)
net.compile(optimizer="sgd", loss="categorical_crossentropy")
print(net.count_params())
