"""Weights of Seminar's reader."""
