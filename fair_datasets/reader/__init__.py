"""What the words of a text are: names of people, places and works, and the cases of pronouns."""

from fair_datasets.reader.load import load_reader
from fair_datasets.reader.tags import Reader, Tagged

__all__ = ["Reader", "Tagged", "load_reader"]
