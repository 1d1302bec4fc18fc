"""TensorFlow 1: graphs and sessions, layers, recurrent networks, queues and estimators."""
