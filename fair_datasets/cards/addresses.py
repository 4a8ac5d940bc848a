"""How to load what a card is about: a few lines of code at its top, and again once it has moved."""

import json
import re
from collections.abc import Mapping, Sequence

from fair_datasets.cards.markdown import code_block

_PIPELINES = (
    "feature-extraction",
    "fill-mask",
    "text-classification",
    "text-generation",
    "token-classification",
    "zero-shot-classification",
)
_DATASET = re.compile(r"^dataset = load_dataset\(.*\)  # this dataset$", re.MULTILINE)
_MODEL = re.compile(
    r'^(model = pipeline\("[^"\n]*", model=|vectors = sentence_vectors\(texts, '
    r'|rewrite = ModelRewrite\(columns="text", control=".*", model=).*\)  # this model$',
    re.MULTILINE,
)
_REPRODUCE = re.compile(
    r'^for technique in reproduce\("README\.md"(?:, config_name="[^"\n]*")?', re.MULTILINE
)


def dataset_lines(name: str) -> list[str]:
    r"""Write how to load a dataset.

    Example:
        >>> print(*dataset_lines("ada/reviews"), sep="\n")
        ```python
        from datasets import load_dataset
        <BLANKLINE>
        dataset = load_dataset("ada/reviews")  # this dataset
        ```
    """
    call = _load_dataset(name, None, None)
    return code_block(["from datasets import load_dataset", "", call], "python")


def model_lines(task: str, name: str) -> list[str]:
    r"""Write how to load a model of transformers.

    Example:
        >>> print(*model_lines("text-classification", "ada/fair-reviews"), sep="\n")
        ```python
        from transformers import pipeline
        <BLANKLINE>
        model = pipeline("text-classification", model="ada/fair-reviews")  # this model
        ```
    """
    if task not in _PIPELINES:
        return []
    call = f"model = pipeline({_quoted(task)}, model={_quoted(name)})  # this model"
    return code_block(["from transformers import pipeline", "", call], "python")


def encoder_lines(name: str) -> list[str]:
    r"""Write how to load a sentence encoder of this package.

    Example:
        >>> print(*encoder_lines("ada/encoder"), sep="\n")
        ```python
        from fair_datasets.scores.embeddings import sentence_vectors
        <BLANKLINE>
        texts = ["The nurse left.", "It rained."]
        vectors = sentence_vectors(texts, "ada/encoder")  # this model
        ```
    """
    lines = [
        "from fair_datasets.scores.embeddings import sentence_vectors",
        "",
        'texts = ["The nurse left.", "It rained."]',
        f"vectors = sentence_vectors(texts, {_quoted(name)})  # this model",
    ]
    return code_block(lines, "python")


def rewriter_lines(name: str, control: str) -> list[str]:
    """Write how to rewrite a dataset by a model that writes.

    Example:
        >>> rewriter_lines("ada/fair", "plain")[3]
        'rewrite = ModelRewrite(columns="text", control="plain", model="ada/fair")  # this model'
    """
    call = f'rewrite = ModelRewrite(columns="text", control={_quoted(control)}, '
    lines = [
        "from fair_datasets import ModelRewrite",
        "",
        f"{call}model={_quoted(name)})  # this model",
        "dataset = rewrite.apply(dataset)",
    ]
    return code_block(lines, "python")


_APPLYING = ("    dataset = technique.apply(dataset)",)
_LEAVING = """\
    for split, rows in dataset.items():
        if split in {left}:
            features = technique.features(rows.features)
            dataset[split] = rows.map(technique.leave, batched=True, features=features)
        else:
            dataset[split] = technique.apply(rows)"""


def reproduce_lines(
    reading: Sequence[str],
    allow: Sequence[str],
    classes: Mapping[str, str] | None = None,
    left: Sequence[str] = (),
) -> list[str]:
    r"""Write how to apply the techniques of a card again.

    Args:
        reading: The lines of Python that give `dataset`, what they were applied to; none where
            they are not known.

    Example:
        >>> print(*reproduce_lines(["dataset = ..."], [], {"Formal": "formal"}), sep="\n")
        from fair_datasets.technique import reproduce
        from formal import Formal
        dataset = ...
        for technique in reproduce("README.md", techniques=[Formal]):
            dataset = technique.apply(dataset)
    """
    classes = classes or {}
    techniques = f", techniques=[{', '.join(classes)}]" if classes else ""
    return [
        "from fair_datasets.technique import reproduce",
        *import_lines(classes),
        *(reading or ["", "# dataset: what it was made from"]),
        f'for technique in reproduce("README.md"{_allowed(allow)}{techniques}):',
        *(_LEAVING.format(left=list(left)).splitlines() if left else _APPLYING),
    ]


def import_lines(classes: Mapping[str, str]) -> list[str]:
    """Write how classes are imported.

    Example:
        >>> import_lines({"Formal": "formal"})
        ['from formal import Formal']
    """
    return [f"from {module} import {name}" for name, module in classes.items()]


def technique_call(name: str, allow: Sequence[str], kind: str = "Technique") -> str:
    """Write the call that loads a technique.

    Example:
        >>> print(technique_call("ada/swap", ["en_core_web_sm"]))
        technique = Technique.from_pretrained("ada/swap", allow=["en_core_web_sm"])
    """
    return f"technique = {kind}.from_pretrained({_quoted(name)}{_allowed(allow)})"


def addressed_dataset(card: str, name: str, config_name: str, revision: str | None = None) -> str:
    """Write anew how a dataset is loaded, and its techniques, where a card states it."""
    call = _load_dataset(name, None if config_name == "default" else config_name, revision)
    card = _DATASET.sub(lambda _: call, card)
    # A later configuration of the repository must not make the call ambiguous.
    named = f'for technique in reproduce("README.md", config_name={_quoted(config_name)}'
    return _REPRODUCE.sub(lambda _: named, card)


def addressed_model(card: str, name: str) -> str:
    """Write anew how a model is loaded, where a card states it.

    Example:
        >>> card = 'model = pipeline("fill-mask", model="out")  # this model'
        >>> print(addressed_model(card, "ada/fair"))
        model = pipeline("fill-mask", model="ada/fair")  # this model
    """
    return _MODEL.sub(lambda found: f"{found[1]}{_quoted(name)})  # this model", card)


def _load_dataset(name: str, config_name: str | None, revision: str | None) -> str:
    """Write the call that loads a dataset."""
    arguments = [_quoted(name)]
    arguments += [] if config_name is None else [_quoted(config_name)]
    arguments += [] if revision is None else [f"revision={_quoted(revision)}"]
    return f"dataset = load_dataset({', '.join(arguments)})  # this dataset"


def _allowed(names: Sequence[str]) -> str:
    return f", allow=[{', '.join(map(_quoted, names))}]" if names else ""


def _quoted(text: str) -> str:
    """Write a string as Python and JSON do."""
    return json.dumps(text, ensure_ascii=False)
