"""What versions teach a classifier: its rates for two groups, its accuracy and its F1."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fair_datasets.evaluation.counterfactuals.corpus import (
    OWNER,
    Corpus,
    is_blank,
    read_groups,
    read_labels,
    read_texts,
)
from fair_datasets.measures.error_rates import rate_difference
from fair_datasets.selection.trainers import Predict, Trainer, probabilities_of
from fair_datasets.system.checks import InputError, listed

if TYPE_CHECKING:
    from datasets import Dataset

RATES = ("true positive rate difference", "false positive rate difference")


@dataclass(frozen=True)
class JudgedRows:
    """The rows on which a classifier is judged.

    Attributes:
        texts: The text of each row.
        labels: Its label, 0 or 1.
        groups: Its group, of which there are two.
        order: The two groups: the rates of the first less those of the second.
        skipped: How many rows were left out, as their text is empty.
    """

    texts: list[str]
    labels: list[int]
    groups: list[Hashable]
    order: tuple[Hashable, Hashable]
    skipped: int

    @classmethod
    def read(
        cls, rows: "Dataset", column: str, label: str, group: str,
        order: Sequence[Hashable] | None,
    ) -> "JudgedRows":  # fmt: skip
        """Read the rows, or raise.

        Args:
            order: The two groups, where the user named their order.

        Raises:
            InputError: A column is missing, or a group has no row of a label, so that one of its
                rates is not defined.
        """
        owner = f"{OWNER}, test"
        texts = read_texts(rows, column, owner=owner)
        kept = [row for row, text in enumerate(texts) if not is_blank(text)]
        labels = read_labels(rows, label, owner=owner)
        groups = read_groups(rows, group, owner=owner)
        found = sorted(set(groups), key=str)
        told = listed(map(str, found))
        if len(found) != 2:
            raise InputError(
                f"{owner}: column {group!r} must hold two groups, but it holds {told}; "
                "give rows of two, and no others."
            )
        named = found if order is None else order
        chosen = tuple(named) if isinstance(named, Sequence) else ()
        if sorted(chosen, key=str) != found:
            raise InputError(
                f"{owner}: order must be the two groups of column {group!r}, {told}, but "
                f"it is {order!r}."
            )
        there = {(groups[row], labels[row]) for row in kept}
        for name in chosen:
            for value in (1, 0):
                if (name, value) not in there:
                    raise InputError(
                        f"{owner}: no row of group {name!r} with a text has the label {value}, so "
                        "its rate is not defined; give some."
                    )
        return cls(
            [texts[row] for row in kept],
            [labels[row] for row in kept],
            [groups[row] for row in kept],
            (chosen[0], chosen[1]),
            len(texts) - len(kept),
        )

    def measure(self, predict: Predict) -> dict[str, float]:
        """Judge a classifier.

        Returns:
            The rate differences, signed and without their sign, accuracy, and the F1 of label 1.
        """
        from sklearn.metrics import accuracy_score, f1_score

        rows = [(text,) for text in self.texts]
        found = probabilities_of(predict, rows, owner=OWNER, what="the trainer's classifier")
        predicted = found.argmax(axis=1)
        rates = rate_difference(self.labels, predicted, self.groups, order=self.order)
        true_positive, false_positive = RATES
        return {
            true_positive: rates.true_positive_rate_difference,
            f"absolute {true_positive}": rates.absolute_true_positive_rate_difference,
            false_positive: rates.false_positive_rate_difference,
            f"absolute {false_positive}": rates.absolute_false_positive_rate_difference,
            "accuracy": float(accuracy_score(self.labels, predicted)),
            "F1": float(f1_score(self.labels, predicted, zero_division=0.0)),
        }


def classifier_rows(
    corpus: Corpus,
    originals: "Dataset",
    column: str,
    label: str,
    test: JudgedRows,
    trainer: Trainer,
) -> list[dict[str, Any]]:
    """Train a classifier on each version, and judge it on the test rows.

    Returns:
        A row for each version, seed and measure.
    """
    from datasets import Dataset, Features

    labels = originals.with_format(None)[label][:]
    features = Features({name: originals.features[name] for name in (column, label)})
    rows = []
    for version, seed, texts, times in corpus.training_texts():
        kept = [pair for pair in zip(texts, labels * times, strict=True) if not is_blank(pair[0])]
        data = Dataset.from_dict(
            {column: [text for text, _ in kept], label: [value for _, value in kept]}, features
        )
        values = test.measure(trainer(data, seed))
        beside = {"version": version, "seed": seed, "size": len(test.texts),
                  "skipped": len(texts) - len(kept)}  # fmt: skip
        rows += [{**beside, "measure": name, "value": value} for name, value in values.items()]
    return rows
