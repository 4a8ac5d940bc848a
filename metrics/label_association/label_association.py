"""How far labels go with the mention of demographic attributes, as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import evaluate

from fair_datasets.matching.count_terms import count_terms
from fair_datasets.measures import inputs
from fair_datasets.measures.label_association import label_association
from fair_datasets.measures.undefined import Undefined
from fair_datasets.metric_inputs import as_given

_DESCRIPTION = """
How far the labels of a corpus go with the mention of each attribute of a demographic axis:
pointwise mutual information, the odds ratio with its confidence interval, and Fisher's exact test.
"""

_CITATION = r"""
@article{church-hanks-1990-word,
    title = "Word Association Norms, Mutual Information, and Lexicography",
    author = "Church, Kenneth Ward and Hanks, Patrick",
    journal = "Computational Linguistics",
    volume = "16",
    number = "1",
    year = "1990",
}
@article{woolf-1955-estimating,
    title = "On Estimating the Relation between Blood Group and Disease",
    author = "Woolf, Barnet",
    journal = "Annals of Human Genetics",
    volume = "19",
    year = "1955",
}
"""

_INPUTS = """
Args:
    data: The texts.
    labels: The label of each text, a string or a whole number.
    axis: A shipped lexicon's name ("gender" by default), or the path of your own `.tsv` file.
    names: Whether names count, where they have the axis's attributes; None (the default) for first
        names of men and women alone.
    level: The confidence level of the interval, 0.95 by default.
    undefined: What to give for an undefined value: "nan" (the default) warns and gives NaN, "zero"
        gives 0, "raise" raises.

Returns:
    associations: For each attribute and label a dictionary:
        attribute, label: What is associated.
        both, mentioned, labelled, rows: How many texts have both, each of them, and are there.
        pmi: Pointwise mutual information in bits; 0 is no association.
        odds_ratio, odds_ratio_low, odds_ratio_high: The odds ratio and its interval; 1 is no
            association.
        corrected: Whether a half was added to each count for them, as one was 0.
        p_value: Of Fisher's exact test, two-sided, not adjusted for the number of tests.

Examples:
    >>> from fair_datasets import load_metric
    >>> association = load_metric("label_association")
    >>> result = association.compute(
    ...     data=["He cooks.", "He drives.", "He drives.", "She cooks.", "She cooks.", "She rows."],
    ...     labels=["home", "away", "away", "home", "home", "away"],
    ...     undefined="zero",
    ... )
    >>> first = result["associations"][0]
    >>> first["attribute"], first["label"], first["both"], first["odds_ratio"]
    ('man', 'away', 2, 4.0)
"""


class LabelAssociation(evaluate.Measurement):
    """How far labels go with the mention of demographic attributes."""

    def _info(self) -> evaluate.MeasurementInfo:
        """Describe the measure and its inputs."""
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("data", "labels"),
        )

    def _compute(
        self,
        data: Any,
        labels: Any,
        axis: str = "gender",
        names: bool | None = None,
        level: float = 0.95,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        texts = inputs.texts(data, "data", owner="label_association")
        if len(labels) and not isinstance(labels[0], str):
            labels = inputs.classes(labels, "labels", owner="label_association")
        attributes, counts = count_terms(texts, axis, names=names)
        found = label_association(counts, attributes, labels, level=level, undefined=undefined)
        return {"associations": [asdict(association) for association in found]}
