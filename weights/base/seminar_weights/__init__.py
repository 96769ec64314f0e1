"""Weights of Seminar's encoders (`static`, `minilm`) and of its rewriter."""
