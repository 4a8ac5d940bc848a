"""How often a rewritten text is read as another attribute than the original, for `evaluate`."""

from typing import Any

from fair_datasets.measures import base, rewrites
from fair_datasets.measures.inputs import Rows, Undefined
from fair_datasets.scores.classifiers import attribute_probabilities
from fair_datasets.scores.likelihoods import are_texts


def of_texts(
    predictions: Any,
    references: Any,
    *,
    model: Any = None,
    attributes: Rows = None,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
    undefined: Undefined = "nan",
) -> rewrites.TransferAccuracy:
    """Measure the accuracy of texts, or of what a classifier said of them.

    Args:
        predictions: For each rewritten text, the probability that a classifier of two attributes
            gives to the attribute of the original text, in [0, 1].
        references: For each original text, the probability that the same classifier gives to the
            same attribute, in [0, 1].
        model: A classifier of two attributes, where predictions and references are the texts: a Hub
            id, a folder, or a tuple of a model and its tokenizer.
        attributes: For texts, the attribute of each original: a class of the model, by name or
            number.
    """
    if are_texts(predictions, model, "predictions"):
        texts = {"predictions": predictions, "references": references}
        predictions, references = attribute_probabilities(
            texts, attributes, model, batch_size=batch_size, revision=revision, device=device
        )
    return rewrites.transfer_accuracy(predictions, references, undefined=undefined)


@base.computes(of_texts, "predictions", "references")
class TransferAccuracy(base.Metric):
    """The percentage of rewritten texts in which a classifier finds another attribute than before.

    A classifier of attributes reads them. Beside it stands the same percentage for the original
    texts, the error of the classifier. Higher is better.
    """
