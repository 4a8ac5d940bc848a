"""The card of a model that was trained on augmented data, or of a sentence encoder."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fair_datasets.cards.markdown import (
    card_text,
    code,
    code_block,
    encoder_lines,
    escaped,
    front_matter,
    import_lines,
    json_block,
    model_lines,
    table,
    technique_call,
)
from fair_datasets.cards.statements import (
    Configs,
    Measured,
    as_configs,
    citation_lines,
    code_lines,
    licence_lines,
    limit_lines,
    measured_lines,
    technique_lines,
)
from fair_datasets.system.portable import external_names, is_published, portable, strip_folders

_LIBRARY = "transformers"
_LIMITS = [
    "- The values hold for the data, the groups and the settings that they were measured with. A "
    "small difference between groups there does not show that the model treats people fairly "
    "elsewhere.",
    "- One value is one run: another seed gives another. Measure again on your own data before "
    "you rely on it.",
]


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
    library = metadata.get("library_name", _LIBRARY)
    commands = [command] if isinstance(command, str) else command
    parts = {
        "Techniques that made the training data": technique_lines(configs) if configs else [],
        "How to make it again": code_block(commands, "sh") if commands else [],
        "Measured": measured_lines(measured),
        **sections,
        "Limits, and what not to conclude": [*limit_lines(configs), *_LIMITS],
        "Citation": citation_lines(configs) if configs else [],
    }
    loading = encoder_lines(title) if library == "fair_datasets" else []
    if library == _LIBRARY:
        loading = model_lines(str(metadata.get("pipeline_tag", task)), title)
    lines = [
        *loading,
        *([""] if loading else []),
        f"Trained from {code(strip_folders(base_model))} on {code(strip_folders(training_data))}.",
        *licence_lines(metadata, kind="model"),
    ]
    return card_text(_front_matter(title, task, metadata, measured), title, lines, parts)


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
    matter = front_matter({"library_name": "fair_datasets", "tags": tags})
    return card_text(matter, name, lines, parts)


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
    first, second = map(code, attributes)
    loading = [
        "from fair_datasets.rewriters.fairflow import AttributeFlow",
        "",
        f'flow = AttributeFlow.from_pretrained("{name}")',
    ]
    lines = [
        *code_block(loading, "python"),
        "",
        f"An invertible flow that sets what tells {first} from {second} apart in the states of an "
        f"encoder's last layer, made by {code('fair-datasets build-lexicon')}. It holds no code.",
    ]
    figures = [[key, escaped(str(value))] for key, value in shape.items()]
    parts = {
        "Figures": table(["figure", "value"], figures),
        "Limits, and what not to conclude": [
            "- It works only with the encoder whose states it was trained on.",
            "- It knows two attributes, as they appear beside some words in one corpus; people are "
            "not of two kinds.",
            "- The lexicon that it makes is a draft for people to review.",
        ],
        "Provenance": json_block(dict(provenance)),
    }
    tags = ["fair_datasets", "fairflow"]
    matter = front_matter({"library_name": "fair_datasets", "tags": tags})
    return card_text(matter, name, lines, parts)
