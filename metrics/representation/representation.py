"""How often a corpus mentions each attribute of a demographic axis, as an `evaluate` module."""

from typing import Any

from fair_datasets.measures import base, inputs
from fair_datasets.measures.inputs import Rows, Undefined
from fair_datasets.measures.representation import Representation as Found
from fair_datasets.measures.representation import representation
from fair_datasets.reader.matching.find import count_terms


def of_texts(
    data: Any,
    *,
    axis: str = "gender",
    names: bool | None = None,
    pipeline: str | None = None,
    reader: str | None = None,
    labels: Rows = None,
    reference: dict[str, float] | None = None,
    undefined: Undefined = "nan",
) -> Found:
    """Count who is mentioned in texts.

    Args:
        labels: A label per text, a string or a whole number.
        reference: Each attribute of the axis to the share that it should have; None for equal
            shares.
    """
    rows = inputs.texts(data, "data")
    attributes, counts = count_terms(rows, axis, names=names, pipeline=pipeline, reader=reader)
    return representation(counts, attributes, labels, reference=reference, undefined=undefined)


@base.computes(of_texts, "data")
class Representation(base.Measurement):
    """How often the texts of a corpus mention each attribute of a demographic axis.

    Counts and shares over all texts and by label, and the distance of the shares from equal ones or
    from those that you give.
    """
