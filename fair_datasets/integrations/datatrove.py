"""A step of a datatrove pipeline: each document, then its counterfactual."""

from collections.abc import Iterable, Iterator

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep
from datatrove.utils.batching import batched
from datatrove.utils.logging import logger

from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.swap.row_results import UNREADABLE, rewrite_rows
from fair_datasets.system.checks import invalid, positive_whole_number


class Counterfactuals(PipelineStep):
    """Rewrite the documents of a pipeline.

    The technique sees a document's `text`, its `id`, and its metadata as columns. What it adds,
    such as `family_id`, goes into the metadata. A counterfactual has the id of its document with
    `/cf` behind it, or `/cf2` for the second of several. The statistics count documents: those
    `rewritten`, and those left as `left/REASON`. A document that cannot be read is left as it is;
    the log says why.
    """

    type = "✍️ - REWRITER"
    name = "⚖️ Counterfactuals"

    def __init__(self, technique: Rewriter, batch_size: int = 1000) -> None:
        """Check the parameters."""
        super().__init__()
        if not isinstance(technique, Rewriter):
            raise invalid(
                f"technique must be one that rewrites, such as "
                f"CounterfactualSwap(columns='text'), but it is {technique!r}."
            )
        self.technique = technique
        self.batch_size = positive_whole_number(batch_size, parameter="batch_size")

    def run(
        self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Rewrite documents.

        Yields:
            Each document, and behind it what it is rewritten to; or what takes its place.
        """
        for documents in batched(data or (), self.batch_size):
            with self.track_time("batch"):
                made = list(self._rewritten(documents))
            yield from made

    def _rewritten(self, documents: list[Document]) -> Iterator[Document]:
        """Rewrite some documents together."""
        keys = dict.fromkeys(key for each in documents for key in each.metadata)
        columns = {key: [each.metadata.get(key) for each in documents] for key in keys}
        columns |= {"text": [d.text for d in documents], "id": [d.id for d in documents]}
        results = rewrite_rows(self.technique, columns)
        for label, count in results.counts().items():
            self.stat_update(label, value=count)
        twins: dict[int, int] = {}
        seen = set[int]()
        for number, origin in enumerate(results.origins):
            document, row = documents[origin], {k: v[number] for k, v in results.columns.items()}
            text, own_id, reason = row.pop("text"), row.pop("id"), results.reasons[number]
            if origin in seen or (results.is_rewritten[number] and self.technique.mode != "pair"):
                twins[origin] = twins.get(origin, 0) + 1
                own_id += f"/cf{twins[origin] if twins[origin] > 1 else ''}"
            seen.add(origin)
            if reason.startswith(UNREADABLE):
                logger.warning(f"{document.id} is left: {reason}")
            added = {k: v for k, v in row.items() if k in document.metadata or k not in keys}
            yield Document(text, own_id, list(document.media), document.metadata | added)
