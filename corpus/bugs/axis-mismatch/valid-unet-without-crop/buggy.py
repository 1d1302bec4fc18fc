import numpy as np
from tensorflow.keras import optimizers
from tensorflow.keras.layers import *
from tensorflow.keras.models import *


def double_conv(x, filters):
    x = Conv2D(filters, 3, activation="relu", kernel_initializer="he_normal")(x)
    x = Conv2D(filters, 3, activation="relu", kernel_initializer="he_normal")(x)
    return x


def unet(input_size=(572, 572, 1), width=4, num_classes=2):
    inputs = Input(input_size)
    conv1 = double_conv(inputs, width)
    pool1 = MaxPooling2D(pool_size=(2, 2))(conv1)
    conv2 = double_conv(pool1, width * 2)
    pool2 = MaxPooling2D(pool_size=(2, 2))(conv2)
    conv3 = double_conv(pool2, width * 4)
    pool3 = MaxPooling2D(pool_size=(2, 2))(conv3)
    conv4 = double_conv(pool3, width * 8)
    drop4 = Dropout(0.5)(conv4)
    pool4 = MaxPooling2D(pool_size=(2, 2))(drop4)

    conv5 = double_conv(pool4, width * 16)
    drop5 = Dropout(0.5)(conv5)

    up6 = Conv2DTranspose(width * 8, 2, strides=2)(drop5)
    merge6 = concatenate([drop4, up6], axis=3)
    conv6 = double_conv(merge6, width * 8)

    up7 = Conv2DTranspose(width * 4, 2, strides=2)(conv6)
    merge7 = concatenate([conv3, up7], axis=3)
    conv7 = double_conv(merge7, width * 4)

    up8 = Conv2DTranspose(width * 2, 2, strides=2)(conv7)
    merge8 = concatenate([conv2, up8], axis=3)
    conv8 = double_conv(merge8, width * 2)

    up9 = Conv2DTranspose(width, 2, strides=2)(conv8)
    merge9 = concatenate([conv1, up9], axis=3)
    conv9 = double_conv(merge9, width)
    conv10 = Conv2D(num_classes, 1, activation="softmax")(conv9)

    model = Model(inputs, conv10)
    model.compile(optimizer=optimizers.Adam(1e-4), loss="categorical_crossentropy", metrics=["accuracy"])
    return model


model = unet()
model.summary()
tile = np.zeros((1, 572, 572, 1), dtype="float32")
print(model.predict(tile, verbose=0).shape)
