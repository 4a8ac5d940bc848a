"""How far labels go with the mention of demographic attributes, as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base, inputs
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.representation import label_association
from fair_datasets.reader.matching.find import count_terms


class LabelAssociation(base.Measurement):
    """How far the labels of a corpus go with the mention of each attribute of a demographic axis.

    Pointwise mutual information, the odds ratio with its confidence interval, and Fisher's exact
    test.
    """

    CITATION = """
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
    PARAMETERS = """
        labels: The label of each text, a string or a whole number.
        level: The confidence level of the interval, 0.95 by default.
    """
    RETURNS = """
        associations: For each attribute and label a dictionary of both as "attribute" and "label";
            "both", "mentioned", "labelled" and "rows": how many texts have both, each of them, and
            are there; "pmi": pointwise mutual information in bits, 0 is no association;
            "odds_ratio", "odds_ratio_low" and "odds_ratio_high": the odds ratio and its interval, 1
            is no association; "corrected": whether a half was added to each count for them, as one
            was 0; "p_value": of Fisher's exact test, two-sided, not adjusted for the number of
            tests; over families, of as many texts as are independent.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> association = load_metric("label_association")
        >>> result = association.compute(
        ...     data=["He cooks.", "He drives.", "He drives."]
        ...     + ["She cooks.", "She cooks.", "She rows."],
        ...     labels=["home", "away", "away", "home", "home", "away"],
        ...     undefined="zero",
        ... )
        >>> first = result["associations"][0]
        >>> first["attribute"], first["label"], first["both"], first["odds_ratio"]
        ('man', 'away', 2, 4.0)
    """

    def _compute(
        self,
        data: Any,
        labels: Any,
        *,
        axis: str = "gender",
        names: bool | None = None,
        pipeline: str | None = None,
        reader: str | None = None,
        level: float = 0.95,
        families: base.Rows = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        rows = inputs.texts(data, "data")
        attributes, counts = count_terms(rows, axis, names=names, pipeline=pipeline, reader=reader)
        found = label_association(
            counts, attributes, labels, level=level, families=families, undefined=undefined
        )
        return {"associations": [asdict(association) for association in found]}
