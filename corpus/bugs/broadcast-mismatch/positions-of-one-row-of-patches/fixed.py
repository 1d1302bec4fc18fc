from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


@dataclass
class ViTConfig:
    image_size: int = 72
    patch_size: int = 6
    projection_dim: int = 64
    num_heads: int = 4
    transformer_layers: int = 2
    num_classes: int = 100

    @property
    def num_patches(self):
        return (self.image_size // self.patch_size) ** 2


class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        batch_size = tf.shape(images)[0]
        patches = tf.image.extract_patches(
            images=images,
            sizes=[1, self.patch_size, self.patch_size, 1],
            strides=[1, self.patch_size, self.patch_size, 1],
            rates=[1, 1, 1, 1],
            padding="VALID",
        )
        patch_dims = patches.shape[-1]
        n = patches.shape[1] * patches.shape[2]
        return tf.reshape(patches, [batch_size, n, patch_dims])


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, projection_dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(units=projection_dim)
        self.position_embedding = layers.Embedding(input_dim=num_patches, output_dim=projection_dim)

    def call(self, patch):
        positions = tf.range(start=0, limit=self.num_patches, delta=1)
        return self.projection(patch) + self.position_embedding(positions)


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation="gelu")(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


def create_vit_classifier(cfg: ViTConfig):
    inputs = layers.Input(shape=(cfg.image_size, cfg.image_size, 3))
    patches = Patches(cfg.patch_size)(inputs)
    encoded_patches = PatchEncoder(cfg.num_patches, cfg.projection_dim)(patches)
    for _ in range(cfg.transformer_layers):
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
        attention_output = layers.MultiHeadAttention(
            num_heads=cfg.num_heads, key_dim=cfg.projection_dim, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention_output, encoded_patches])
        x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
        x3 = mlp(x3, hidden_units=[cfg.projection_dim * 2, cfg.projection_dim], dropout_rate=0.1)
        encoded_patches = layers.Add()([x3, x2])
    representation = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
    representation = layers.Flatten()(representation)
    representation = layers.Dropout(0.5)(representation)
    features = mlp(representation, hidden_units=[256, 128], dropout_rate=0.5)
    logits = layers.Dense(cfg.num_classes)(features)
    return keras.Model(inputs=inputs, outputs=logits)


cfg = ViTConfig()
model = create_vit_classifier(cfg)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
x = np.random.rand(8, cfg.image_size, cfg.image_size, 3)
y = np.random.randint(0, cfg.num_classes, (8, 1))
model.fit(x, y, epochs=1)
