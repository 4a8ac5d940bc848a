"""What an audit depends on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from fair_datasets import checks, column_checks
from fair_datasets.checks import InputError
from fair_datasets.matching.pipeline import checked_pipeline
from fair_datasets.reader.load import checked_reader, load_reader
from fair_datasets.swap.counterfactual import CounterfactualSwap

OWNER = "audit"


@dataclass(frozen=True, kw_only=True)
class AuditSettings:
    """The settings of `audit`, checked; see there what they are."""

    columns: tuple[str, ...] | str
    roles: tuple[str, ...] | str = ()
    label: str | None = None
    label_names: Mapping[str, str] = field(default_factory=dict)
    predictions: str | None = None
    groups: tuple[str, ...] | str = ()
    model: str | PathLike[str] | None = None
    axis: tuple[str, ...] | str = "gender"
    names: bool | None = None
    pipeline: str | None = None
    reader: str | None = None
    min_confidence: float | None = None
    vectors: str | PathLike[str] | None = None
    encoder: str | PathLike[str] | None = None
    direction: str | PathLike[str] | None = None
    centred: bool = False
    samples: int = 5
    model_rows: int = 10_000
    draws: int = 99
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        self._set("columns", column_checks.column_names(self.columns, owner=OWNER))
        for name in ("roles", "groups"):
            self._set(name, checks.strings(getattr(self, name), owner=OWNER, parameter=name))
        for name in ("label", "predictions"):
            if (value := getattr(self, name)) is not None:
                column_checks.column_name(value, owner=OWNER, parameter=name)
        several = self.axis if isinstance(self.axis, list | tuple) else (self.axis,)
        self._set("axis", tuple(checks.axis_name(each, owner=OWNER) for each in several))
        self._set("pipeline", checked_pipeline(self.pipeline, owner=OWNER))
        self._set("reader", checked_reader(self.reader, self.pipeline, owner=OWNER))
        for name in ("model", "vectors", "encoder", "direction"):
            if (value := getattr(self, name)) is not None:
                self._set(name, fspath(value))
        for name, least in (("samples", 0), ("model_rows", 1), ("draws", 1), ("seed", 0)):
            value = getattr(self, name)
            self._set(name, checks.whole_number(value, owner=OWNER, parameter=name, least=least))
        self._set("label_names", self._label_names())
        self._set("centred", checks.switch(self.centred, owner=OWNER, parameter="centred"))
        self._refuse_contradictions()
        if self.min_confidence is not None:
            share = checks.fraction(self.min_confidence, owner=OWNER, parameter="min_confidence")
            self._set("min_confidence", share)
        # What is wrong with an axis or the reader is told before anything is read.
        self.swaps()
        load_reader(self.reader, owner=OWNER)
        titles = list(map(axis_title, self.axis))
        for title in titles:
            if titles.count(title) > 1:
                raise InputError(f"{OWNER}: two axes are called {title!r}; rename a file.")

    def _refuse_contradictions(self) -> None:
        """Raise where settings exclude each other, or would do nothing."""
        if self.predictions is not None and self.model is not None:
            raise InputError(
                f"{OWNER}: predictions and model are two sources of predictions; give one of them."
            )
        if self.vectors is None and self.encoder is None:
            for name in ("direction", "centred"):
                if getattr(self, name):
                    raise InputError(
                        f"{OWNER}: {name} is about the cosines of vectors or of an encoder; give "
                        "one of them beside it."
                    )
        given = self.of_classes
        for name in given:
            if name in self.columns:
                raise InputError(
                    f"{OWNER}: column {name!r} holds the texts, and cannot be label, predictions "
                    "or groups as well; name another column."
                )
        for name in given:
            if given.count(name) > 1:
                raise InputError(
                    f"{OWNER}: column {name!r} is named twice among label, predictions and groups; "
                    "name it once."
                )

    def _label_names(self) -> Mapping[str, str]:
        """Return the names of labels as texts; numbers and truth values stand for how they read."""
        given = self.label_names
        if not isinstance(given, Mapping):
            raise InputError(
                f"{OWNER}: label_names must be a mapping from labels to names, such as "
                f"{{0: 'harmless', 1: 'sexist'}}, but it is {given!r}."
            )
        names = {str(label): name for label, name in given.items()}
        for label, name in names.items():
            if not isinstance(name, str) or not name.strip():
                raise InputError(
                    f"{OWNER}: label_names must give each label a name, but that of {label!r} is "
                    f"{name!r}."
                )
            if list(names.values()).count(name) > 1:
                raise InputError(f"{OWNER}: label_names gives two labels the name {name!r}.")
        if names and self.label is None and self.predictions is None:
            raise InputError(
                f"{OWNER}: label_names names the values of label or predictions; give the column."
            )
        return names

    @property
    def of_classes(self) -> list[str]:
        """The columns of classes: of labels, predictions and groups."""
        return [name for name in (self.label, self.predictions, *self.groups) if name is not None]

    @property
    def reading(self) -> dict[str, Any]:
        """What whatever reads an axis is told of how."""
        return {"names": self.names, "pipeline": self.pipeline, "reader": self.reader}

    def swaps(self) -> tuple[CounterfactualSwap, ...]:
        """Return what reads and swaps each axis.

        Raises:
            InputError: There is no such axis, or one is there twice.
        """
        # All axes together tell of one that is there twice.
        CounterfactualSwap(columns=self.columns, axis=self.axis, **self.reading)
        return tuple(
            CounterfactualSwap(
                columns=self.columns,
                roles=self.roles,
                axis=axis,
                **self.reading,
                seed=self.seed,
                min_confidence=self.min_confidence,
            )
            for axis in self.axis
        )

    def data(self) -> Mapping[str, Any]:
        """Return the settings as JSON data; those that were not given are left out."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value is not None and value != () and value != {}
        }

    def _set(self, name: str, value: Any) -> None:
        """Set a field in its checked form."""
        object.__setattr__(self, name, value)


def axis_title(axis: str) -> str:
    """Return what an axis is called: a file of one's own by its name.

    Args:
        axis: A lexicon's name, or the path of a file.

    Returns:
        The name.

    Example:
        >>> axis_title("gender"), axis_title("words/team.tsv")
        ('gender', 'team')
    """
    return Path(axis).stem if axis.endswith(".tsv") else axis
