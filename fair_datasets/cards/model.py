"""The card of a model that was trained on augmented data, or of a sentence encoder."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fair_datasets.cards.markdown import front_matter, json_block
from fair_datasets.cards.statements import Configs, Measured, as_configs
from fair_datasets.cards.templates import rendered
from fair_datasets.system.portable import external_names, is_published, portable, strip_folders

_LIBRARY = "transformers"


def model_card(
    *,
    title: str,
    base_model: str,
    training_data: str,
    config: Mapping[str, Any] | Configs = (),
    command: str | Sequence[str] = (),
    task: str = "text-classification",
    metadata: Mapping[str, Any] | None = None,
    measured: Sequence[Measured] = (),
    sections: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """Write the card of a model that was trained on augmented data.

    It says how to load the model by its title, if it is one of transformers or an encoder of this
    package; `push_model` writes there how to load it from the Hub. Of files that lie
    elsewhere than below the working folder it names the last part of the path.

    Args:
        config: The `config()` of the technique that made the training data, or of several in
            order.
        command: The command that trains it again, or several in order.
        task: The Hub's name of its task.
        metadata: What else the Hub is to read: `license`, and `base_model` and `datasets` where
            they are ids of the Hub.
        measured: The measures of this model, and of the one that it is compared with before it.
            Their values after are stated as `model-index`, which the Hub shows beside the card.
        sections: Heading to the lines of Markdown of what else the card says, before the limits.

    Returns:
        The Markdown text, front matter included.

    Example:
        >>> card = model_card(title="m", base_model="bert-base-uncased", training_data="me/cda",
        ...     metadata={"license": "mit"}, measured=[Measured("accuracy", 0.9, data="me/test")])
        >>> "| accuracy |  | 0.9 | me/test |  |" in card
        True
    """
    configs, metadata = [portable(each) for each in as_configs(config)], dict(metadata or {})
    return rendered(
        "model.md.jinja", matter=_front_matter(title, task, metadata, measured), title=title,
        library=metadata.get("library_name", _LIBRARY),
        task=str(metadata.get("pipeline_tag", task)), base_model=strip_folders(base_model),
        training_data=strip_folders(training_data), metadata=metadata, configs=configs,
        commands=[command] if isinstance(command, str) else command, measured=measured,
        sections=sections,
    )  # fmt: skip


def _front_matter(
    title: str, task: str, metadata: Mapping[str, Any], measured: Sequence[Measured]
) -> str:
    """Write the metadata that the Hub reads, the measures as results of the model."""
    tags = list(dict.fromkeys(["fair_datasets", *(metadata.get("tags") or [])]))
    defaults = {"library_name": _LIBRARY, "pipeline_tag": task}
    results = [
        {
            "task": {"type": task},
            # The Hub's schema asks for both.
            "dataset": {"type": m.data or "not stated", "name": m.data or "not stated"},
            "metrics": [{"type": m.name, "value": float(m.after), "name": _named(m)}],
        }
        for m in measured
        # YAML has no number for what is not defined.
        if math.isfinite(m.after)
    ]
    index = {"model-index": [{"name": title, "results": results}]} if results else {}
    return front_matter({**defaults, **metadata, "tags": tags, **index})


def _named(measured: Measured) -> str:
    """Return what the Hub shows as the name of a measure."""
    return f"{measured.name} ({measured.detail})" if measured.detail else measured.name


def encoder_card(provenance: Mapping[str, Any], *, title: str) -> str:
    """Write the card of a sentence encoder."""
    details = dict(provenance)
    command = str(details.pop("command", ""))
    measured = []
    if "accuracy" in details:
        measured = [
            Measured(
                "accuracy",
                details["accuracy"],
                before=details["majority"],
                data="the validation pairs",
                detail="class of a pair; before: the most frequent class",
            )
        ]
    card = model_card(
        title=title,
        base_model=str(details.get("vectors", "unknown vectors")),
        training_data=str(details.get("training_data", "unknown pairs of sentences")),
        command=command,
        task="feature-extraction",
        metadata={"library_name": "fair_datasets", "tags": ["sentence-encoder", "bias-score"]},
        measured=measured,
    )
    return "\n".join([card, "## Training", "", *json_block(details), ""])


def technique_card(
    config: Mapping[str, Any], *, name: str, classes: Mapping[str, str] | None = None
) -> str:
    """Write the card of a technique.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> card = technique_card(CounterfactualSwap(columns="text").config(), name="ada/swap")
        >>> 'technique = Technique.from_pretrained("ada/swap")' in card
        True
    """
    config = portable(config)
    allow = [each for each in external_names(config["parameters"]) if not is_published(each)]
    return rendered(
        "technique.md.jinja", config=config, title=name, allow=allow, classes=classes or {}
    )


def flow_card(
    attributes: Sequence[str],
    shape: Mapping[str, Any],
    provenance: Mapping[str, Any],
    *,
    name: str,
) -> str:
    """Write the card of a flow.

    Example:
        >>> "# flow" in flow_card(["woman", "man"], {"width": 2}, {}, name="flow").splitlines()
        True
    """
    return rendered(
        "flow.md.jinja", title=name, attributes=attributes, shape=shape,
        provenance=dict(provenance),
    )  # fmt: skip
