from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Conv2D, Dense, Flatten, GlobalAveragePooling2D, MaxPool2D


def backbone(image):
    x = image
    for filters in (8, 16, 32):
        x = Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = MaxPool2D(2)(x)
    return x


image = Input(shape=(None, None, 3))
features = backbone(image)
vector = GlobalAveragePooling2D()(features)
quality = Dense(1, name="quality")(vector)
model = Model(image, quality)
model.compile("adam", "mae")
model.summary()
