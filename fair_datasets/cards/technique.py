"""The card of what is published by itself: a technique, or an invertible flow."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.cards.addresses import import_lines, technique_call
from fair_datasets.cards.markdown import code, code_block, escaped, front_matter, json_block, table
from fair_datasets.cards.statements import citation_lines, code_lines, limit_lines, technique_lines
from fair_datasets.technique.configurations import external_names
from fair_datasets.technique.portable import is_published, portable


def technique_card(
    config: Mapping[str, Any], *, name: str, classes: Mapping[str, str] | None = None
) -> str:
    """Write the card of a technique.

    Args:
        config: What its `config()` returned.
        name: The folder in which it lies, or its name on the Hub.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> card = technique_card(CounterfactualSwap(columns="text").config(), name="ada/swap")
        >>> 'technique = Technique.from_pretrained("ada/swap")' in card
        True
    """
    config = portable(config)
    kind, configs = str(config["technique"]), [config]
    names = external_names(config["parameters"])
    allow = [each for each in names if not is_published(each)]
    tags = ["fair_datasets", "counterfactual-data-augmentation"]
    loading = [
        *import_lines(classes or {"Technique": "fair_datasets.technique"}),
        "",
        technique_call(name, allow, kind if classes else "Technique"),
        "dataset = technique.apply(dataset)",
    ]
    lines = [
        front_matter({"library_name": "fair_datasets", "tags": tags}),
        f"# {escaped(name)}",
        "",
        *code_block(loading, "python"),
        "",
        f"A {code(kind)} of the Python package `fair-datasets`, to be applied to a dataset: a "
        "configuration, with your own word lists and weights that it reads. It holds no code.",
        *code_lines(classes or {}),
    ]
    parts = {
        "Technique": technique_lines(configs),
        "Limits, and what not to conclude": limit_lines(configs),
        "Citation": citation_lines(configs),
    }
    for heading, content in parts.items():
        lines += ["", f"## {heading}", "", *content]
    return "\n".join([*lines, ""])


def flow_card(
    attributes: Sequence[str],
    shape: Mapping[str, Any],
    provenance: Mapping[str, Any],
    *,
    name: str,
) -> str:
    """Write the card of a flow.

    Args:
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
