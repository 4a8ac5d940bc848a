"""What Data-Juicer finds by the entry point `data_juicer.ops`: a mapper and two filters.

These are `fair_counterfactual_swap_mapper`, `fair_mention_filter` and `fair_bias_score_filter`.

An operator takes the parameters of its technique, and those of every operator, by name. A sample
that cannot be read is kept. Any other error ends the job, whatever `skip_op_error` says, as
Data-Juicer would drop the whole batch.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from inspect import Parameter, Signature
from math import isnan, nan
from typing import Any

from data_juicer.ops.base_op import OPERATORS, TAGGING_OPS, Filter, Mapper
from data_juicer.utils.constant import Fields
from data_juicer.utils.ray_utils import is_ray_mode
from loguru import logger

from fair_datasets import BiasScore, CounterfactualSwap, MentionedAttribute
from fair_datasets.reader.matching.find import count_in_rows
from fair_datasets.swap.row_results import label_of, read_parts, rewrite_rows
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.technique.contract import Batch

Samples = dict[str, list[Any]]


def operator(name: str, technique: Any, *left_out: str) -> Callable[[Any], Any]:
    """Register an operator that takes the parameters of a technique.

    Args:
        technique: The class; `text_key` stands in for its `columns` where these are not given.
    """
    own = {f.name: f for f in fields(technique) if f.init and f.name not in left_out}

    def registered(kind: Any) -> Any:
        # Data-Juicer looks for names and types here and in the signature; unions it cannot print.
        kind._BASE_PARAMS = kind._BASE_PARAMS | {
            key: (each.type if isinstance(each.type, type) else None, each.default)
            for key, each in own.items()
        }
        kind._BASE_PARAMS["columns"] = (None, None)
        named = [
            Parameter(key, Parameter.KEYWORD_ONLY, default=default, annotation=of or Any)
            for key, (of, default) in kind._BASE_PARAMS.items()
        ]

        def __init__(self: Any, **given: Any) -> None:  # noqa: N807
            Signature(named).bind(**given)
            self.options = {key: value for key, value in given.items() if value is not None}
            super(kind, self).__init__(**(given | {"skip_op_error": False}))
            options = {key: value for key, value in self.options.items() if key in own}
            self.technique = technique(**{"columns": self.text_key} | options)
            getattr(self, "check", bool)()

        me = Parameter("self", Parameter.POSITIONAL_ONLY)
        __init__.__signature__ = Signature([me, *named])  # type: ignore[attr-defined]
        kind.__init__ = __init__
        return OPERATORS.register_module(name)(kind)

    return registered


@TAGGING_OPS.register_module("fair_counterfactual_swap_mapper")
@operator("fair_counterfactual_swap_mapper", CounterfactualSwap)
class FairCounterfactualSwapMapper(Mapper):
    """Rewrite samples; the meta says which are `rewritten`, and the `reason` why one is left.

    Of `augment`, the originals of a batch stand before its counterfactuals, as the tracer compares
    the first ones with what came in.
    """

    _batched_op = True

    def process_batched(self, samples: Samples) -> Samples:
        """Rewrite a batch."""
        columns, origins, rewritten, reasons = results = rewrite_rows(self.technique, samples)
        if is_ray_mode():
            logger.info(f"{self._name}: {results.counts()}")
        is_copy = [k > 0 and origins[k - 1] == origins[k] for k in range(len(origins))]
        metas = columns.get(Fields.meta, [{}] * len(origins))
        columns[Fields.meta] = [
            (each or {}) | {"rewritten": rewritten[k] or is_copy[k], "reason": reasons[k]}
            for k, each in enumerate(metas)
        ]
        order = sorted(range(len(origins)), key=is_copy.__getitem__)
        return {name: [values[k] for k in order] for name, values in columns.items()}

    def run(self, dataset: Any, **named: Any) -> Any:
        """Rewrite a dataset, and log the counts."""
        made, counts = super().run(dataset, **named), Counter[str]()
        for meta in made[Fields.meta] if len(made) else []:
            # Of augment, each sample stands there once as it was; of no samples, there is no meta.
            if self.technique.mode != "augment" or not meta["rewritten"]:
                counts[label_of(meta["reason"])] += 1
        logger.info(f"{self._name}: {dict(counts)}")
        return made


class NumbersFilter(Filter):
    """A filter by numbers, each of which stands in the stats; NaN where a sample has none."""

    _batched_op = True
    technique: Any
    options: dict[str, Any]

    def numbers(self, samples: Batch) -> dict[str, list[Any]]:
        """Return the numbers of samples by their names."""
        raise NotImplementedError

    def compute_stats_batched(self, samples: Samples, context: bool = False) -> Samples:
        """Put the numbers of a batch into its stats."""
        stats = [dict(each or {}) for each in samples[Fields.stats]]
        for rows, outcome in read_parts(self.numbers, samples):
            if isinstance(outcome, Exception):
                logger.warning(f"{self._name} keeps a sample: {outcome}")
                outcome = {key: [nan] for key in self.numbers({name: [] for name in samples})}
            for name, values in outcome.items():
                for row, value in zip(rows, values, strict=True):
                    stats[row][name] = nan if value is None else float(value)
        return {**samples, Fields.stats: stats}


@operator("fair_mention_filter", MentionedAttribute, "output_column")
class FairMentionFilter(NumbersFilter):
    """Keep the samples that mention one of some `attributes`; with `keep: false`, the others."""

    _BASE_PARAMS = Filter._BASE_PARAMS | {"attributes": (None, None), "keep": (bool, True)}

    def check(self) -> None:
        """Raise unless the attributes are some of the axis, and `keep` alone says what is kept."""
        if self.options.get("reversed_range"):
            raise invalid("reversed_range is for ranges of numbers; write keep: false instead.")
        known = self.technique.table(self.technique.axis).attributes
        given = self.options.get("attributes", known)
        self.chosen = checks.strings(given, parameter="attributes")
        if not self.chosen:
            raise invalid("attributes is empty; name one, or leave it out.")
        checks.switch(self.options.get("keep", True), parameter="keep")
        for each in self.chosen:
            checks.one_of(each, known, parameter="attributes")

    def numbers(self, samples: Batch) -> dict[str, list[Any]]:
        """Count the mentions of each attribute."""
        table = self.technique.table(self.technique.axis)
        counts = count_in_rows(self.technique.texts(samples).rows, [table]).T.tolist()
        return {f"mentions_{a}": own for a, own in zip(table.attributes, counts, strict=True)}

    def process_batched(self, samples: Samples) -> list[bool]:
        """Return which samples to keep."""
        names = [f"mentions_{attribute}" for attribute in self.chosen]
        totals = [sum(stats[name] for name in names) for stats in samples[Fields.stats]]
        return [isnan(n) or (n > 0) == self.options.get("keep", True) for n in totals]


@operator("fair_bias_score_filter", BiasScore, "explain", "output_column", "batch_size")
class FairBiasScoreFilter(NumbersFilter):
    """Keep the samples whose bias score is between `min_score` and `max_score`, or is none."""

    _BASE_PARAMS = Filter._BASE_PARAMS | {"min_score": (float, None), "max_score": (float, None)}

    def numbers(self, samples: Batch) -> dict[str, list[Any]]:
        """Return the bias score, and its parts by attribute."""
        columns = self.technique(samples)
        return {name: columns[name] for name in self.technique.added_features({})}

    def process_batched(self, samples: Samples) -> list[bool]:
        """Return which samples to keep."""
        scores = [stats[self.technique.output_column] for stats in samples[Fields.stats]]
        bounds = self.options.get("min_score"), self.options.get("max_score")
        return [isnan(score) or self.get_keep_boolean(score, *bounds) for score in scores]
