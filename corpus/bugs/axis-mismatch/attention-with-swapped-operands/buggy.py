import numpy as np
from tensorflow.keras import backend as K
from tensorflow.keras.callbacks import EarlyStopping
from tensorflow.keras.layers import (
    LSTM, Attention, Concatenate, Dense, Embedding, Input, TimeDistributed
)
from tensorflow.keras.models import Model

max_text_len = 30
max_summary_len = 8
x_voc = 120
y_voc = 60
latent_dim = 12
embedding_dim = 10

K.clear_session()

# Encoder
encoder_inputs = Input(shape=(max_text_len,))
enc_emb = Embedding(x_voc, embedding_dim, trainable=True)(encoder_inputs)
encoder_lstm1 = LSTM(latent_dim, return_sequences=True, return_state=True, dropout=0.4)
encoder_output1, state_h1, state_c1 = encoder_lstm1(enc_emb)
encoder_lstm2 = LSTM(latent_dim, return_state=True, return_sequences=True)
encoder_outputs, state_h, state_c = encoder_lstm2(encoder_output1)

# Decoder, fed with the summary without its last word
decoder_inputs = Input(shape=(max_summary_len - 1,))
dec_emb_layer = Embedding(y_voc, embedding_dim, trainable=True)
dec_emb = dec_emb_layer(decoder_inputs)
decoder_lstm = LSTM(latent_dim, return_sequences=True, return_state=True)
decoder_outputs, _, _ = decoder_lstm(dec_emb, initial_state=[state_h, state_c])

# Attention
attn_out = Attention(name="attention")([encoder_outputs, decoder_outputs])
decoder_concat_input = Concatenate(axis=-1, name="concat")([decoder_outputs, attn_out])
decoder_dense = TimeDistributed(Dense(y_voc, activation="softmax"))
decoder_outputs = decoder_dense(decoder_concat_input)

model = Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.summary()
model.compile(optimizer="rmsprop", loss="sparse_categorical_crossentropy")

texts = np.random.randint(1, x_voc, size=(40, max_text_len))
summaries = np.random.randint(1, y_voc, size=(40, max_summary_len))
es = EarlyStopping(monitor="val_loss", mode="min", verbose=0, patience=2)
model.fit(
    [texts, summaries[:, :-1]],
    summaries.reshape(summaries.shape[0], summaries.shape[1], 1)[:, 1:],
    epochs=1, batch_size=10, callbacks=[es], validation_split=0.2, verbose=0,
)
