"""The tables of an evaluation of encoders, as rows, as Markdown and as data for JSON."""

from collections.abc import Sequence
from typing import Any

from fair_datasets.cards.markdown import code_block, escaped
from fair_datasets.cards.report import markdown_table
from fair_datasets.evaluation.encoders.evaluation import EncoderEvaluation

LEGEND = """\
Means over n encoders of one name; where there are several, in brackets the 95% t-interval."""

ASSOCIATIONS = """\
Effect sizes of SEAT, between -2 and 2. Positive: the first targets (in C6 to C8: men, careers,
mathematics, science) go with the first attributes; what counts is the distance from 0, and below 0
is not better than 0. * in all n encoders the one-sided p-value is below 0.05, adjusted by Holm's
method over the tests of one encoder. C1 and C2 have nothing to do with gender: a correction should
leave them. The gender mean is that of the gender tests among these, signed. Each word stands in
several sentences, which are not independent: the p-values are too small. The tests depend on their
words and sentences; no star is no proof that there is no bias, and a small effect says nothing of
how a system treats people."""

TASKS = """\
Linear probes on the vectors as they are, measured on the test rows; the penalty was chosen on the
validation rows. The baseline of accuracy is the commonest class of the training rows; a constant
has no correlation."""


def comparison_rows(found: EncoderEvaluation, kind: str) -> list[dict[str, str]]:
    """Return one row for each test and measure, with the encoders beside each other.

    Returns:
        The test, for tasks the measure and the baseline, and the mean of each encoder; a dash
        where there is none.
    """
    rows: dict[tuple[str, str], dict[str, str]] = {}
    means = [row for row in found.means if row["kind"] == kind]
    seeds = {row["encoder"]: row["seed"] + 1 for row in found.rows}
    for mean in means:
        test, measure = mean["test"], mean["measure"]
        row = rows.setdefault((test, measure), {"test": test})
        if kind == "task":
            row |= {"measure": measure, "baseline": _number(mean["baseline"])}
        row[f"{mean['encoder']}, n = {seeds[mean['encoder']]}"] = _cell(
            mean, seeds[mean["encoder"]]
        )
    return list(rows.values())


def missing_lines(found: EncoderEvaluation) -> list[str]:
    """Say which values are missing and why, and which words were left out."""
    of: dict[tuple[str, str], dict[str, None]] = {}
    for row in found.rows:
        if row["reason"]:
            said = f"no value, as {row['reason']}"
        elif row["left_out"]:
            said = f"without a vector, left out: {', '.join(row['left_out'])}"
        else:
            continue
        of.setdefault((row["test"], said), {})[row["encoder"]] = None
    every = len({row["encoder"] for row in found.rows})
    return [
        f"{'all encoders' if 1 < len(names) == every else ', '.join(names)}, {test}: {said}."
        for (test, said), names in of.items()
    ]


def evaluation_report(
    found: EncoderEvaluation,
    *,
    title: str = "Encoders of sentences",
    command: str | None = None,
    picture: str | None = None,
) -> str:
    """Write an evaluation as Markdown.

    Returns:
        The text.

    Example:
        >>> from fair_datasets.evaluation.encoders import evaluate_encoders
        >>> letters = lambda texts: [[text.count(letter) for letter in "aehn"] for text in texts]
        >>> print(evaluation_report(evaluate_encoders({"letters": letters}, tests=["C6"])))
        # Encoders of sentences
        <BLANKLINE>
        Means over n ...
    """
    parts = [f"# {escaped(title)}", LEGEND]
    if picture:
        parts.append(f"![Effect sizes and probes of each encoder]({picture})")
    for kind, heading, legend in (
        ("association", "Associations", ASSOCIATIONS), ("task", "Tasks", TASKS),
    ):  # fmt: skip
        rows = comparison_rows(found, kind)
        if rows:
            shown = [{escaped(key): escaped(cell) for key, cell in row.items()} for row in rows]
            parts += [f"## {heading}", markdown_table(shown), legend]
    missing = missing_lines(found)
    if missing:
        parts += ["## What is missing", "\n".join(f"- {escaped(line)}" for line in missing)]
    if command:
        parts += ["## Made by", "\n".join(code_block([command], "sh"))]
    return "\n\n".join(parts) + "\n"


def plain_evaluation(found: EncoderEvaluation) -> dict[str, list[dict[str, Any]]]:
    """Write an evaluation as data for JSON."""
    return {"rows": found.rows.to_list(), "means": found.means.to_list()}


def _cell(mean: dict[str, Any], seeds: int) -> str:
    """Write a mean, with its interval and how many values it is of if some are missing."""
    if not mean["n"]:
        return _number(None)
    parts: Sequence[str] = [_number(mean["mean"])]
    if mean["significant"] == mean["n"]:
        parts = [f"{parts[0]}*"]
    if mean["low"] is not None:
        parts = [*parts, f"[{mean['low']:.3f}, {mean['high']:.3f}]"]
    if mean["n"] < seeds:
        parts = [*parts, f"(n = {mean['n']})"]
    return " ".join(parts)


def _number(value: float | None) -> str:
    """Write a number, or a dash where there is none."""
    return "-" if value is None else f"{value:.3f}"
