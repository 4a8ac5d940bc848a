"""Rows of a dataset: columns, texts, identities, families and keyed draws."""
