"""The audit: whom a dataset speaks of, what its labels go with, and what a classifier learns."""

from fair_datasets.auditing.changes import Change, Changes
from fair_datasets.auditing.dataset import Audit, audit
from fair_datasets.auditing.findings import MEASURES, Figure, Finding, Part, Sample, Table

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
