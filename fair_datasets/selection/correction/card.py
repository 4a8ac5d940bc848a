"""The card of a corrected corpus: what was done, with how many rows, and what that does not say."""

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from fair_datasets.cards.dataset import dataset_front_matter
from fair_datasets.cards.markdown import code, code_block, dataset_lines, escaped
from fair_datasets.cards.report import markdown_table
from fair_datasets.cards.statements import (
    citation_lines,
    family_lines,
    licence_lines,
    limit_lines,
    technique_lines,
)
from fair_datasets.scores.bias.bias_score import BiasScore, direction_notes
from fair_datasets.scores.bias.parts import FEW_KNOWN
from fair_datasets.selection.correction.corpus import correct
from fair_datasets.selection.correction.settings import KINDS, Corrected
from fair_datasets.system.portable import EXTERNAL, portable, strip_all_folders, strip_folders

LEGEND = """\
`above`: the score is strictly above the threshold. `rewritten`: those of them that got a swapped \
copy or were replaced by it. `unchanged`: those in which there is nothing to swap. `unscored` rows \
lack a text and are kept; `unlabelled` ones were left out first."""

_IMPORT = ("from fair_datasets.selection import correct",)
_USUAL = {
    name: parameter.default
    for name, parameter in signature(correct).parameters.items()
    if parameter.default is not parameter.empty
} | {"axis": "gender"}
_OURS = "This correction is the package's own, not the paper's."
_LIMITS = (
    "- The scores do not say that a row is harmful, and rows below the threshold are not free of "
    "stereotypes.",
    "- To see what a correction does, train a model on the rows, and test it on data that the "
    "same score did not choose.",
)


def corrected_card(
    result: Corrected,
    *,
    title: str,
    source: str,
    command: str,
    settings: Mapping[str, Any],
    reading: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
) -> str:
    """Write the card of a corrected corpus.

    Example:
        >>> from datasets import Dataset
        >>> from fair_datasets.selection import correct
        >>> rows = Dataset.from_dict({"text": ["He ran.", "Rain."], "bias_score": [0.4, 0.1]})
        >>> settings = {"columns": "text", "correction": "Sub50"}
        >>> card = corrected_card(correct(rows, **settings), settings=settings, title="Sub50",
        ...     source="rows.csv", command="fair-datasets correct rows.csv ...")
        >>> "1 of 2 rows is above 0.25" in card
        True
    """
    configs = [portable(technique.config()) for technique in result.techniques]
    tags = ["data-selection"]
    tags += ["counterfactual-data-augmentation"] if result.correction.kind != "Sub" else []
    size = sum(result.rows.values())
    sections: Sequence[str] = [
        dataset_front_matter(title, metadata or {}, size, tags),
        f"# {escaped(title)}",
        "\n".join(dataset_lines(title)),
        f"Made from {code(strip_folders(source))} by the correction "
        f"{code(result.correction.name)} of the Python package `fair-datasets`: "
        f"{KINDS[result.correction.kind]}.{'' if _is_published(result) else f' {_OURS}'}",
        *filter(None, family_lines(configs)),
        *licence_lines(metadata or {}, kind="dataset"),
        *sentences(result),
        *(f"> **Warning.** {doubt}" for doubt in correction_warnings(result)),
        *_divided(settings),
        "## Counts",
        markdown_table(count_rows(result)),
        LEGEND,
        "## How to make it again",
        "\n".join(code_block([command], "sh")),
        "Or in Python:",
        "\n".join(code_block([*_IMPORT, *reading, *_call(settings)], "python")),
        "## Techniques",
        "\n".join(technique_lines(configs)),
        "## Limits, and what not to conclude",
        "\n".join([*_LIMITS, *limit_lines(configs)]),
        "## Citation",
        "\n".join(citation_lines(configs)),
    ]
    return "\n\n".join(sections) + "\n"


def count_rows(result: Corrected) -> list[dict[str, Any]]:
    """Return the counts as the rows of a table."""
    summary = result.summary()
    rows = [{"split": name, **counts} for name, counts in summary["splits"].items()]
    return rows if len(rows) == 1 else [*rows, {"split": "all", **summary["total"]}]


def sentences(result: Corrected) -> list[str]:
    """Return where the threshold lies, and what became of the highest score."""
    total = result.total
    labelled = total.rows_before - total.unlabelled
    is_one = total.above == 1
    lines = [
        f"{total.above:,} of {labelled:,} rows {'is' if is_one else 'are'} above "
        f"{result.threshold:.6g}, percentile {result.correction.percentile:.12g} of all scores."
    ]
    if result.word_threshold is not None:
        lines.append(
            f"A word is among the most biased where its part is above {result.word_threshold:.6g}."
        )
    after = "not known" if result.highest_after is None else f"{result.highest_after:.6g}"
    lines.append(f"The highest score was {result.highest_before:.6g}; it is now {after}.")
    if result.coverage is not None:
        lines.append(f"{result.coverage:.1%} of the words have a vector or are listed.")
    for step in result.techniques:
        if isinstance(step, BiasScore):
            lines += direction_notes(step)
    return lines


def correction_warnings(result: Corrected) -> list[str]:
    """Return warnings where a correction has little or nothing to go by."""
    lines = []
    if not result.total.above:
        lines.append(f"No row is above {result.threshold:.6g}: there was nothing to correct.")
    if result.coverage is not None and result.coverage < FEW_KNOWN:
        lines.append(
            f"Only {result.coverage:.0%} of the words have a vector or are listed, and the scores "
            "say nothing about the others; give vectors of the texts' language and kind."
        )
    return lines


def _is_published(result: Corrected) -> bool:
    """Whether a correction is one of the paper, but for the percentile."""
    return result.correction.kind in ("Sub", "Aug")


def _divided(settings: Mapping[str, Any]) -> list[str]:
    sizes = settings.get("sizes") or {}
    if not sizes:
        return []
    summary = ", ".join(
        (f"{size:,} row{'s' * (size != 1)}" if size >= 1 else f"{size * 100:.6g}% of them")
        + f" for {escaped(name)}"
        for name, size in sizes.items()
    )
    how = (
        "rows with the same first text, before or after the correction, are in one split"
        if settings.get("group_split", True)
        else "row by row, so that a row and its copy can be in two splits"
    )
    return [f"All rows were pooled and divided anew ({summary}, the rest to train on): {how}."]


def _placeless(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Take the folders of this machine out of what settings name."""
    return {
        name: strip_all_folders(value) if name in EXTERNAL else value
        for name, value in settings.items()
    }


def _call(settings: Mapping[str, Any]) -> list[str]:
    """Write the call that corrects the same rows again, without the folders of this machine."""
    given = {
        name: value
        for name, value in settings.items()
        if value not in (None, (), {}) and value != _USUAL.get(name)
    }
    given = _placeless(given)
    if "swap" in given:
        given["swap"] = _placeless(given["swap"])
    lines = [f"    {name}={value!r}," for name, value in given.items()]
    return ["", "found = correct(", "    dataset,", *lines, ")", "dataset = found.dataset"]
