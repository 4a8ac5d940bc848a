"""What an audit says in the metadata of a dataset: in its card, and for machines."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fair_datasets.auditing.axes import hash_of
from fair_datasets.auditing.findings import SEVERITIES, Finding
from fair_datasets.auditing.result import Audit
from fair_datasets.auditing.settings import OWNER
from fair_datasets.auditing.wording import percent
from fair_datasets.cards.croissant import Responsibility
from fair_datasets.cards.markdown import escaped
from fair_datasets.given import batches
from fair_datasets.row_texts import RowTexts

if TYPE_CHECKING:
    from datasets import Dataset

_NO_PROOF = (
    "No figure shows that the dataset is fair: what was not found may be there, and people of whom "
    "no word of a list speaks are not counted."
)
# What a reader is to know before training on the rows, and not what follows from it.
_BIASES = ("predictions", "association", "sentences", "representation", "impact", "reference")


def responsibility(
    found: Audit,
    *,
    synthetic_share: float | None = None,
    sources: Sequence[str] = (),
    limits: Sequence[str] = (),
) -> Responsibility:
    """Say what was measured as Croissant has it.

    Args:
        found: The audit; where it was compared with another one, what changed is said as well.
        synthetic_share: The share of rows that are in nothing that the dataset was made from.
        sources: What it was made from.
        limits: Sentences on what the audit has not read.

    Returns:
        The findings as biases, and what cannot be concluded as limitations.

    Example:
        >>> nothing = Audit(title="a", rows={}, settings={}, parts=())
        >>> responsibility(nothing).limitations[0].startswith("No figure shows")
        True
    """
    told = _findings(found)
    others = [finding.sentence for part in found.parts if part.topic not in _biases(found)
              for finding in part.findings]  # fmt: skip
    cautions = [finding.caution for finding in told if finding.caution]
    lacking = [f"{name} was not measured: {why}." for name, why in found.unmeasured.items()]
    made = []
    if synthetic_share is not None:
        made = [f"Synthetic share: {percent(synthetic_share)} of the rows have texts that are in "
                "no row of what the dataset was made from."]  # fmt: skip
    return Responsibility(
        biases=[finding.sentence for finding in told],
        limitations=list(dict.fromkeys([_NO_PROOF, *limits, *made, *others, *cautions, *lacking])),
        synthetic_share=synthetic_share,
        sources=sources,
    )


def audit_lines(found: Audit) -> list[str]:
    """Write the section of a card.

    Args:
        found: The audit.

    Returns:
        The lines of Markdown, without a heading.

    Example:
        >>> audit_lines(Audit(title="a", rows={}, settings={}, parts=()))[0][:30]
        'No figure shows that the datas'
    """
    lines = [_NO_PROOF]
    if found.changes:
        lines += ["", "Beside what it was made from:", ""]
        lines += [f"- {escaped(each.sentence)}" for each in found.changes.findings]
    for severity, title in SEVERITIES.items():
        own = [each for each in found.findings if each.severity == severity]
        if own:
            lines += ["", f"{title}:", "", *(f"- {escaped(each.sentence)}" for each in own)]
    if found.unmeasured:
        lines += ["", "Not measured:", ""]
        lines += [f"- {name}: {escaped(why)}." for name, why in found.unmeasured.items()]
    return lines


def synthetic_share(
    before: "Mapping[str, Dataset]",
    after: "Mapping[str, Dataset]",
    columns: Sequence[str],
    roles: Sequence[str] = (),
) -> float:
    """Count the rows whose texts are in no row of what they were made from.

    Args:
        before: Split name to the rows of the source.
        after: Split name to the rows that were made.
        columns: The text columns.
        roles: Whose texts of a conversation are read.

    Returns:
        Their share, in [0, 1]; NaN without rows.

    Example:
        >>> from datasets import Dataset
        >>> one, two = (Dataset.from_dict({"text": each}) for each in (["He."], ["He.", "She."]))
        >>> synthetic_share({"train": one}, {"train": two}, ["text"])
        0.5
    """
    known = set(_hashes(before, columns, roles))
    made = [key not in known for key in _hashes(after, columns, roles)]
    return sum(made) / len(made) if made else float("nan")


def _hashes(
    splits: "Mapping[str, Dataset]", columns: Sequence[str], roles: Sequence[str]
) -> Iterator[int]:
    """Give a number for the texts of each row."""
    for rows in splits.values():
        for batch in batches(rows, columns, owner=OWNER):
            texts = RowTexts.read(batch, columns, roles=tuple(roles), owner=OWNER).rows
            yield from map(hash_of, texts)


def _biases(found: Audit) -> Sequence[str]:
    """Name the analyses of what the rows say: a probe's mistakes are its own, and not theirs."""
    is_asked = found.settings.get("model") or found.settings.get("predictions")
    return _BIASES if is_asked else _BIASES[1:]


def _findings(found: Audit) -> list[Finding]:
    """Choose the findings of what the rows say of people, and what changed."""
    changed = list(found.changes.findings) if found.changes else []
    own = [finding for part in found.parts if part.topic in _biases(found)
           for finding in part.findings]  # fmt: skip
    order = list(SEVERITIES)
    return [*sorted(own, key=lambda finding: order.index(finding.severity)), *changed]
