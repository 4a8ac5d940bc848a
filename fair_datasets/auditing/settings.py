"""What an audit depends on, and the commands that it advises by it."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any

from fair_datasets.reader.load import checked_reader, load_reader
from fair_datasets.reader.matching.pipeline import checked_pipeline
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, typed
from fair_datasets.system.validate import Count, Natural, OneOf, Share, Strings, validate_fields

TABLES = ("impact",)
"""The tables that can be asked for."""
SMALL = 0.02
"""The share of the data under which a category may be left out of an impact table."""


@dataclass(frozen=True, kw_only=True)
class AuditSettings:
    """The settings of `audit`.

    Attributes:
        columns: The text column or columns, or paths into them; see `CounterfactualSwap`. Impact
            tables and shares of a population need none.
        roles: Whose texts of a conversation are read; none for everybody's.
        label: The column with the class of each row.
        label_names: What labels mean, such as `{0: "harmless", 1: "sexist"}`, where they are no
            `ClassLabel`.
        predictions: A column with the predicted class of each row, written as the labels are.
        groups: Columns of groups, such as who wrote a row; several are also compared together.
        table: `impact`: selection or scoring rates and impact ratios of each column of `groups`,
            and of all of them together, as New York's Local Law 144 asks for them; needs no
            `columns`.
        selected: With `table`: the column that tells who was selected (1 and 0, yes and no).
        score: With `table`: the column of scores; rows above the median are counted.
        exclude_below: With `table`: leave categories under this share of the data, at most 0.02,
            out of the ratios; their count and rate stay.
        why: With `exclude_below`: the reason, which the table states.
        reference: Shares of a population to compare the rows with: a CSV file with a column for
            each column of `groups`, and one called share; needs no `columns`.
        model: The folder or Hub id of a classifier to ask about rows as they are and swapped;
            None for a probe that is trained on the labels, without `predictions`.
        axis: One axis or several.
        names: Whether names are read; see `CounterfactualSwap`, also for `pipeline`, `reader` and
            `min_confidence`.
        name_sensitivity: Whether a classifier is asked about rows under names of many cultures and
            of both genders; see `fair_datasets.measures.name_sensitivity`.
        vectors: How words are scored; see `BiasScore`, also for `encoder`, `direction` and
            `centred`.
        samples: How many rows of each kind the page shows; 0 for a page without texts.
        model_rows: About how many rows a classifier or an encoder is asked at most.
        draws: How many placebo draws counterfactual figures are compared with; with fewer than 99,
            these figures have no colour.
        seed: The seed of the draws.
    """

    columns: tuple[str, ...] | str = ()
    roles: Strings = ()
    label: ColumnName | None = None
    label_names: Mapping[str, str] = field(default_factory=dict)
    predictions: ColumnName | None = None
    groups: Strings = ()
    table: Annotated[str, OneOf(TABLES)] | None = None
    selected: ColumnName | None = None
    score: ColumnName | None = None
    exclude_below: Share | None = None
    why: str | None = None
    reference: tuple[str, ...] | str = ()
    model: str | PathLike[str] | None = None
    axis: tuple[str, ...] | str = "gender"
    names: bool | None = None
    name_sensitivity: bool = False
    pipeline: str | None = None
    reader: str | None = None
    min_confidence: Share | None = None
    vectors: str | PathLike[str] | None = None
    encoder: str | PathLike[str] | None = None
    direction: str | PathLike[str] | None = None
    centred: bool = False
    samples: Natural = 5
    model_rows: Count = 10_000
    draws: Count = 99
    seed: Natural = 0

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        files: Any = self.reference
        several = files if isinstance(files, list | tuple) else [files]
        self._set("reference", tuple(map(fspath, several)))
        validate_fields(self)
        # Tables of persons need no text.
        if self.columns or not (self.table or self.reference):
            self._set("columns", column_checks.column_names(self.columns))
        axes = self.axis if isinstance(self.axis, list | tuple) else (self.axis,)
        self._set("axis", tuple(checks.axis_name(each) for each in axes))
        self._set("pipeline", checked_pipeline(self.pipeline))
        self._set("reader", checked_reader(self.reader, self.pipeline))
        for name in ("model", "vectors", "encoder", "direction"):
            if (value := getattr(self, name)) is not None:
                self._set(name, fspath(value))
        self._set("label_names", self._label_names())
        self._refuse_contradictions()
        self._refuse_incomplete_tables()
        # What is wrong with an axis or the reader is told before anything is read.
        if self.columns:
            self.swaps()
        load_reader(self.reader)
        titles = list(map(axis_title, self.axis))
        for title in titles:
            if titles.count(title) > 1:
                raise invalid(f"two axes are called {title!r}; rename a file.")

    def _refuse_contradictions(self) -> None:
        """Raise where settings exclude each other, or would do nothing."""
        if self.predictions is not None and self.model is not None:
            raise invalid(
                f"{typed('predictions')} and {typed('model')} are two sources of predictions; give "
                "one of them."
            )
        if self.vectors is None and self.encoder is None:
            for name in ("direction", "centred"):
                if getattr(self, name):
                    raise invalid(
                        f"{typed(name)} applies to the cosines of vectors or of an encoder; "
                        "give one of them as well."
                    )
        if self.name_sensitivity:
            self._refuse_no_names()
        given = self.columns_read
        for name in given:
            if name in self.columns:
                raise invalid(
                    f"column {name!r} holds the texts, and cannot be label, predictions "
                    "or groups as well; name another column."
                )
        for name in given:
            if given.count(name) > 1:
                raise invalid(
                    f"column {name!r} is named twice among label, predictions, groups, "
                    "selected and score; name it once."
                )

    def _refuse_no_names(self) -> None:
        """Raise where names are to be varied, and nobody is asked about them or reads them."""
        if self.names is False:
            raise invalid(
                f"{typed('name_sensitivity')} writes other names, but names=False (--no-names) "
                "leaves names alone; leave one of them out."
            )
        if self.predictions is not None:
            raise invalid(
                f"{typed('name_sensitivity')} asks a classifier about rows with other names, of "
                f"which a column of {typed('predictions')} says nothing; give a model, or labels "
                "to train a probe on."
            )

    def _refuse_incomplete_tables(self) -> None:
        """Raise where tables lack what they are of, or where something is about tables alone."""
        if not self.columns:
            for name in (
                "label", "predictions", "model", "name_sensitivity", "vectors", "encoder"
            ):  # fmt: skip
                if getattr(self, name) not in (None, False):
                    raise invalid(
                        f"{typed(name)} is about texts, and no column of texts is named: give "
                        "columns (--text) as well, or leave it out. A label is not a selection."
                    )
            if not self.groups:
                raise invalid(
                    "without texts, columns about persons are compared, such as their sex; name "
                    "them as groups (--groups). Words in a text do not tell a candidate's sex."
                )
        if self.table is None:
            for name in ("selected", "score", "exclude_below", "why"):
                if getattr(self, name) is not None:
                    raise invalid(
                        f"{typed(name)} is about impact tables; ask for them with "
                        f"{typed('table', 'impact')}, or leave it out."
                    )
            return
        if not self.groups:
            raise invalid(
                "impact tables need columns about persons, such as their sex; name them "
                "as groups (--groups). Words in a text do not tell a candidate's sex."
            )
        if self.selected is None and self.score is None:
            raise invalid(
                "impact tables need a column that says who was selected, or one of scores; name "
                "it as selected (--selected) or score (--score). A label is not a selection."
            )
        if self.selected is not None and self.score is not None:
            raise invalid("selected and score make two kinds of impact tables; give one of them.")
        self._refuse_exclusions()

    def _refuse_exclusions(self) -> None:
        """Raise where categories are left out without a reason, or beyond what may be."""
        share = self.exclude_below
        if share is None:
            if self.why is not None:
                raise invalid(
                    "why states the reason for which categories are left out; give "
                    "exclude_below (--exclude-below) as well."
                )
            return
        if not 0 < share <= SMALL:
            raise invalid(
                f"exclude_below must be above 0 and at most {SMALL}, as only categories "
                f"under 2% of the data may be left out, but it is {share!r}."
            )
        if not isinstance(self.why, str) or not self.why.strip():
            raise invalid(
                "exclude_below leaves categories out, which needs a reason; give why (--why)."
            )

    def _label_names(self) -> Mapping[str, str]:
        """Return the names of labels as texts; numbers and truth values stand for how they read."""
        given = self.label_names
        if not isinstance(given, Mapping):
            raise invalid(
                f"label_names must be a mapping from labels to names, such as "
                f"{{0: 'harmless', 1: 'sexist'}}, but it is {given!r}."
            )
        names = {str(label): name for label, name in given.items()}
        for label, name in names.items():
            if not isinstance(name, str) or not name.strip():
                raise invalid(
                    f"label_names must give each label a name, but that of {label!r} is {name!r}."
                )
            if list(names.values()).count(name) > 1:
                raise invalid(f"label_names gives two labels the name {name!r}.")
        if names and self.label is None and self.predictions is None:
            raise invalid(
                "label_names names the values of label or predictions; give one of these as well."
            )
        return names

    @property
    def of_classes(self) -> list[str]:
        """The columns of classes: of labels, predictions and groups."""
        return [name for name in (self.label, self.predictions, *self.groups) if name is not None]

    @property
    def reading(self) -> dict[str, Any]:
        """What whatever reads an axis is told of how."""
        return {
            "names": self.names, "pipeline": self.pipeline, "reader": self.reader, "protect": (),
        }  # fmt: skip

    @property
    def columns_read(self) -> list[str]:
        """All columns that are read beside the texts."""
        return [*self.of_classes, *(name for name in (self.selected, self.score) if name)]

    def swaps(self) -> tuple[CounterfactualSwap, ...]:
        """Return what reads and swaps each axis."""
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

    def name_swap(self) -> CounterfactualSwap:
        """Return what reads names and moves the words of their bearers to the other gender."""
        reading = {**self.reading, "names": None}
        return CounterfactualSwap(
            columns=self.columns, roles=self.roles, axis="gender", seed=self.seed,
            min_confidence=self.min_confidence, **reading,
        )  # fmt: skip

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

    Example:
        >>> axis_title("gender"), axis_title("words/team.tsv")
        ('gender', 'team')
    """
    return Path(axis).stem if axis.endswith(".tsv") else axis


_LONGEST = 40
"""How many letters of a name the name of a folder has."""


@dataclass(frozen=True)
class Commands:
    """Writes commands about the rows that were audited.

    Attributes:
        source: The words that name the rows for a command, such as a path; none where they are not
            known, and then there are no commands.
        augmented: The axes of which most counterfactuals are among the rows already.

    Example:
        >>> settings = AuditSettings(columns="text")
        >>> Commands(settings, "tweets", ("tweets.csv",)).augment("gender")
        'fair-datasets augment tweets.csv --text text --axis gender --out tweets-gender-cda'
        >>> Commands(settings, "tweets", ()).augment("gender")
        ''
    """

    settings: AuditSettings
    title: str
    source: Sequence[str]
    augmented: frozenset[str] = frozenset()

    def to_augment(self, axis: str, severity: str) -> dict[str, Any]:
        """Return the command that adds swapped copies, and what its advice names.

        Args:
            axis: The axis; nothing is advised for a column of groups, which has none, nor where it
                was done, or nothing is wrong.

        Example:
            >>> Commands(AuditSettings(columns="text"), "a", (), frozenset({"gender"})).to_augment(
            ...     "gender", "high")["to_augment"]
            ''
        """
        is_advised = axis and axis not in self.augmented and severity != "low"
        return {
            "command": self.augment(axis) if is_advised else "",
            "to_augment": axis_title(axis) if is_advised else "",
            "is_labelled": self.settings.label is not None,
        }

    def augment(self, axis: str) -> str:
        """Add the counterfactual of each row."""
        names = {None: [], True: ["--names"], False: ["--no-names"]}[self.settings.names]
        least = self.settings.min_confidence
        names += [] if least is None else ["--min-confidence", str(least)]
        return self._command("augment", ["--axis", axis, *names, "--out", self._name(axis, "cda")])

    def correct(self, axis: str) -> str:
        """Leave out the rows with the highest bias scores."""
        words = ["--correction", "Sub95", "--axis", axis]
        for name in ("vectors", "encoder", "direction"):
            value = getattr(self.settings, name)
            words += [] if value is None else [f"--{name}", str(value)]
        words += ["--centred"] if self.settings.centred else []
        return self._command("correct", [*words, "--out", self._name(axis, "sub95")])

    def audit_with_names(self, axis: str) -> str:
        """Read the names of an axis as well."""
        words = ["--axis", axis, "--names", "--out", self._name(axis, "names-audit")]
        return self._command("audit", words)

    def _name(self, axis: str, what: str) -> str:
        """Name a folder after the dataset and the axis, whatever they are called."""
        parts = [
            re.sub(r"[^\w-]+", "-", part, flags=re.ASCII).strip("-")[:_LONGEST]
            for part in (self.title, Path(axis).stem)
        ]
        return "-".join([*filter(None, parts), what])

    def _command(self, name: str, words: Sequence[str]) -> str:
        """Write a command; nothing where it is not known what it would read."""
        if not self.source:
            return ""
        texts = [word for column in self.settings.columns for word in ("--text", column)]
        roles = [word for role in self.settings.roles for word in ("--role", role)]
        read = [("--pipeline", self.settings.pipeline), ("--reader", self.settings.reader)]
        with_what = [word for option, value in read if value for word in (option, value)]
        return shlex.join(["fair-datasets", name, *self.source, *texts, *roles, *with_what, *words])
