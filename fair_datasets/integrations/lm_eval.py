"""A task of lm-eval that asks about originals, their twins and their controls in one run.

`fair-datasets twin-task` writes what uses it. The task's own metrics are those of the originals.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from datasets import Dataset, Features, Value
from lm_eval.api.task import ConfigurableTask

from fair_datasets.auditing.paired import Answer, figures_of, paired_figures
from fair_datasets.evaluation.versions import ORIGINAL, twins_of
from fair_datasets.rows.draws import FAMILY
from fair_datasets.swap.rewriting import Rewriter

_ADDED = {"_pair": Value("int64"), "_variant": Value("string"), "_direction": Value("int64")}


class _Shots:
    """A sampler that draws few-shot examples for an original, and keeps them for its twin."""

    def __init__(self, sampler: Any) -> None:
        self.sampler, self.document, self.drawn = sampler, dict[str, Any](), list[Any]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sampler, name)

    def sample(self, n: int, eval_doc: Any = None, **named: Any) -> Any:
        if self.document["_variant"] == ORIGINAL or len(self.drawn) != n:
            # It is compared with the examples, which have no columns of ours.
            own = eval_doc and {name: eval_doc[name] for name in eval_doc if name not in _ADDED}
            self.drawn = self.sampler.sample(n=n, eval_doc=own, **named)
        return self.drawn


class TwinTask(ConfigurableTask):
    """A task whose evaluated split holds each document, its twin and its controls.

    Attributes:
        technique: What rewrites the documents; its `columns` are rewritten by one mapping.
        metric: The score of a document that twins are compared by, a mean over documents.
        counts: How many documents there are, have twins and controls, and would change their key.
    """

    technique: Rewriter
    metric = "acc"
    draws = 1
    sampler: Any

    def __init__(self, config: Any = None) -> None:
        """Make the task; its documents are made when it first looks at them."""
        self._twins: Any = None
        self.counts = dict.fromkeys(("documents", "twins", "controls", "keys"), 0)
        super().__init__(config={name: config[name] for name in config if name != "class"})
        self.sampler = _Shots(self.sampler)

    @property
    def eval_docs(self) -> Any:
        """The documents with their twins; few-shot examples come from the splits as they are."""
        if self._twins is None:
            documents = super().eval_docs
            self.features = list(documents.features)
            dataset = Dataset.from_list(
                list(self._with_twins(documents)), Features({**documents.features, **_ADDED})
            )
            self._twins = dataset
        return self._twins

    def _with_twins(self, documents: Any) -> Iterator[dict[str, Any]]:
        """Give each document, with its twin and its controls behind it."""
        texts = self.technique.texts({name: documents[name][:] for name in documents.column_names})
        twins = twins_of(texts.rows, self.technique, draws=self.draws, seed=self.technique.seed)
        for number, document in enumerate(documents):
            self.counts["documents"] += 1
            versions = twins[number].versions if number in twins else ()
            several = {name: document | texts.written(number, new) for name, new in versions}
            changed = [name for name in several if self._key(several[name]) != self._key(document)]
            if changed:
                self.counts["keys"] += "twin" in changed
                several = {} if "twin" in changed else {k: several[k] for k in (ORIGINAL, "twin")}
            if not several:
                yield document | {"_pair": None, "_variant": ORIGINAL, "_direction": 0}
                continue
            self.counts["twins"] += 1
            self.counts["controls"] += "control" in several
            beside = {"_pair": number, "_direction": twins[number].direction}
            yield from (each | beside | {"_variant": name} for name, each in several.items())

    def _key(self, document: Any) -> Any:
        """Return what answer is right, which no twin changes: where there are choices, which."""
        text, target = self.doc_to_text(document), self.doc_to_target(document)
        if isinstance(text, int):
            return text
        choices = self.doc_to_choice(document) if self.config.doc_to_choice is not None else ()
        return choices.index(target) if target in choices else target

    def doc_iterator(self, *, rank: int = 0, world_size: int = 1, **options: Any) -> Any:
        """Give each process whole pairs, which share their few-shot examples."""
        number = -1
        for place, document in super().doc_iterator(**options):
            number += document["_variant"] == ORIGINAL
            if number % world_size == rank:
                yield place, document

    def fewshot_context(self, doc: Any, *given: Any, **named: Any) -> Any:
        """Write the prompt with the few-shot examples of the original."""
        self.sampler.document = doc
        return super().fewshot_context(doc, *given, **named)

    def process_results(self, doc: Any, results: Any) -> dict[str, Any]:
        """Give the task's own metrics of originals, and an answer for each figure of pairs."""
        metrics = super().process_results(doc, results)
        own = metrics if doc["_variant"] == ORIGINAL else {}
        if doc["_pair"] is None or self.metric not in metrics:
            return dict(own)
        answer = Answer(
            doc["_pair"], doc["_variant"], self._answer(doc, results), metrics[self.metric],
            doc["_direction"], doc.get(FAMILY),
        )  # fmt: skip
        return {**own, **dict.fromkeys(figures_of(self.metric), answer)}

    def _answer(self, doc: Any, results: Any) -> Any:
        """Return the choice of the metric, whether a text is the likeliest, or what is written."""
        if self.OUTPUT_TYPE == "generate_until":
            return str(results[0]).strip().lower()
        if self.OUTPUT_TYPE == "loglikelihood":
            return bool(results[0][1])
        choices = self.doc_to_choice(doc)
        lengths = {"acc_norm": [len(each) for each in choices],
                   "acc_bytes": [len(each.encode()) for each in choices]}  # fmt: skip
        scores = np.array([score for score, _ in results[: len(choices)]])
        return int(np.argmax(scores / np.array(lengths.get(self.metric, 1), float)))

    def aggregation(self) -> dict[str, Any]:
        """Return how the task's own metrics are summed up, and the figures of pairs."""
        ours = {name: partial(self._figure, name) for name in figures_of(self.metric)}
        return {**super().aggregation(), **ours}

    def _figure(self, name: str, answers: Any) -> float:
        return paired_figures(answers, self.metric)[name]
