"""Dataset cards: what was done to a dataset, and the counts before and after. Pure functions."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from fair_datasets.lexicons import name_lexicons

_CITATIONS = """\
- Lu, Mardziel, Wu, Amancharla and Datta (2018), *Gender Bias in Neural Natural Language
  Processing* (counterfactual data augmentation).
- Hall Maudslay, Gonen, Cotterell and Teufel (2019), *It's All in the Name: Mitigating Gender Bias
  with Name-Based Counterfactual Data Substitution* (substitution and the names intervention)."""

_LIMITS = """\
- The rewriting goes by word lists and by neighbouring words. Some terms are missed, and some are
  rewritten where they should not be: read a sample before you train on it.
- Sentences about known people or events become false statements about them."""

_NAMES_LIMIT = """\
- Names speak of gender, ethnicity, age and class at once; first names of men and women are matched
  by frequency and gender specificity, names by race by rank within a gender."""

_GENDER_LIMIT = "- A rewrite between man and woman says nothing about people who are neither."

_GROUPS_LIMIT = """\
- The groups of an axis are those of a census or of published word lists; people are more than
  these, and a swapped word does not change what else a text says about a group."""

_COUNTS_LIMIT = """\
- Equal counts are not fairness. What a model does with the data has to be measured on the model,
  and not only with texts that the same rewriting made."""


class SplitCounts(NamedTuple):
    """What happened to one split.

    Attributes:
        rows_in: Its rows before.
        rows_out: Its rows after.
        rows_changed: The rows that were rewritten.
        mentions_before: Attribute to its number of mentions before.
        mentions_after: The same afterwards.
    """

    rows_in: int
    rows_out: int
    rows_changed: int
    mentions_before: Mapping[str, int]
    mentions_after: Mapping[str, int]


def dataset_card(
    *,
    title: str,
    source: str,
    config: Mapping[str, Any],
    counts: Mapping[str, SplitCounts],
    command: str,
) -> str:
    """Write the card of an augmented dataset.

    Args:
        title: The dataset's name.
        source: What it was made from.
        config: The technique's `config()`.
        counts: Split name to its counts.
        command: The command that makes it again.

    Returns:
        The Markdown text, front matter included.

    Example:
        >>> counts = SplitCounts(2, 3, 1, {"man": 1, "woman": 0}, {"man": 1, "woman": 1})
        >>> card = dataset_card(title="twin", source="reviews.csv", counts={"train": counts},
        ...     config={"technique": "CounterfactualSwap"}, command="fair-datasets augment ...")
        >>> "| train | 2 | 3 | 1 |" in card
        True
    """
    return "\n".join(
        [
            _front_matter(_printable(title)),
            f"# {_escaped(title)}",
            "",
            f"Made from {_code(source)} by `{config['technique']}` of the Python package "
            "`fair-datasets`. The licence and the terms of the source apply to this dataset too.",
            "",
            "## Technique",
            "",
            "```json",
            json.dumps(config, indent=2, ensure_ascii=False),
            "```",
            "",
            "The same again:",
            "",
            _fence(command),
            _printable(command),
            _fence(command).removesuffix("sh"),
            "",
            "## Counts",
            "",
            *_count_lines(counts),
            "",
            "A mention is a word of the lexicon, or a name, that is read as naming the "
            "attribute; neutral words such as *they* or *parent* are not counted.",
            "",
            "## Limits",
            "",
            *_limits(config),
            "",
            "## Citation",
            "",
            _CITATIONS,
            "",
        ]
    )


def _front_matter(title: str) -> str:
    """Write the metadata that the Hub reads.

    The files' names tell load_dataset the splits. Naming them here as well would make it take two
    folders of the same name for one, and return from its cache what lay in the other.
    """
    # JSON is YAML, and quotes whatever a name may contain.
    metadata = {
        "pretty_name": title,
        "tags": ["fair_datasets", "counterfactual-data-augmentation"],
    }
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in metadata.items()]
    return "\n".join(["---", *lines, "---", ""])


def _count_lines(counts: Mapping[str, SplitCounts]) -> list[str]:
    """Write the tables of rows and of mentions."""
    lines = ["| split | rows before | rows after | rows rewritten |", "|---|---|---|---|"]
    lines += [
        f"| {_escaped(split)} | {c.rows_in} | {c.rows_out} | {c.rows_changed} |"
        for split, c in counts.items()
    ]
    lines += ["", "| split | mentions of | before | after |", "|---|---|---|---|"]
    lines += [
        f"| {_escaped(split)} | {_escaped(attribute)} | {before} | {c.mentions_after[attribute]} |"
        for split, c in counts.items()
        for attribute, before in c.mentions_before.items()
    ]
    return lines


def _limits(config: Mapping[str, Any]) -> list[str]:
    """Choose the limits that concern the axis, and the first names where they were read."""
    # The axis of a user may have the attributes of first names as well: their file is then read.
    has_names = any(name in config.get("digests", {}) for name in name_lexicons())
    axis = config.get("parameters", {}).get("axis", [])
    axes = [axis] if isinstance(axis, str) else axis
    has_gender = "first_names" in config.get("digests", {}) or "gender" in axes
    limits = [_LIMITS]
    limits += [_NAMES_LIMIT] if has_names else []
    limits += [_GENDER_LIMIT] if has_gender else []
    limits += [_GROUPS_LIMIT] if any(axis != "gender" for axis in axes) else []
    return [*limits, _COUNTS_LIMIT]


def _escaped(text: str) -> str:
    """Escape what Markdown and HTML would take for markup."""
    text = _printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#|!~" else letter for letter in text)


def _code(text: str) -> str:
    """Write a text as inline code, whatever backticks it contains."""
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{_printable(text)}{pad}{fence}"


def _fence(text: str) -> str:
    """Return the line that opens a block of shell code, whatever backticks the code contains."""
    return "`" * max(3, _longest_run(text) + 1) + "sh"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in a text."""
    runs = "".join(letter if letter == "`" else " " for letter in text).split()
    return max(map(len, runs), default=0)


def _printable(text: str) -> str:
    """Replace line breaks and control characters, which would end a line or break YAML."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
