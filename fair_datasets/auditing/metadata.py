"""What an audit says in the metadata of a dataset: in its card, and for machines."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing.findings import (
    SEVERITIES,
    Figure,
    Finding,
    counted,
    joined,
    percent,
    verb,
)
from fair_datasets.auditing.reading import hash_of
from fair_datasets.auditing.settings import OWNER
from fair_datasets.cards.croissant import DataFile, Responsibility, Step, croissant
from fair_datasets.cards.markdown import escaped
from fair_datasets.rows.given import batches
from fair_datasets.rows.text_fields import RowTexts

if TYPE_CHECKING:
    from datasets import Dataset, Features

    from fair_datasets.auditing.dataset import Audit

_NO_PROOF = (
    "No figure shows that the dataset is fair: there may be more than was found, and people whom "
    "no listed word mentions are not counted."
)
# What a reader is to know before training on the rows, and not what follows from it.
_BIASES = ("predictions", "association", "sentences", "representation", "impact", "reference")
_NOT_LOOKED_FOR = (
    "Names of persons, addresses, numbers and other details that identify somebody were not "
    "looked for."
)


def audit_croissant(
    found: "Audit",
    *,
    stated: Mapping[str, Any] | None = None,
    files: Sequence[DataFile] = (),
    features: "Features | None" = None,
    **made: Any,
) -> dict[str, Any]:
    """Describe what was audited by the Croissant vocabulary, with what was found.

    Args:
        **made: How the dataset was made, as for `responsibility`.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> nothing = Audit(title="a", rows={}, settings={}, parts=())
        >>> audit_croissant(nothing, stated={"license": ["mit"]})["license"]
        'mit'
    """
    said = responsibility(found, **made)
    return croissant(found.title, files, features or {}, stated=stated, responsibility=said)


def responsibility(
    found: "Audit",
    *,
    synthetic_share: float | None = None,
    sources: Sequence[str] = (),
    limits: Sequence[str] = (),
    steps: Sequence[Step] = (),
) -> Responsibility:
    """Say what was measured as Croissant has it.

    Example:
        >>> from fair_datasets.auditing import Audit
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
        made = [(
            f"Synthetic share: {percent(synthetic_share)} of the rows have texts that do not "
            "occur in what the dataset was made from."
        )]  # fmt: skip
    return Responsibility(
        biases=[finding.sentence for finding in told],
        limitations=list(dict.fromkeys([_NO_PROOF, *limits, *made, *others, *cautions, *lacking])),
        missing=_missing(found),
        sensitive=[*_sensitive(found), _NOT_LOOKED_FOR],
        synthetic_share=synthetic_share,
        sources=sources,
        steps=steps,
    )


def audit_lines(found: "Audit") -> list[str]:
    """Write the section of a card, without a heading.

    Example:
        >>> from fair_datasets.auditing import Audit
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
    """Count the rows whose texts are in no row of what they were made from; NaN without rows.

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


def _biases(found: "Audit") -> Sequence[str]:
    """Name the analyses of what the rows say: a probe's mistakes are its own, and not theirs."""
    is_asked = found.settings.get("model") or found.settings.get("predictions")
    return _BIASES if is_asked else _BIASES[1:]


def _findings(found: "Audit") -> list[Finding]:
    """Choose the findings of what the rows say of people, and what changed."""
    changed = list(found.changes.findings) if found.changes else []
    own = [finding for part in found.parts if part.topic in _biases(found)
           for finding in part.findings]  # fmt: skip
    order = list(SEVERITIES)
    return [*sorted(own, key=lambda finding: order.index(finding.severity)), *changed]


def _missing(found: "Audit") -> str:
    """Say how many rows lack a text, and a value in each column that was read."""
    told = []
    for figure in found.figures:
        if figure.measure == "missing_share" and figure.rows:
            count = round(figure.value * figure.rows)
            what = "no text" if figure.label == "text" else f"no value in {figure.label}"
            told.append(f"{counted(count, 'row')} of {figure.rows:,} {verb(count, 'has', 'have')} "
                        f"{what}")  # fmt: skip
    return f"{'; '.join(told)}." if told else ""


def _sensitive(found: "Audit") -> Iterator[str]:
    """Say along which axes and columns of groups the rows say something of persons."""
    by_axis: dict[str, list[Figure]] = {}
    for figure in found.figures:
        if figure.measure == "mention_share" and not (figure.split or figure.label):
            by_axis.setdefault(figure.axis, []).append(figure)
    for axis, figures in by_axis.items():
        shown = [figure for figure in figures if figure.value > 0]
        shares = joined([f"{figure.attribute} {percent(figure.value)}" for figure in shown])
        rows = counted(figures[0].rows, "row")
        if axis.startswith("column"):
            yield f"{axis}: the group of each row, of {rows}: {shares or 'none'}."
        else:
            yield f"{axis}: words in the texts, of {rows}: {shares or 'none'}."
    axes = dict.fromkeys(figure.axis for figure in found.figures)
    others = [axis for axis in axes if axis.startswith("column") and axis not in by_axis]
    yield from (f"{axis}: the group of each row." for axis in others)
