"""Counting how often each attribute of an axis is mentioned."""

from collections import Counter
from typing import TYPE_CHECKING

from fair_datasets import checks
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.mentions import read_row
from fair_datasets.matching.table import build_table, table_files
from fair_datasets.swap.lexical import text_rows
from fair_datasets.technique import file_digests

if TYPE_CHECKING:
    from datasets import Dataset


def count_mentions(
    dataset: "Dataset",
    columns: "str | tuple[str, ...]",
    *,
    axis: str = "gender",
    names: bool = True,
) -> dict[str, int]:
    """Count the terms of an axis in text columns, by the attribute that they mention.

    A neutral word that is too general to be a mention ("they", "parent") is not counted.

    Args:
        dataset: The rows.
        columns: The text column or columns.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether first names count; they have an attribute on the gender axis only.

    Returns:
        Each attribute of the axis to its number of mentions.

    Raises:
        InputError: A parameter is not what it must be, or a column is missing or holds something
            else than text.

    Example:
        >>> from datasets import Dataset
        >>> count_mentions(Dataset.from_dict({"text": ["He saw Mary.", "She left."]}), "text")
        {'man': 1, 'woman': 2, 'non-binary': 0}
    """
    from datasets.utils import tqdm

    owner = "count_mentions"
    columns = checks.column_names(columns, owner=owner)
    axis = checks.axis_name(axis, owner=owner)
    names = checks.switch(names, owner=owner, parameter="names")
    checks.present(columns, dataset.column_names, owner=owner)
    attributes = load_lexicon(axis).attributes
    table = build_table(axis, attributes, file_digests(table_files(axis, names=names)))
    counts: Counter[str] = Counter()
    texts = dataset.with_format(None).select_columns(list(columns))
    with tqdm(total=dataset.num_rows, desc="Counting mentions", unit=" examples") as progress:
        for batch in texts.iter(batch_size=1000):
            rows = text_rows(batch, columns, owner=owner)
            for row in rows:
                for reading in read_row(row, table):
                    if reading is not None:
                        counts.update(mention.term.attribute for mention in reading.mentions)
            progress.update(len(rows))
    return {attribute: counts[attribute] for attribute in attributes}
