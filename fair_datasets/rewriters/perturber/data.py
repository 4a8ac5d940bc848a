"""What a perturber is trained on: texts, a word in each, a target, and the text that is right."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.lexicons import load_lexicon
from fair_datasets.measures.rewrites import Overlap, text_overlap
from fair_datasets.rewriters.generation.controls import ATTRIBUTES
from fair_datasets.rewriters.generation.writing import RewriteRequest, rewrite_texts
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import shortened
from fair_datasets.rows.given import one_dataset
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

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

    Source:
        Qian et al. (2022), section 3; the columns are those of the published data.
    """
    from datasets import Dataset

    checks.one_of(faulty, FAULTY, parameter="faulty")
    known = (*ATTRIBUTES, *checks.strings(attributes, parameter="attributes"))
    plain = one_dataset(dataset, rows=True).with_format(None)
    column_checks.present(COLUMNS, plain.column_names)
    batch = {column: plain[column][:] for column in COLUMNS}
    texts = [column_checks.texts(batch, column) for column in COLUMNS]
    selected: list[dict[str, str]] = []
    dropped: dict[str, int] = {}
    for number, values in enumerate(zip(*texts, strict=True)):
        fault, detail = _fault(values, known)
        if not fault:
            row = dict(zip(COLUMNS, values, strict=True))
            selected.append(row | {"perturbed": row["perturbed"].rstrip("\r\n")})
        elif faulty == "raise":
            raise invalid(
                f"in row {number} (counted from 0) {detail}; correct the row, or leave "
                "such rows out with faulty='drop'."
            )
        else:
            dropped[fault] = dropped.get(fault, 0) + 1
    if not selected:
        raise invalid(
            f"no row is left, because all {len(plain):,} are faulty "
            f"({', '.join(f'{fault}: {count:,}' for fault, count in dropped.items())}); correct "
            "them."
        )
    rows = Dataset.from_list(selected, features=perturbation_features())
    return Perturbations(rows, dropped)


def axis_of(attribute: str) -> str:
    """Return the axis of an attribute; empty for an attribute of none of the axes of PANDA.

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
        named = f"the target_attribute {target!r} is not one of {checks.format_choices(known)}"
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
    """Find a word or phrase in a text, as a whole and in whatever letter case."""
    matches = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return [match.span() for match in matches]


@cache
def _listed(axis: str) -> dict[str, frozenset[str]]:
    """Return the words of an axis in lower case with the attributes that its list gives them."""
    words: dict[str, set[str]] = {}
    for entry in load_lexicon(axis).entries:
        for attribute, forms in entry.forms.items():
            for form in filter(lambda form: form.is_read, forms):
                words.setdefault(form.text.lower(), set()).add(attribute)
    return {word: frozenset(attributes) for word, attributes in words.items()}


@dataclass(frozen=True, slots=True)
class Quality:
    """How far rewritten texts agree with what is right.

    Attributes:
        exact: The share of rewrites that are what is right, character by character, in [0, 1].
        unwritten: The share of rows for which a model wrote nothing to use, in [0, 1]; these count
            with their own text.
    """

    overlap: Overlap
    exact: float
    unwritten: float = 0.0

    def cells(self) -> dict[str, float]:
        """Return the values by their names, as a row of a table."""
        return {**asdict(self.overlap), "exact": self.exact, "unwritten": self.unwritten}


def perturber_quality(
    rows: "Dataset", *, model: str | Path | None = None, control: str = "perturber",
    revision: str | None = None, pipeline: str | None = None, reader: str | None = None,
) -> dict[str, Quality]:  # fmt: skip
    """Compare a model's rewrites, and baselines without a model, with known right rewrites.

    Args:
        rows: The rows, in the format of PANDA; not those that the model was trained on.
        model: The Hub id or folder of a model; None for the rewrites that need none.
        control: How the model is told what to do; see `ModelRewrite`.
        pipeline: What tells the swap which words are terms; see `CounterfactualSwap`.
        reader: What tells it names and pronouns; see there.

    Returns:
        `copying` (the text as it is), `swap` (all words of the target's axis become the target,
        whoever they are about), `swap without names`, and `model`, each to its quality.

    Raises:
        InputError: There are no rows, or the model cannot be read.

    Example:
        >>> from datasets import Dataset
        >>> row = {"original": "She met a king.", "selected_word": "king",
        ...     "target_attribute": "woman", "perturbed": "She met a queen."}
        >>> found = perturber_quality(Dataset.from_list([row]))
        >>> found["copying"].exact, found["swap"].exact
        (0.0, 1.0)
    """
    if not len(rows):
        raise invalid("there are no rows; give some whose right rewrite is known.")
    right = rows["perturbed"][:]
    qualities = {
        "copying": _quality(rows["original"][:], right),
        **{
            name: _quality(swapped(rows, names=names, pipeline=pipeline, reader=reader), right)
            for name, names in (("swap", None), ("swap without names", False))
        },
    }
    if model is not None:
        model_texts = rewritten(rows, str(model), control=control, revision=revision)
        texts = [
            original if text is None else text
            for original, text in zip(rows["original"], model_texts, strict=True)
        ]
        qualities["model"] = _quality(texts, right, model_texts.count(None) / len(rows))
    return qualities


def quality_table(qualities: Mapping[str, Quality]) -> list[dict[str, Any]]:
    """Return qualities as the rows of a table."""
    return [{"rewrite": name, **quality.cells()} for name, quality in qualities.items()]


def swapped(rows: "Dataset", **reading: Any) -> list[str]:
    """Rewrite rows by the swap, which does not know whom a word is about.

    Returns:
        The texts; those with a target of an axis that we have no lexicon for stay.
    """
    texts: list[str] = rows["original"][:]
    targets: list[str] = rows["target_attribute"][:]
    for target in dict.fromkeys(targets):
        axis = axis_of(target)
        if axis:
            places = [place for place, each in enumerate(targets) if each == target]
            swap = CounterfactualSwap(
                columns="text", axis=axis, target=target, mode="replace", protect=(), **reading
            )
            batch = swap({"text": [texts[place] for place in places]})["text"]
            for place, text in zip(places, batch, strict=True):
                texts[place] = text
    return texts


def rewritten(
    rows: "Dataset", model: str, *, control: str = "perturber", revision: str | None = None
) -> list[str | None]:
    """Rewrite rows by a model, without a check of what it wrote."""
    asks = [
        RewriteRequest([text], [spans_of(text, word)], word, target)
        for text, word, target in zip(
            rows["original"], rows["selected_word"], rows["target_attribute"], strict=True
        )
    ]
    return rewrite_texts(asks, model, control=control, revision=revision)


def _quality(texts: Sequence[str], right: Sequence[str], unwritten: float = 0.0) -> Quality:
    exact = sum(text == other for text, other in zip(texts, right, strict=True)) / len(right)
    return Quality(text_overlap(texts, right).mean, exact, unwritten)
