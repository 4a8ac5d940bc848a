"""What a perturber is trained on: texts, a word in each, a target, and the text that is right."""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from fair_datasets.lexicons import load_lexicon
from fair_datasets.rewriters.generation.controls import ATTRIBUTES
from fair_datasets.rows import column_checks, columns
from fair_datasets.rows.columns import shortened
from fair_datasets.rows.given import one_dataset
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, Features

COLUMNS = ("original", "selected_word", "target_attribute", "perturbed")
# The axes that PANDA was annotated along.
AXES = ("gender", "race", "age")
FAULTY = ("raise", "drop")


class Perturbations(NamedTuple):
    """Rows that a perturber can be trained on.

    Attributes:
        rows: The rows, with the columns of `COLUMNS`.
        dropped: Why rows were left out, and how many were for each reason.
    """

    rows: "Dataset"
    dropped: dict[str, int]


def perturbation_features() -> "Features":
    """Return the features of the training data, which are those of PANDA."""
    from datasets import Features, Value

    return Features({column: Value("string") for column in COLUMNS})


def perturbations(
    dataset: "Dataset", *, attributes: Sequence[str] = (), faulty: str = "raise"
) -> Perturbations:
    r"""Check rows in the format of PANDA, and write them in one form.

    Line ends after `perturbed` go, as some annotators left them.

    Args:
        dataset: The rows: `original`, `selected_word` (a word of it that is about the person),
            `target_attribute`, and `perturbed`. Other columns are left out.
        attributes: Further attributes that may be a target, such as those of an axis of your own;
            those of PANDA are known.
        faulty: `raise` for an error at the first row that cannot be used; `drop` to leave such
            rows out and count them.

    Returns:
        The rows, and how many were left out for what reason.

    Raises:
        InputError: There are no rows, a column is missing, or a row is faulty: a null or an empty
            text, a word that is not in the text, an attribute that is not known, or a target
            that the word has already.

    Example:
        >>> from datasets import Dataset
        >>> row = {"original": "He ran.", "selected_word": "He", "target_attribute": "woman"}
        >>> perturbations(Dataset.from_list([row | {"perturbed": "She ran.\n"}])).rows[0]
        {'original': 'He ran.', 'selected_word': 'He', 'target_attribute': 'woman', 'perturbed':
        'She ran.'}

    Source:
        Qian et al. (2022), section 3; the columns are those of the published data.
    """
    from datasets import Dataset

    owner = "perturbations"
    checks.one_of(faulty, FAULTY, owner=owner, parameter="faulty")
    known = (*ATTRIBUTES, *checks.strings(attributes, owner=owner, parameter="attributes"))
    plain = one_dataset(dataset, owner=owner, rows=True).with_format(None)
    column_checks.present(COLUMNS, plain.column_names, owner=owner)
    batch = {column: plain[column][:] for column in COLUMNS}
    texts = [columns.texts(batch, column, owner=owner) for column in COLUMNS]
    kept: list[dict[str, str]] = []
    dropped: dict[str, int] = {}
    for number, values in enumerate(zip(*texts, strict=True)):
        fault, detail = _fault(values, known)
        if not fault:
            row = dict(zip(COLUMNS, values, strict=True))
            kept.append(row | {"perturbed": row["perturbed"].rstrip("\r\n")})
        elif faulty == "raise":
            raise InputError(
                f"{owner}: in row {number} (counted from 0) {detail}; correct the row, or leave "
                "such rows out with faulty='drop'."
            )
        else:
            dropped[fault] = dropped.get(fault, 0) + 1
    if not kept:
        raise InputError(
            f"{owner}: no row is left, because all {len(plain):,} are faulty "
            f"({', '.join(f'{fault}: {count:,}' for fault, count in dropped.items())}); correct "
            "them."
        )
    rows = Dataset.from_list(kept, features=perturbation_features())
    return Perturbations(rows, dropped)


def axis_of(attribute: str) -> str:
    """Return the axis of an attribute.

    Returns:
        The axis; empty for an attribute of none of the axes of PANDA.

    Example:
        >>> axis_of("senior")
        'age'
    """
    return next((axis for axis in AXES if attribute in load_lexicon(axis).attributes), "")


def _fault(values: Sequence[str | None], known: Sequence[str]) -> tuple[str, str]:
    """Return why a row cannot be used, for a count and for a sentence; empty where it can."""
    for column, value in zip(COLUMNS, values, strict=True):
        if value is None or not value.strip():
            return "an empty value", f"{column!r} is empty"
    text, word, target, _ = map(str, values)
    if target not in known:
        named = f"the target_attribute {target!r} is not one of {checks.listed(known)}"
        return "an unknown attribute", named + checks.suggestion(target, known).rstrip("?. ")
    if not spans_of(text, word):
        return "a word that is not in the text", (
            f"the selected_word {word!r} is not in the text {shortened(text)}"
        )
    axis = axis_of(target)
    if axis and _listed(axis).get(word.lower()) == frozenset({target}):
        return "a target that the word has already", (
            f"the selected_word {word!r} already has the target_attribute {target!r}"
        )
    return "", ""


def spans_of(text: str, word: str) -> list[tuple[int, int]]:
    """Find a word or phrase in a text, as a whole and in whatever letter case.

    Returns:
        Where it begins and ends, in characters, each time.

    Example:
        >>> spans_of("The hero ran.", "he"), spans_of("He ran.", "he")
        ([], [(0, 2)])
    """
    found = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return [match.span() for match in found]


@cache
def _listed(axis: str) -> dict[str, frozenset[str]]:
    """Return the words of an axis in lower case with the attributes that its list gives them."""
    found: dict[str, set[str]] = {}
    for entry in load_lexicon(axis).entries:
        for attribute, forms in entry.forms.items():
            for form in filter(lambda form: form.is_read, forms):
                found.setdefault(form.text.lower(), set()).add(attribute)
    return {word: frozenset(attributes) for word, attributes in found.items()}
