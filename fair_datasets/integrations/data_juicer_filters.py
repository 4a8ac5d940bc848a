"""Filters of Data-Juicer: `fair_mention_filter` and `fair_bias_score_filter`."""

from math import isnan, nan
from typing import Any

from data_juicer.ops.base_op import Filter
from data_juicer.utils.constant import Fields
from loguru import logger

from fair_datasets import BiasScore, MentionedAttribute
from fair_datasets.integrations.data_juicer import Samples, operator
from fair_datasets.reader.matching.find import count_in_rows
from fair_datasets.swap.row_results import read_parts
from fair_datasets.system import checks
from fair_datasets.technique.contract import Batch


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
        for rows, found in read_parts(self.numbers, samples):
            if isinstance(found, Exception):
                logger.warning(f"{self._name} keeps a sample: {found}")
                found = {key: [nan] for key in self.numbers({name: [] for name in samples})}
            for name, values in found.items():
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
            raise checks.InputError(
                f"{type(self).__name__}: reversed_range is for ranges of numbers; write keep: "
                "false instead."
            )
        owner, known = type(self).__name__, self.technique.table(self.technique.axis).attributes
        given = self.options.get("attributes", known)
        self.chosen = checks.strings(given, owner=owner, parameter="attributes")
        if not self.chosen:
            raise checks.InputError(f"{owner}: attributes is empty; name one, or leave it out.")
        checks.switch(self.options.get("keep", True), owner=owner, parameter="keep")
        for each in self.chosen:
            checks.one_of(each, known, owner=owner, parameter="attributes")

    def numbers(self, samples: Batch) -> dict[str, list[Any]]:
        """Count the mentions of each attribute."""
        table = self.technique.table(self.technique.axis)
        counts = count_in_rows(self.technique.texts(samples).rows, [table]).T.tolist()
        return {f"mentions_{a}": own for a, own in zip(table.attributes, counts, strict=True)}

    def process_batched(self, samples: Samples) -> list[bool]:
        """Tell which samples to keep."""
        names = [f"mentions_{attribute}" for attribute in self.chosen]
        totals = [sum(stats[name] for name in names) for stats in samples[Fields.stats]]
        return [isnan(n) or (n > 0) == self.options.get("keep", True) for n in totals]


@operator("fair_bias_score_filter", BiasScore, "explain", "output_column", "batch_size")
class FairBiasScoreFilter(NumbersFilter):
    """Keep the samples whose bias score is between `min_score` and `max_score`, or is none."""

    _BASE_PARAMS = Filter._BASE_PARAMS | {"min_score": (float, None), "max_score": (float, None)}

    def numbers(self, samples: Batch) -> dict[str, list[Any]]:
        """Return the bias score, and its parts by attribute."""
        found = self.technique(samples)
        return {name: found[name] for name in self.technique.added_features({})}

    def process_batched(self, samples: Samples) -> list[bool]:
        """Tell which samples to keep."""
        scores = [stats[self.technique.output_column] for stats in samples[Fields.stats]]
        bounds = self.options.get("min_score"), self.options.get("max_score")
        return [isnan(score) or self.get_keep_boolean(score, *bounds) for score in scores]
