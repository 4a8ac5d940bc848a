"""A stage of a NeMo Curator pipeline: each document, then its counterfactual."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pyarrow as pa
from loguru import logger
from nemo_curator.stages.base import ProcessingStage
from nemo_curator.tasks import DocumentBatch

from fair_datasets import CounterfactualSwap
from fair_datasets.swap.row_results import UNREADABLE, rewrite_rows


@dataclass
class CounterfactualStage(ProcessingStage[DocumentBatch, DocumentBatch]):
    """Rewrite batches of documents by `CounterfactualSwap`, for any executor.

    The metrics of the stage count the documents that are `rewritten`, and those left as
    `left/REASON`. A document that cannot be read is left as it is; the log says why.

    Attributes:
        columns: The text column or columns, or paths to texts inside them.
        parameters: What else `CounterfactualSwap` takes, such as `{"axis": "race"}`.

    Example:
        >>> stage = CounterfactualStage(parameters={"family": False})
        >>> stage.setup()
        >>> batch = DocumentBatch("reviews", pa.table({"text": ["He ran."]}))
        >>> stage.process(batch).data.to_pydict()
        {'text': ['He ran.', 'She ran.']}
    """

    columns: str | list[str] = "text"
    parameters: dict[str, Any] = field(default_factory=dict)
    name: str = "counterfactuals"

    def __post_init__(self) -> None:
        """Check the parameters, here and not first on a worker."""
        self._made()

    def _made(self) -> CounterfactualSwap:
        return CounterfactualSwap(**{"columns": self.columns, **self.parameters})

    def inputs(self) -> tuple[list[str], list[str]]:
        """Name what is needed: the text columns, but for those behind a path."""
        names = [self.columns] if isinstance(self.columns, str) else self.columns
        return ["data"], [name for name in names if name.isidentifier()]

    def outputs(self) -> tuple[list[str], list[str]]:
        """Name what is written: the text columns, and those that are added."""
        technique = self._made()
        return ["data"], [*technique.columns, *technique.added_columns(technique.columns)]

    def setup(self, worker_metadata: Any = None) -> None:
        """Make the technique, once for each worker."""
        self._technique = self._made()

    def process(self, task: DocumentBatch) -> DocumentBatch:
        """Rewrite a batch."""
        results = rewrite_rows(self._technique, task.data)
        known = getattr(self, "_custom_metrics", None) or {}
        self._log_metrics({k: known.get(k, 0) + n for k, n in results.counts().items()})
        for reason in results.reasons:
            if reason.startswith(UNREADABLE):
                logger.warning(f"A document is left: {reason}")
        columns: Any = results.columns
        if isinstance(task.data, pd.DataFrame):
            data = pd.DataFrame(columns).astype(dict(task.data.dtypes))
        else:
            types = dict(zip(task.data.column_names, task.data.schema.types, strict=True))
            data = pa.table({k: pa.array(v, types.get(k)) for k, v in columns.items()})
        return DocumentBatch(
            dataset_name=task.dataset_name,
            data=data,
            _metadata=task._metadata,
            _stage_perf=task._stage_perf,
        )
