from tensorflow.keras.layers import (
    Activation,
    BatchNormalization,
    Conv2D,
    Input,
    MaxPooling2D,
    Reshape,
    UpSampling2D,
    ZeroPadding2D,
    concatenate,
)
from tensorflow.keras.models import Model

MERGE_AXIS = -1


def encoder(input_height, input_width, base=4):
    img_input = Input(shape=(input_height, input_width, 3))
    levels = []
    x = img_input
    for depth in range(5):
        filters = base * 2 ** min(depth, 3)
        for conv in range(2 if depth < 2 else 3):
            x = Conv2D(filters, (3, 3), activation="relu", padding="same",
                       name="block%d_conv%d" % (depth + 1, conv + 1))(x)
        x = MaxPooling2D((2, 2), strides=(2, 2), name="block%d_pool" % (depth + 1))(x)
        levels.append(x)
    return img_input, levels


def conv_block(x, filters):
    x = ZeroPadding2D((1, 1))(x)
    x = Conv2D(filters, (3, 3), padding="valid", activation="relu")(x)
    return BatchNormalization()(x)


def unet(n_classes, input_height=416, input_width=608, base=4):
    img_input, levels = encoder(input_height, input_width, base)
    [f1, f2, f3, f4, f5] = levels

    o = conv_block(f4, base * 8)
    o = UpSampling2D((2, 2))(o)
    o = concatenate([o, f3], axis=MERGE_AXIS)
    o = conv_block(o, base * 4)
    o = UpSampling2D((2, 2))(o)
    o = concatenate([o, f2], axis=MERGE_AXIS)
    o = conv_block(o, base * 2)
    o = UpSampling2D((2, 2))(o)
    o = concatenate([o, f1], axis=MERGE_AXIS)
    o = conv_block(o, base)
    o = Conv2D(n_classes, (3, 3), padding="same")(o)

    height, width = o.shape[1], o.shape[2]
    o = Reshape((height * width, -1))(o)
    o = Activation("softmax")(o)
    model = Model(img_input, o)
    model.output_height, model.output_width = height, width
    return model


if __name__ == "__main__":
    small = unet(n_classes=5, input_height=64, input_width=96)
    print(small.output_shape)
    model = unet(n_classes=5, input_height=608, input_width=896)
    model.compile(loss="categorical_crossentropy", optimizer="adadelta")
    print(model.output_shape)
