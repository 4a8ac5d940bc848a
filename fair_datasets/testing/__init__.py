"""Checking that a technique keeps the contract, for our own techniques and third parties'.

A technique that passes gives the same rows in `Dataset.map`, `DatasetDict.map`, with several
processes, in `IterableDataset.map` and in any other engine that calls it on batches.
"""

from fair_datasets.testing.contract import check_technique

__all__ = ["check_technique"]
