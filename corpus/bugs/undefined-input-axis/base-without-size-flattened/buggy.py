import numpy as np
from tensorflow.keras.applications import MobileNetV2
from tensorflow.keras.callbacks import ModelCheckpoint
from tensorflow.keras.layers import Dense, Dropout, Flatten
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers import Adam

IM_SIZE = 96
NUM_CLASSES = 5


def freeze(network, until):
    for layer in network.layers[:until]:
        layer.trainable = False


def build_finetune_model(dropout, fc_layers, num_classes):
    base_model = MobileNetV2(weights=None, include_top=False, alpha=0.35)
    freeze(base_model, until=100)
    x = base_model.output
    x = Flatten()(x)
    for fc in fc_layers:
        x = Dense(fc, activation="relu")(x)
        x = Dropout(dropout)(x)
    predictions = Dense(num_classes, activation="softmax")(x)
    return Model(inputs=base_model.input, outputs=predictions)


images = np.random.RandomState(0).rand(8, IM_SIZE, IM_SIZE, 3)
labels = np.eye(NUM_CLASSES)[np.arange(8) % NUM_CLASSES]

FC_LAYERS = [32, 16]
finetune_model = build_finetune_model(dropout=0.5, fc_layers=FC_LAYERS, num_classes=NUM_CLASSES)
finetune_model.compile(Adam(learning_rate=1e-5), loss="categorical_crossentropy", metrics=["accuracy"])
finetune_model.fit(
    images,
    labels,
    epochs=1,
    batch_size=4,
    shuffle=True,
    callbacks=[ModelCheckpoint("best.h5", monitor="accuracy", mode="max")],
    verbose=0,
)
