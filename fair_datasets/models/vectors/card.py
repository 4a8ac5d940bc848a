"""The card of a demographic direction that is published by itself."""

from typing import TYPE_CHECKING

from fair_datasets.cards.markdown import code, code_block, escaped, front_matter, json_block, table

if TYPE_CHECKING:
    from fair_datasets.models.vectors.direction import DemographicDirection


def direction_card(direction: "DemographicDirection", *, name: str) -> str:
    """Write the card of a direction.

    Args:
        name: The folder in which it lies, or its name on the Hub.
    """
    negative, positive = direction.poles
    figures = {
        "axis": direction.axis,
        "negative end": negative,
        "positive end": positive,
        "numbers": str(direction.width),
        "variance of the pairs that it explains": f"{direction.explained_variance:.1%}",
        "mean cosine of all words with it": f"{direction.offset:+.3f}",
    }
    if direction.baseline is not None:
        figures["variance that random pairs explain"] = f"{direction.baseline:.1%}"
    loading = [
        "from fair_datasets import BiasScore",
        "from fair_datasets.models import DemographicDirection",
        "",
        f'direction = DemographicDirection.from_pretrained("{name}")',
    ]
    tags = ["fair_datasets", "bias-score"]
    lines = [
        front_matter({"library_name": "fair_datasets", "tags": tags}),
        f"# {escaped(name)}",
        "",
        *code_block(loading, "python"),
        "",
        f"A direction from {code(negative)} to {code(positive)} in a space of vectors, for the "
        f"{code('BiasScore')} of the Python package {code('fair-datasets')}. It holds no code.",
        "",
        "## Figures",
        "",
        *table(["figure", "value"], [[key, escaped(value)] for key, value in figures.items()]),
        "",
        "## Limits, and what not to conclude",
        "",
        "- It works only with the vectors or the encoder that it was made from.",
        "- It says what pairs of words or sentences have in common in one space of vectors, and "
        "has two ends; people are not on a line between them.",
        "- If random pairs explain nearly as much, or the mean cosine is far from 0, scores say "
        "more about the vectors than about the texts.",
        "",
        "## Provenance",
        "",
        *json_block(dict(direction.provenance)),
        "",
    ]
    return "\n".join(lines)
