"""How often a corpus mentions each attribute of a demographic axis, as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base, inputs
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.representation import representation
from fair_datasets.reader.matching.find import count_terms


class Representation(base.Measurement):
    """How often the texts of a corpus mention each attribute of a demographic axis.

    Counts and shares over all texts and by label, and the distance of the shares from equal ones or
    from those that you give.
    """

    CITATION = """
        @article{liang-etal-2023-holistic,
            title = "Holistic Evaluation of Language Models",
            author = "Liang, Percy and Bommasani, Rishi and Lee, Tony and others",
            journal = "Transactions on Machine Learning Research",
            year = "2023",
        }
    """
    PARAMETERS = """
        labels: A label per text, a string or a whole number. Given to `compute`, for all rows at
            once.
        reference: Each attribute of the axis to the share that it should have; equal shares by
            default.
    """
    RETURNS = """
        mentions: Each attribute to its number of mentions.
        shares: Each attribute to its share of all mentions, in [0, 1].
        rows_with: Each attribute to the share of texts that mention it, in [0, 1].
        distance: The total variation distance of the shares from the reference, in [0, 1].
        rows: How many texts there are.
        labels: One dictionary per label: the label as "label", and the same figures.
        reference: The shares that the distance is taken from.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> representation = load_metric("representation")
        >>> result = representation.compute(data=["He saw his sister.", "She left.", "It rained."])
        >>> result["mentions"], result["shares"]["man"]
        ({'man': 2, 'woman': 2, 'non-binary': 0}, 0.5)
    """

    def _compute(
        self,
        data: Any,
        *,
        axis: str = "gender",
        names: bool | None = None,
        pipeline: str | None = None,
        reader: str | None = None,
        labels: base.Rows = None,
        reference: dict[str, float] | None = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        rows = inputs.texts(data, "data")
        attributes, counts = count_terms(rows, axis, names=names, pipeline=pipeline, reader=reader)
        result = representation(
            counts, attributes, labels, reference=reference, undefined=undefined
        )
        found = asdict(result)
        by_label = [{"label": label, **shares} for label, shares in found["labels"].items()]
        return {**found["all"], "labels": by_label, "reference": found["reference"]}
