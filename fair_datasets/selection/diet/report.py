"""The card of a diet: what was chosen, by what, how it compares, and what that does not say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fair_datasets.cards.addresses import dataset_lines
from fair_datasets.cards.dataset import dataset_front_matter
from fair_datasets.cards.markdown import code, code_block, escaped, json_block
from fair_datasets.cards.report import markdown_table
from fair_datasets.cards.statements import licence_lines
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.diet.diet import DietResult
from fair_datasets.selection.diet.labels import classes_of
from fair_datasets.selection.diet.summary import LEGEND, cell_rows, compared_rows, result_rows
from fair_datasets.selection.diet.verdict import verdict
from fair_datasets.selection.objectives import OBJECTIVES
from fair_datasets.technique.portable import all_without_folders, without_folders

_LIMITS = """\
- Rows were chosen on the validation rows; test rows and templates were only measured.
- On validation and test rows the groups are the texts as they are and the same texts swapped, by
  the swap that made the training rows: this flatters every method that trains on swapped rows.
- None of these figures tells how people of a group are treated.
- A classifier that gives every text the same class is at parity in all of them, and its AUC need
  not show it.
- Figures that are close to parity leave little to choose by. Look at the deviation over the seeds
  before calling one method fairer than another.
- The rows were scored by probes of one kind; for another classifier they are another choice."""

_TEMPLATE_LIMITS = """\
- Templates are far from real text. Their classes are non-toxic (0) and toxic (1): where class 1 of
  the data is something else, their AUC, EqOpp and EqOdd say nothing."""

_GENDER_LIMITS = """\
- A rewrite between man and woman says nothing about people who are neither."""

_PICTURE = ("![AUC and measures of fairness on the validation rows](trade-off.svg)",)

_FILES = ("axis", "pipeline", "reader")

_CITATION = """\
- Zayed, Parthasarathi, Mordido, Palangi, Shabanian and Chandar (2023), *Deep Learning on a Healthy
  Data Diet: Finding Important Examples for Fairness*, AAAI."""


def diet_report(
    found: DietResult,
    config: DietConfig,
    *,
    title: str,
    source: str,
    model: str,
    head: str | None = None,
    command: str,
    rows: Mapping[str, int],
    is_divided: bool,
    metadata: Mapping[str, Any] | None = None,
    has_picture: bool = True,
) -> str:
    """Write the card of a diet.

    Args:
        found: What `healthy_diet` returned.
        head: What was trained on its sentence vectors, where it stayed as it is.
        rows: The number of rows of each split.
        metadata: What the card takes over from the source, such as its licence.
        has_picture: Whether `trade-off.svg` lies beside the card.
    """
    # Where files lie on this machine is nobody's business.
    read = {name: all_without_folders(getattr(config, name)) for name in _FILES}
    config = replace(config, axis=read["axis"])
    source = without_folders(source)
    on = f"a {code(head)} head on the sentence vectors of " if head else ""
    classifier = f"{on}{code(without_folders(model))}"
    tags = ["counterfactual-data-augmentation", "data-selection"]
    sections = [
        dataset_front_matter(title, metadata or {}, len(found.dataset or ()), tags),
        f"# {escaped(title)}",
        *(["\n".join(dataset_lines(title))] if found.chosen is not None else []),
        f"Made from {code(source)} by the healthy data diet of the Python package "
        f"`fair-datasets`, with {classifier} as the classifier.",
        *licence_lines(metadata or {}, kind="dataset"),
        _choice(found, config),
        _splits(rows, is_divided, found, config),
        *_taken_over(found),
        "To make it again:",
        "\n".join(code_block([command], "sh")),
        *_results(found),
        *(_PICTURE if has_picture else ()),
        *_searches(found),
        "## Settings",
        "\n".join(json_block(config.settings() | read)),
        "## Limits, and what not to conclude",
        "\n".join(_limits(found, config)),
        "## Citation",
        _CITATION,
    ]
    return "\n\n".join(sections) + "\n"


def _limits(found: DietResult, config: DietConfig) -> Sequence[str]:
    """Say what the figures do not tell, of the rows and the axis that there are."""
    lines = [_LIMITS]
    if set(found.results[0].mean) - {"validation", "test"}:
        lines.append(_TEMPLATE_LIMITS)
    if config.axis == "gender":
        lines.append(_GENDER_LIMITS)
    return lines


def _choice(found: DietResult, config: DietConfig) -> str:
    """Say which rows were chosen."""
    if found.chosen is None:
        return f"**No rows were chosen.** {verdict(found)}"
    pairs = len(found.scored)
    return (
        f"Of {pairs:,} pairs of a row and its counterfactual on the axis {code(config.axis)}, "
        f"{found.chosen['a']:.0%} of the rows and {found.chosen['b']:.0%} of the counterfactuals "
        f"are kept, by the ranking `{found.ranking}`: of the shares whose AUC falls by at most "
        f"{config.max_auc_drop:g} % on the validation rows, those with the best "
        f"{OBJECTIVES[found.optimise].title}. The column `counterfactual` tells them apart and "
        f"`family_id` joins them: rows of one belong in one split.\n\n**{verdict(found)}**"
    )


def _splits(
    rows: Mapping[str, int], is_divided: bool, found: DietResult, config: DietConfig
) -> str:
    """Say on how many rows was trained, chosen and tested, where they are from, and the classes."""
    origin = (
        f"drawn from one split with the seed {config.seed}" if is_divided else "as the source has"
    )
    counts = ", ".join(f"{count:,} {name}" for name, count in rows.items())
    classes = escaped(classes_of(found.scored.features, config.label))
    return f"The rows before the choice, {origin}: {counts}. {classes}".strip()


def _taken_over(found: DietResult) -> Sequence[str]:
    """Say which scores were not computed here."""
    if not found.taken_over:
        return ()
    columns = ", ".join(map(code, found.taken_over))
    return (f"Scores that the training rows had already, taken over as they are: {columns}.",)


def _results(found: DietResult) -> Sequence[str]:
    """Write a table of all methods for each kind of rows."""
    names: dict[str, Any] = {
        "validation": "## On the validation rows, texts against their counterfactuals",
        "test": "## On the test rows, texts against their counterfactuals",
    }
    lines = []
    for rows in found.results[0].mean:
        lines.append(names.get(rows, f"## On the {rows}, by group"))
        lines += [compared_rows(found, rows)] if rows in names else []
        lines.append(markdown_table(result_rows(found.results, rows)))
    return [*lines, LEGEND]


def _searches(found: DietResult) -> Sequence[str]:
    """Write the grid of each ranking."""
    lines = []
    for ranking, search in found.searches.items():
        cells = markdown_table(cell_rows(search.table, search.optimise))
        lines += [f"## The search of `{ranking}`", cells]
    return lines
