"""What a reader is trained on: the tagged texts and the sentences about pronouns."""

from collections.abc import Iterator
from pathlib import Path

from fair_datasets.english.classifier.corpora import read_treebank
from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.training.gold import (
    FILES,
    TREEBANK,
    both_known,
    pronoun_rows,
    renamed_rows,
    tagged_rows,
)
from fair_datasets.reader.training.rows import (
    SOURCES,
    Row,
    made_rows,
    share,
    templated_rows,
    unlabelled_texts,
)

MOST = {
    "novels": 40_000, "wikipedia": 12_000, "bold": 12_000, "sexism": 17_000, "reviews": 24_000,
    "snli": 4_000,
}  # fmt: skip
"""How many untagged texts the teacher is asked about, of each source that no gold is tested on."""
MADE, MADE_FOR_TEACHER, PER_TEMPLATE = 24_000, 4000, 15
"""How many sentences are made from pronouns that show their case, and from each template.

The teacher, which knows English, needs fewer.
"""
_ALONE = 1 << 9


def gold_rows(folder: Path, left_out: frozenset[str] = frozenset()) -> list[Row]:
    """Read the rows whose words people have tagged.

    Args:
        folder: The folder of the shared data.
        left_out: Sources to leave out; "ewt" leaves out its treebank as well.

    Returns:
        The rows.

    Raises:
        InputError: A file is missing.
    """
    found: list[Row] = []
    for source in FILES:
        if source not in left_out:
            found += tagged_rows(folder, source)
    if "ewt" in left_out:
        return found
    tagged = folder / "tagged"
    found = [*both_known(found, pronoun_rows(tagged / "ud_ewt_dev.conllu.gz", "ewt"))]
    return [*found, *pronoun_rows(tagged / TREEBANK, "ewt")]


def untagged_rows(folder: Path, part: float) -> Iterator[Row]:
    """Read the rows of which nothing is known but what the teacher will say.

    Args:
        folder: The folder of the shared data.
        part: The share of `MOST` that is read.

    Yields:
        The rows.
    """
    for source, most in MOST.items():
        for text in unlabelled_texts(folder, source, int(most * part)):
            none = [0] * len(tokenize(text).starts)
            yield Row(source, text, none, none)


def shown_rows(folder: Path, left_out: frozenset[str], most: int) -> Iterator[Row]:
    """Make rows: about pronouns, all with "his" alone, and tagged texts with other names.

    Args:
        folder: The folder of the shared data.
        left_out: Sources to leave out; without "ewt", the templates have no words of its treebank.
        most: How many rows are made from texts at most, but for those with "his" alone.

    Yields:
        The rows; those of templates that are held back are none of them.
    """
    texts = (text for name in SOURCES for text in unlabelled_texts(folder, name, 10**9))
    made = {row.text: row for row in made_rows(texts)}
    others = sorted(share(text) for text, row in made.items() if _ALONE not in row.allowed)
    least = others[most] if len(others) > most else 1.0
    yield from (r for t, r in made.items() if _ALONE in r.allowed or share(t) < least)
    for source in FILES:
        if source not in left_out:
            yield from renamed_rows(folder, source)
    path = folder / "tagged" / TREEBANK
    treebank = [] if "ewt" in left_out else [*read_treebank(path)]
    for row, is_held_back in templated_rows(treebank, PER_TEMPLATE):
        if not is_held_back:
            yield row
