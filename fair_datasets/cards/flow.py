"""The card of an invertible flow that is published by itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.cards.markdown import code, code_block, escaped, front_matter, json_block, table


def flow_card(
    attributes: Sequence[str],
    shape: Mapping[str, Any],
    provenance: Mapping[str, Any],
    *,
    name: str,
) -> str:
    """Write the card of a flow.

    Args:
        provenance: What it was trained on and how, as JSON data.
        name: The folder in which it lies, or its name on the Hub.

    Example:
        >>> "# flow" in flow_card(["woman", "man"], {"width": 2}, {}, name="flow").splitlines()
        True
    """
    first, second = map(code, attributes)
    loading = [
        "from fair_datasets.rewriters.fairflow import AttributeFlow",
        "",
        f'flow = AttributeFlow.from_pretrained("{name}")',
    ]
    lines = [
        front_matter({"library_name": "fair_datasets", "tags": ["fair_datasets", "fairflow"]}),
        f"# {escaped(name)}",
        "",
        *code_block(loading, "python"),
        "",
        f"An invertible flow that sets what tells {first} from {second} apart in the states of an "
        f"encoder's last layer, made by {code('fair-datasets build-lexicon')}. It holds no code.",
        "",
        "## Figures",
        "",
        *table(["figure", "value"], [[key, escaped(str(value))] for key, value in shape.items()]),
        "",
        "## Limits, and what not to conclude",
        "",
        "- It works only with the encoder whose states it was trained on.",
        "- It knows two attributes, as they appear beside some words in one corpus; people are not "
        "of two kinds.",
        "- The lexicon that it makes is a draft for people to review.",
        "",
        "## Provenance",
        "",
        *json_block(dict(provenance)),
        "",
    ]
    return "\n".join(lines)
