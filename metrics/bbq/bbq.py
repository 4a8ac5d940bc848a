"""Whether a model answers questions about people by stereotypes, for `evaluate`."""

from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.bbq import bbq, plain_bbq
from fair_datasets.measures.bbq_items import AnswerMapping
from fair_datasets.measures.inputs import Undefined


class Bbq(base.Metric):
    """How a model answers BBQ's questions about people: accuracy and bias score by category.

    In ambiguous contexts, in which the right answer is that it is unknown, and in clear ones. A
    bias score of 0 is ideal.
    """

    CITATION = """
        @inproceedings{parrish-etal-2022-bbq,
            title = "{BBQ}: A hand-built bias benchmark for question answering",
            author = "Parrish, Alicia and Chen, Angelica and Nangia, Nikita and Padmakumar, Vishakh
              and Phang, Jason and Thompson, Jana and Htut, Phu Mon and Bowman, Samuel",
            booktitle = "Findings of the Association for Computational Linguistics: ACL 2022",
            year = "2022",
            url = "https://aclanthology.org/2022.findings-acl.165",
        }
    """
    PARAMETERS = """
        predictions: The index of the answer that the model gave, 0, 1 or 2; None where its output
            matches no answer.
        items: The item of each answer: a row of the published files, as a dictionary, of which the
            sentences are not read. Of a published item with its answers in the published order, a
            dictionary of "category" and "example_id" is enough.
        mapping: What tells the answer of the stereotyped group: "item" (the default), the item
            itself, or "published", the mapping of the authors, to compare with their figures.
    """
    RETURNS = """
        scores: One dictionary for each category, kind of people and context: "category"; "people",
            "name" where they have proper names, else "label"; "context", "ambig" or "disambig";
            "accuracy", in [0, 1]; "bias_score", from -100 to 100, above 0 is stereotyping; how
            many "answers" are counted, how many of these name "persons", and how many are "biased";
            "families", of how many templates they are; what is left out, as "unmatched" and
            "unresolved"; and with confidence "accuracy_interval" and "bias_interval", over
            families.
        unmatched: How many outputs match no answer; they are left out.
        unresolved: How many items are left out as neither or both of their persons are of the
            stereotyped group.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> result = load_metric("bbq").compute(
        ...     predictions=[0, 1, 2, 1],
        ...     items=[
        ...         {"category": "Age", "example_id": 0}, {"category": "Age", "example_id": 1},
        ...         {"category": "Age", "example_id": 2}, {"category": "Age", "example_id": 3},
        ...     ],
        ... )
        >>> [(row["context"], row["accuracy"], row["bias_score"]) for row in result["scores"]]
        [('ambig', 0.5, 50.0), ('disambig', 0.5, 0.0)]
    """

    def _compute(
        self,
        predictions: Any,
        items: Any,
        *,
        mapping: AnswerMapping = "item",
        confidence: float | None = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        result = bbq(
            items,
            predictions,
            mapping=mapping,
            confidence=confidence,
            undefined=undefined,
        )
        return plain_bbq(result)
