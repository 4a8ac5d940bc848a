"""How often a corpus mentions each attribute of a demographic axis, as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import evaluate

from fair_datasets.matching.count_terms import count_terms
from fair_datasets.measures import inputs
from fair_datasets.measures.representation import representation
from fair_datasets.measures.undefined import Undefined
from fair_datasets.metric_inputs import as_given

_DESCRIPTION = """
How often the texts of a corpus mention each attribute of a demographic axis: counts and shares over
all texts and by label, and the distance of the shares from equal ones or from those that you give.
"""

_CITATION = r"""
@article{liang-etal-2023-holistic,
    title = "Holistic Evaluation of Language Models",
    author = "Liang, Percy and Bommasani, Rishi and Lee, Tony and others",
    journal = "Transactions on Machine Learning Research",
    year = "2023",
}
"""

_INPUTS = """
Args:
    data: The texts.
    axis: A shipped lexicon's name ("gender" by default), or the path of your own `.tsv` file.
    names: Whether names count, where they have the axis's attributes; None (the default) for first
        names of men and women alone.
    labels: A label per text, a string or a whole number. Given to `compute`, for all rows at once.
    reference: Each attribute of the axis to the share that it should have; equal shares by default.
    undefined: What to give for shares where nothing is mentioned: "nan" (the default) warns and
        gives NaN, "zero" gives 0, "raise" raises.

Returns:
    mentions: Each attribute to its number of mentions.
    shares: Each attribute to its share of all mentions, in [0, 1].
    rows_with: Each attribute to the share of texts that mention it, in [0, 1].
    distance: The total variation distance of the shares from the reference, in [0, 1].
    rows: How many texts there are.
    labels: One dictionary per label: the label as "label", and the same figures.
    reference: The shares that the distance is taken from.

Examples:
    >>> from fair_datasets import load_metric
    >>> representation = load_metric("representation")
    >>> result = representation.compute(data=["He saw his sister.", "She left.", "It rained."])
    >>> result["mentions"], result["shares"]["man"]
    ({'man': 2, 'woman': 2, 'non-binary': 0}, 0.5)
"""


class Representation(evaluate.Measurement):
    """How often a corpus mentions each attribute of a demographic axis."""

    def _info(self) -> evaluate.MeasurementInfo:
        """Describe the measure and its inputs."""
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("data"),
        )

    def _compute(
        self,
        data: Any,
        axis: str = "gender",
        names: bool | None = None,
        labels: Any = None,
        reference: dict[str, float] | None = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        texts = inputs.texts(data, "data", owner="representation")
        attributes, counts = count_terms(texts, axis, names=names)
        result = representation(
            counts, attributes, labels, reference=reference, undefined=undefined
        )
        found = asdict(result)
        by_label = [{"label": label, **shares} for label, shares in found["labels"].items()]
        return {**found["all"], "labels": by_label, "reference": found["reference"]}
