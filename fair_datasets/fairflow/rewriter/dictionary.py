"""The words that a generator's swaps are made by, found in texts and kept in its work folder."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fair_datasets.fairflow.build import build_lexicon
from fair_datasets.fairflow.config import FairFlowConfig
from fair_datasets.fairflow.review import FoundLexicon, read_review
from fair_datasets.rewriter_training.rows import TEXT
from fair_datasets.rows import draws
from fair_datasets.rows.given import texts_of
from fair_datasets.scores.resuming import write_file

if TYPE_CHECKING:
    from datasets import Dataset

_LEXICON, _REVIEW = ".tsv", ".review.csv"


class Dictionary(NamedTuple):
    """A lexicon that was found, and its review for people.

    Attributes:
        lexicon: The path of its file.
        review: The path of the review.
    """

    lexicon: Path
    review: Path

    @classmethod
    def beside(cls, folder: Path) -> "Dictionary":
        """Return the files that lie beside a folder, and are called after it.

        Args:
            folder: The folder.

        Returns:
            The files, which need not be there.
        """
        name = folder.absolute().name
        return cls(folder.with_name(name + _LEXICON), folder.with_name(name + _REVIEW))

    def found(self) -> FoundLexicon:
        """Return what was found."""
        return read_review(self.review)

    def save(self, lexicon: FoundLexicon) -> None:
        """Write the files; the lexicon, which is read, comes last.

        Args:
            lexicon: What was found.
        """
        write_file(self.review, lexicon.review().encode())
        write_file(self.lexicon, lexicon.text().encode())


def find_words(
    config: FairFlowConfig, train: "Dataset", corpus: "Dataset | None", files: Dictionary
) -> None:
    """Find the words of a dictionary, unless that was done.

    Args:
        config: How they are found.
        train: The training rows: `text`.
        corpus: The texts that are read in their place; None for the training rows.
        files: What is written.

    Raises:
        InputError: See `build_lexicon`.
    """
    if files.lexicon.is_file():
        return
    if corpus is None:
        corpus = train.select_columns([TEXT])
        config = replace(config, columns=TEXT, roles=())
    files.save(build_lexicon(config, corpus).lexicon)


def corpus_key(config: FairFlowConfig | None, corpus: "Dataset | None") -> str:
    """Return a key of the texts in which words are found.

    Args:
        config: How they are found.
        corpus: The texts; None for the training rows, which have a key of their own.

    Returns:
        The key.

    Raises:
        InputError: A column is missing, or holds no texts.
    """
    if config is None or corpus is None:
        return ""
    return draws.row_key(texts_of(corpus, config.columns, roles=config.roles))
