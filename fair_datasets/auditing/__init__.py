"""The audit: whom a dataset speaks of, what its labels go with, and what a classifier learns."""

from fair_datasets.auditing.changes import Change
from fair_datasets.auditing.dataset import Audit, audit
from fair_datasets.auditing.findings import MEASURES, Figure, Finding, Part, Sample, Table
from fair_datasets.auditing.record import Changes

__all__ = [
    "MEASURES",
    "Audit",
    "Change",
    "Changes",
    "Figure",
    "Finding",
    "Part",
    "Sample",
    "Table",
    "audit",
]
