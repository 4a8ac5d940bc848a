"""How far labels go with the mention of demographic attributes, as an `evaluate` module."""

from typing import Any

from fair_datasets.measures import base, inputs
from fair_datasets.measures.inputs import Rows, Undefined
from fair_datasets.measures.representation import label_association
from fair_datasets.measures.results import plain
from fair_datasets.reader.matching.find import count_terms


def of_texts(
    data: Any,
    labels: Any,
    *,
    axis: str = "gender",
    names: bool | None = None,
    pipeline: str | None = None,
    reader: str | None = None,
    level: float = 0.95,
    families: Rows = None,
    undefined: Undefined = "nan",
) -> dict[str, Any]:
    """Count who is mentioned in the texts of each label.

    Args:
        labels: The label of each text, a string or a whole number.
        level: The confidence level of the interval.

    Returns:
        associations: For each attribute and label a dictionary of both as "attribute" and "label";
            "both", "mentioned", "labelled" and "rows": how many texts have both, each of them, and
            are there; "pmi": pointwise mutual information in bits, 0 is no association;
            "odds_ratio", "odds_ratio_low" and "odds_ratio_high": the odds ratio and its interval, 1
            is no association; "corrected": whether a half was added to each count for them, as one
            was 0; "p_value": of Fisher's exact test, two-sided, not adjusted for the number of
            tests; over families, of as many texts as are independent.
    """
    rows = inputs.texts(data, "data")
    attributes, counts = count_terms(rows, axis, names=names, pipeline=pipeline, reader=reader)
    found = label_association(
        counts, attributes, labels, level=level, families=families, undefined=undefined
    )
    return {"associations": [plain(association) for association in found]}


@base.computes(of_texts, "data", "labels")
class LabelAssociation(base.Measurement):
    """How strongly the labels of a corpus are associated with mentions of each attribute.

    Pointwise mutual information, the odds ratio with its confidence interval, and Fisher's exact
    test.
    """
