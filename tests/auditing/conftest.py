"""Rows that are audited."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.auditing.audit_input import AuditInput, read_audit_input
from fair_datasets.auditing.findings import Figure
from fair_datasets.auditing.settings import AuditSettings, Commands

Read = Callable[..., tuple[AuditInput, AuditSettings, Commands]]
PEOPLE = ["He ran.", "She ran.", "He saw her.", "Rain.", "The actress sang.", "She and her aunt."]


@pytest.fixture(scope="session")
def read() -> Read:
    """Return what reads rows, given as columns or as splits of them, as an audit does."""

    def read_rows(
        given: dict[str, Any], **settings: Any
    ) -> tuple[AuditInput, AuditSettings, Commands]:
        checked = AuditSettings(columns=settings.pop("columns", "text"), **settings)
        are_splits = all(isinstance(value, dict) for value in given.values())
        splits = given if are_splits else {"train": given}
        rows = {name: Dataset.from_dict(columns) for name, columns in splits.items()}
        return read_audit_input(rows, checked), checked, Commands(checked, "rows", ["rows.csv"])

    return read_rows


def figure_of(figures: Sequence[Figure], measure: str, **place: str) -> Figure:
    """Return the one figure of a measure and a place; what is not named of it is empty."""
    wanted = {"axis": "", "attribute": "", "label": "", "split": "", **place}
    (found,) = (
        figure for figure in figures
        if figure.measure == measure
        and all(getattr(figure, name) == value for name, value in wanted.items())
    )  # fmt: skip
    return found


@pytest.fixture(scope="session")
def one() -> Callable[..., Figure]:
    """Return what finds the one figure of a measure and a place."""
    return figure_of
