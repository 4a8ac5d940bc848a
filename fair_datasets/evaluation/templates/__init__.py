"""Datasets of identity-phrase templates, to test classifiers with."""
