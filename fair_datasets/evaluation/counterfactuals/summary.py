"""The table of an evaluation of versions as Markdown, and as data for JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.cards.markdown import code_block, escaped
from fair_datasets.cards.report import markdown_table
from fair_datasets.evaluation.counterfactuals.evaluation import CounterfactualEvaluation

_HEADINGS = {
    "perplexity": "perplexity",
    "transfer accuracy": "transfer %",
    "mean other probability": "other group",
    "true positive rate difference": "TPRD",
    "absolute true positive rate difference": "size of TPRD",
    "false positive rate difference": "FPRD",
    "absolute false positive rate difference": "size of FPRD",
    "accuracy": "accuracy",
    "F1": "F1",
}
LEGEND = """\
Means over seeds, with the standard deviation behind ± where there are several. Perplexity and
transfer are of the rewritten texts alone, everything else of what is trained on originals and
rewritten texts together (on a version in place of the originals: on that alone)."""
TEXTS = """\
Perplexity: the exponential of the mean over texts of their loss per token; lower is more fluent to
that language model. Transfer: how many texts a classifier reads as another group than that of their
originals, in percent, and beside it the mean probability of the other group; the originals' own
value is the error of that classifier."""
RATES = """\
TPRD and FPRD: the true and the false positive rate of {first} less those of {second}; what counts
is the distance from 0, whose mean stands beside, and below 0 is not better than 0."""
WORDS = """\
WEAT: the sum of the associations of the first targets less that of the second, and its effect size
between -2 and 2, at the size of the word2vec vectors behind it; what counts is the distance from 0.
The test depends on its words, and vectors of a small corpus follow chance more than words: compare
the differences between versions with those between seeds."""


def comparison_rows(found: CounterfactualEvaluation, *, words: bool) -> list[dict[str, str]]:
    """Return one row for each version, with the measures beside each other.

    Args:
        words: Whether to give the association of words; else all other measures.
    """
    rows: dict[str, dict[str, str]] = {}
    for mean in found.means:
        if (mean["measure"] not in _HEADINGS) is words:
            row = rows.setdefault(mean["version"], {"version": mean["version"]})
            row[_HEADINGS.get(mean["measure"], mean["measure"])] = _cell(mean)
    return list(rows.values())


def note_lines(found: CounterfactualEvaluation) -> list[str]:
    """Say which values are missing and why, which texts were skipped, and which words left out."""
    of: dict[str, dict[str, None]] = {}
    for row in found.rows:
        said = []
        if row["reason"]:
            said.append(f"no {row['measure']}, as {row['reason']}")
        if row["skipped"]:
            what = row["measure"] if row["measure"] == "perplexity" else "all else"
            said.append(f"{row['skipped']:,} texts too short for {what} were skipped")
        if row["left_out"]:
            said.append(f"too rare for a vector, left out: {', '.join(row['left_out'])}")
        for each in said:
            of.setdefault(each, {})[row["version"]] = None
    return [f"{', '.join(versions)}: {said}." for said, versions in of.items()]


def counterfactual_report(
    found: CounterfactualEvaluation,
    *,
    title: str = "Versions of a corpus",
    command: str | None = None,
) -> str:
    """Write an evaluation as Markdown.

    Args:
        found: What `evaluate_counterfactuals` returned.
        command: The command that makes it again, if there is one.

    Returns:
        The text.

    Example:
        >>> from datasets import Dataset
        >>> from fair_datasets.evaluation.counterfactuals import evaluate_counterfactuals
        >>> rows = Dataset.from_dict({"text": ["He ran."], "gender": [1]})
        >>> reads = lambda rows: [[0.25, 0.75] if "He" in text else [0.75, 0.25] for text, in rows]
        >>> found = evaluate_counterfactuals(rows, {"swap": ["She ran."]}, classifier=reads)
        >>> print(counterfactual_report(found))
        # Versions of a corpus
        <BLANKLINE>
        Means over seeds, ...
        | version | transfer % | other group |
        | --- | --- | --- |
        | original | 0.000 | 0.250 |
        | swap | 100.000 | 0.750 |
        ...
    """
    parts = [f"# {escaped(title)}", LEGEND]
    for words, legend in ((False, TEXTS), (True, WORDS)):
        rows = comparison_rows(found, words=words)
        if rows:
            shown = [{escaped(key): escaped(cell) for key, cell in row.items()} for row in rows]
            parts += [markdown_table(shown), legend]
        if not words and found.order:
            first, second = (escaped(repr(name)) for name in found.order)
            parts.append(RATES.format(first=first, second=second))
    notes = note_lines(found)
    if notes:
        parts += ["## What is left out", "\n".join(f"- {escaped(line)}" for line in notes)]
    if command:
        parts += ["## Made by", "\n".join(code_block([command], "sh"))]
    return "\n\n".join(parts) + "\n"


def plain_counterfactuals(found: CounterfactualEvaluation) -> dict[str, Any]:
    """Write an evaluation as data for JSON.

    Args:
        found: What `evaluate_counterfactuals` returned.

    Returns:
        `rows` and `means`, each a list of objects, and the `order` of the two groups.
    """
    order: Sequence[Any] | None = found.order
    return {
        "rows": found.rows.to_list(),
        "means": found.means.to_list(),
        "order": None if order is None else list(order),
    }


def _cell(mean: Mapping[str, Any]) -> str:
    """Write a mean with its deviation, or a dash where there is none."""
    if mean["mean"] is None:
        return "-"
    beside = "" if mean["sd"] is None else f" ± {mean['sd']:.3f}"
    return f"{mean['mean']:.3f}{beside}"
