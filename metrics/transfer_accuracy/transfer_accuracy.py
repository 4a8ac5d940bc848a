"""How often a rewritten text is read as another attribute than the original, for `evaluate`."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.rewrites import transfer_accuracy
from fair_datasets.scores.classifiers import attribute_probabilities
from fair_datasets.scores.likelihoods import are_texts


class TransferAccuracy(base.Metric):
    """The percentage of rewritten texts that are read as another attribute than the original.

    A classifier of attributes reads them. Beside it stands the same percentage for the original
    texts, the error of the classifier. Higher is better.
    """

    CITATION = """
        @inproceedings{tokpo-calders-2023-model,
            title = "Model-based Counterfactual Generator for Gender Bias Mitigation",
            author = "Tokpo, Ewoenam Kwaku and Calders, Toon",
            year = "2023",
        }
    """
    PARAMETERS = """
        predictions: For each rewritten text, the probability that a classifier of two attributes
            gives to the attribute of the original text, in [0, 1].
        references: For each original text, the probability that the same classifier gives to the
            same attribute, in [0, 1].
        model: A classifier of two attributes, where predictions and references are the texts: a Hub
            id, a folder, or a tuple of a model and its tokenizer.
        attributes: For texts, the attribute of each original: a class of the model, by name or
            number.
    """
    RETURNS = """
        transfer_accuracy: The percentage of rewritten texts read as the other attribute, in [0,
            100].
        mean_other_probability: The mean probability of the other attribute, in [0, 1].
        base_rate: The percentage of original texts read as the other attribute, in [0, 100].
        ties: How many rewritten texts have a probability of one half; they are not transferred.
        texts: How many texts there are.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> transfer_accuracy = load_metric("transfer_accuracy")
        >>> result = transfer_accuracy.compute(
        ...     predictions=[0.1, 0.2, 0.9, 0.4], references=[0.9, 0.8, 0.7, 0.3]
        ... )
        >>> result["transfer_accuracy"], result["base_rate"]
        (75.0, 25.0)
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        *,
        model: Any = None,
        attributes: base.Rows = None,
        batch_size: int = 32,
        revision: str | None = None,
        device: str | None = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        if are_texts(predictions, model, "predictions"):
            predictions, references = attribute_probabilities(
                {"predictions": predictions, "references": references},
                attributes,
                model,
                batch_size=batch_size,
                revision=revision,
                device=device,
            )
        return asdict(transfer_accuracy(predictions, references, undefined=undefined))
