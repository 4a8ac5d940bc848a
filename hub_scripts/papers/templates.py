"""The published identity-phrase templates, IPTTS."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

from datasets import ClassLabel, Dataset, Features, Value

from fair_datasets.evaluation.templates import LABELS
from fair_datasets.system.checks import InputError

_PUBLISHED = "load_iptts"
_GROUPS = {"male": "man", "female": "woman"}
_CLASSES = ("label", "Class")


def load_iptts(path: str | Path) -> Dataset:
    r"""Read the published identity-phrase templates into the columns of `identity_templates`.

    Text, group and class of a row come from one line of one file, so that they cannot shift
    against each other; a malformed line is an error and is never skipped. Groups and classes of the
    published file are nearly, not exactly, equal in number, and its rows are not paired.

    Args:
        path: The file (`.csv` or `.csv.gz`) with the columns `text`, `gender` (male or female) and
            `label` (0 or 1; `Class` in the authors' archive).

    Returns:
        The columns `text`, `label` (`non-toxic` or `toxic`) and `group` (`man` or `woman`).

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet"; `madlib.csv` of their archive.
    """
    texts, labels, groups = [], [], []
    try:
        for text, label, group in _published_rows(Path(path)):
            texts.append(text)
            labels.append(label)
            groups.append(group)
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{_PUBLISHED}: the file {path} cannot be read: {error}; check the path, and that it "
            "is a CSV file in UTF-8."
        ) from error
    features = Features(
        {"text": Value("string"), "label": ClassLabel(names=list(LABELS)), "group": Value("string")}
    )
    return Dataset.from_dict({"text": texts, "label": labels, "group": groups}, features=features)


def _published_rows(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield text, class and group of each line."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        header = list(reader.fieldnames or ())
        classes = [name for name in _CLASSES if name in header]
        if not {"text", "gender"}.issubset(header) or len(classes) != 1:
            raise InputError(
                f"{_PUBLISHED}: {path} must have the columns 'text', 'gender' and 'label' (or "
                f"'Class'), but it has {', '.join(map(repr, header))}."
            )
        for row in reader:
            text, gender, label = row["text"], row["gender"], row[classes[0]]
            # None stands for a line with too few cells, and is the key of those too many.
            is_whole = None not in (*row, *row.values())
            if not (is_whole and text and gender in _GROUPS and label in ("0", "1")):
                raise InputError(
                    f"{_PUBLISHED}: {path}, line {reader.line_num} must hold a text, the gender "
                    f"male or female, and the class 0 or 1, but gender is {gender!r} and class is "
                    f"{label!r}; mend the line."
                )
            yield text, int(label), _GROUPS[gender]
