"""Lexicons: reviewable data about the terms of a demographic axis, and their counterparts.

The data are `data/<name>.tsv` (the terms), `data/<name>.toml` (source, licence, citation, digest)
and, where an axis needs them, `data/<name>.exceptions.tsv` (phrases that are left alone).
"""

from fair_datasets.lexicons.lexicon import Entry, Form, Lexicon
from fair_datasets.lexicons.shipped import (
    available_lexicons,
    lexicon_files,
    load_lexicon,
    name_lexicons,
    names_fit,
    save_people,
    spans_of_life,
    stages_of_life,
)

__all__ = [
    "Entry",
    "Form",
    "Lexicon",
    "available_lexicons",
    "lexicon_files",
    "load_lexicon",
    "name_lexicons",
    "names_fit",
    "save_people",
    "spans_of_life",
    "stages_of_life",
]
