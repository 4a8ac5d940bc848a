"""The commands that an audit advises, as a shell takes them."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fair_datasets.auditing.settings import AuditSettings, axis_title

_LONGEST = 40
"""How many letters of a name the name of a folder has."""


@dataclass(frozen=True)
class Commands:
    """Writes commands about the rows that were audited.

    Attributes:
        settings: What was audited.
        title: The name of the dataset, of which the name of what is written is made.
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

    def advice_to_augment(self, axis: str, what_for: str) -> tuple[str, str]:
        """Return what is advised, and the command; nothing where it was done.

        Args:
            axis: The axis; nothing is advised for a column of groups, which has none.
            what_for: What becomes of it, behind "so that".

        Example:
            >>> settings = AuditSettings(columns="text")
            >>> Commands(settings, "tweets", (), frozenset({"gender"})).advice_to_augment(
            ...     "gender", "the classifier is asked about both")
            ('', '')
        """
        if not axis or axis in self.augmented:
            return "", ""
        title = axis_title(axis)
        advice = f"Add a copy of each row with the words of {title} swapped, so that {what_for}."
        if self.settings.label is not None:
            advice += " Look at some first (--dry-run), and leave out those whose label changes."
        return advice, self.augment(axis)

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
