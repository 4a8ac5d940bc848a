"""The card of a technique that is published by itself."""

from collections.abc import Mapping
from typing import Any

from fair_datasets.cards.addresses import import_lines, technique_call
from fair_datasets.cards.markdown import code, code_block, escaped, front_matter
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
        classes: Its class to its module, where no package registers it.

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
