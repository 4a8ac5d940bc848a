"""Classifiers that read which attribute a text speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import columns, draws
from fair_datasets.scores.importance import softmax
from fair_datasets.scores.probes.load import load_probe
from fair_datasets.scores.probes.probe import Probe, Reading, Texts
from fair_datasets.scores.probes.transformer import TransformerProbe
from fair_datasets.system.checks import InputError, listed


@dataclass(frozen=True, slots=True)
class AttributeReader:
    """A classifier with the names of its classes, and the way in which it is run.

    Attributes:
        probe: The classifier.
        names: What its classes are called, in order.
        reading: How it is run.
        model: Its name, for errors.
    """

    probe: Probe
    names: Sequence[str]
    reading: Reading
    model: str

    @property
    def is_named(self) -> bool:
        """Whether its classes are called otherwise than by their numbers."""
        return not all(name.removeprefix("LABEL_").isdecimal() for name in self.names)

    @classmethod
    def load(
        cls,
        model: str,
        revision: str | None,
        *,
        classes: Sequence[str],
        reading: Reading,
        owner: str,
    ) -> "AttributeReader":
        """Load a classifier.

        Args:
            model: A folder or Hub id, as `load_probe` takes it.
            revision: The branch, tag or commit on the Hub; None for the main branch.
            classes: What its classes are called, in order; none for the names that it has.
            reading: How it is run.
            owner: The class that needs it.

        Returns:
            The classifier.

        Raises:
            InputError: There is no such model, it has one class, classes that do not exclude each
                other, or another number of them than there are names.

        Example:
            >>> AttributeReader.load("./no-such-folder", None, classes=(), reading=Reading(),
            ...                      owner="AttributeFilter")
            Traceback (most recent call last):
            ...
            fair_datasets.InputError: AttributeFilter: there is no folder './no-such-folder';
            check the path.
        """
        probe = load_probe(model, revision=revision, owner=owner)
        config = probe.loaded.model.config if isinstance(probe, TransformerProbe) else None
        if getattr(config, "problem_type", None) == "multi_label_classification":
            raise InputError(
                f"{owner}: the classes of {model!r} do not exclude each other, so that a text may "
                "have several; choose a classifier with one attribute for each text."
            )
        if probe.classes < 2:
            raise InputError(
                f"{owner}: {model!r} has one class, but there must be one for each attribute, two "
                "or more; train it on rows of all attributes."
            )
        if classes and len(classes) != probe.classes:
            raise InputError(
                f"{owner}: classes names {len(classes)} classes, but {model!r} has "
                f"{probe.classes}; name each, in its order."
            )
        known = getattr(config, "id2label", None) or {}
        own = [str(known.get(number, number)) for number in range(probe.classes)]
        return cls(probe, classes or own, reading, model)

    def classes_of(self, values: Sequence[Any], column: str, *, owner: str) -> list[int | None]:
        """Return the classes that a column of attributes names.

        Args:
            values: The names or numbers of classes, or nulls.
            column: The column.
            owner: The class that needs them.

        Returns:
            The number of each class; None for a null.

        Raises:
            InputError: A value is no class of the classifier.
        """
        numbers = {name: number for number, name in enumerate(self.names)}
        found: list[int | None] = []
        for row, value in enumerate(values):
            plain = None if columns.is_null(value) else draws.plain(value)
            number = numbers.get(plain) if isinstance(plain, str) else plain
            is_class = type(number) is int and 0 <= number < len(self.names)
            if plain is not None and not is_class:
                raise InputError(
                    f"{owner}: column {column!r} must hold the classes of {self.model!r}, "
                    f"{listed(self.names)} or their numbers from 0 on, but row {row} of the batch "
                    f"(counted from 0) holds {plain!r}; say in classes what the column calls each."
                )
            found.append(number)
        return found

    def probabilities(self, rows: Sequence[Texts]) -> NDArray[np.float64]:
        """Return the probability of each class for each row. Shape (N, C).

        Raises:
            InputError: What the classifier says is not finite.
        """
        logits = self.probe.logits(rows, self.reading)
        if not np.isfinite(logits).all():
            raise InputError(
                f"What {self.model!r} says of the texts is not finite; its training may have "
                "diverged, so train it with a lower learning rate."
            )
        return softmax(logits)
