"""How good rewrites are, beside those of copying, of the swap, and of the swap without names.

Source: Qian et al., "Perturbation Augmentation for Fairer NLP", EMNLP 2022, section 4 and table 2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.measures.text_overlap import Overlap, text_overlap
from fair_datasets.rewriters.generation.writing import Ask
from fair_datasets.rewriters.perturber.training.data import axis_of, spans_of
from fair_datasets.rewriters.training.writing import written
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_OWNER = "perturber_quality"


@dataclass(frozen=True, slots=True)
class Quality:
    """How far rewritten texts agree with what is right.

    Attributes:
        overlap: The means of BLEU, ROUGE and the edit distance in words.
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
    """Measure rewrites of rows whose right rewrite is known, and what needs no model beside them.

    Args:
        rows: The rows, in the format of PANDA; not those that the model was trained on.
        model: The Hub id or folder of a model; None for the rewrites that need none.
        control: How the model is told what to do; see `ModelRewrite`.
        revision: Of the model on the Hub.
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
        raise InputError(f"{_OWNER}: there are no rows; give some whose right rewrite is known.")
    right = rows["perturbed"][:]
    found = {
        "copying": _quality(rows["original"][:], right),
        **{
            name: _quality(swapped(rows, names=names, pipeline=pipeline, reader=reader), right)
            for name, names in (("swap", None), ("swap without names", False))
        },
    }
    if model is not None:
        found_texts = rewritten(rows, str(model), control=control, revision=revision)
        texts = [
            original if text is None else text
            for original, text in zip(rows["original"], found_texts, strict=True)
        ]
        found["model"] = _quality(texts, right, found_texts.count(None) / len(rows))
    return found


def quality_table(found: Mapping[str, Quality]) -> list[dict[str, Any]]:
    """Return qualities as the rows of a table.

    Args:
        found: What was measured; its names are the first column, `rewrite`.
    """
    return [{"rewrite": name, **quality.cells()} for name, quality in found.items()]


def swapped(rows: "Dataset", **reading: Any) -> list[str]:
    """Rewrite rows by the swap, which does not know whom a word is about.

    Args:
        **reading: What it is told of names and of readers; see `CounterfactualSwap`.

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
                columns="text", axis=axis, target=target, mode="replace", **reading
            )
            batch = swap({"text": [texts[place] for place in places]})["text"]
            for place, text in zip(places, batch, strict=True):
                texts[place] = text
    return texts


def rewritten(
    rows: "Dataset", model: str, *, control: str = "perturber", revision: str | None = None
) -> list[str | None]:
    """Rewrite rows by a model, without a check of what it wrote.

    Args:
        model: The Hub id or folder of the model.

    Returns:
        The texts; None where the model wrote nothing to use.

    Raises:
        InputError: The model cannot be read, or does not know the control.
    """
    asks = [
        Ask([text], [spans_of(text, word)], word, target)
        for text, word, target in zip(
            rows["original"], rows["selected_word"], rows["target_attribute"], strict=True
        )
    ]
    return written(asks, model, control=control, revision=revision, owner=_OWNER)


def _quality(texts: Sequence[str], right: Sequence[str], unwritten: float = 0.0) -> Quality:
    """Compare texts with what is right."""
    exact = sum(text == other for text, other in zip(texts, right, strict=True)) / len(right)
    return Quality(text_overlap(texts, right).mean, exact, unwritten)
