"""A sentence encoder that is trained on pairs of sentences: a BiLSTM with max-pooling.

Source: Conneau et al. (2017), Supervised Learning of Universal Sentence Representations from
Natural Language Inference Data (InferSent).
"""

from fair_datasets.scores.bilstm.train import SentenceEncoderConfig, train_sentence_encoder

__all__ = ["SentenceEncoderConfig", "train_sentence_encoder"]
