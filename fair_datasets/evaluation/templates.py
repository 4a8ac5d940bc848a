"""Identity-phrase templates: short sentences that differ in the person's identity alone.

A fair classifier of toxic text gives the sentences of a matched set the same score. The frames are
few and far from real text: what holds on them need not hold elsewhere. The toxic sentences are
hostile; they are test material, not texts to publish.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from math import prod
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fair_datasets.rows.draws import FAMILY, row_key
from fair_datasets.swap.agreement import takes_an
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    from datasets import Dataset

LABELS = ("non-toxic", "toxic")
SLOTS = ("verb", "adjective", "name", "occupation", "filler")
_ARTICLE = re.compile(r"\{a\} \{(\w+)\}")


class _Shape(NamedTuple):
    """All sentences of one shape about one kind of word.

    Attributes:
        dimensions: The number of sets, and of words for each slot.
    """

    name: str
    forms: Mapping[str, str]
    sets: Sequence[Sequence[str]]
    slots: Sequence[str]
    dimensions: tuple[int, ...]


def template_axes() -> tuple[str, ...]:
    """List the axes that there are templates for.

    Example:
        >>> template_axes()[:3]
        ('gender', 'gender_identity', 'orientation')
    """
    return tuple(template_words()["axes"])


@cache
def template_words() -> dict[str, Any]:
    """Return what the templates are made of, as the data file has it.

    Returns:
        The file's keys, among them `shapes`, `slots`, `fillers`, `axes`, `sources` and `left_out`:
        the published words that are not used, and why. Do not change it.
    """
    file = resources.files("fair_datasets.evaluation") / "data" / "identity_templates.toml"
    return tomllib.loads(file.read_text("utf-8"))


def identity_templates(
    axis: str = "gender", *, size: int | None = 20_000, seed: int = 0
) -> "Dataset":
    """Make a dataset of identity-phrase templates in matched sets.

    Each sentence comes once per group, and each of these in a non-toxic and a toxic form, so that
    groups and classes are exactly equal in number. The shapes come in equal numbers, as far as a
    shape has enough sentences. `data/identity_templates.toml` holds the words, says where they are
    from, and which published ones are left out and why (swear words, misspellings, words that are
    not respectful or not current).

    Args:
        axis: One of `template_axes()`. On `gender` the identities are nouns, else adjectives.
        size: The number of rows at most; it is rounded down to a multiple of twice the number of
            groups. None for every sentence, several hundred thousand.

    Returns:
        The columns `text`, `label` (`non-toxic` or `toxic`), `group`, `identity` (the word),
        `family_id` (shared by the rows of a matched set), `template`, and the words of the slots
        `verb`, `adjective`, `name`, `occupation` and `filler`, null where the template lacks them.
        The rows of a matched set stand together, in the order of the groups.

    Raises:
        InputError: There is no such axis, or `size` leaves no row.

    Example:
        >>> templates = identity_templates(size=400)
        >>> man, woman = templates[20], templates[21]
        >>> man["group"], woman["group"], man["family_id"] == woman["family_id"]
        ('man', 'woman', True)
        >>> woman["text"] == man["text"].replace(man["identity"], woman["identity"])
        True

    Source:
        Dixon et al. (2018), "Measuring and Mitigating Unintended Bias in Text Classification";
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".
    """
    from datasets import ClassLabel, Dataset, Features, Value

    data = template_words()
    checks.one_of(axis, data["axes"], parameter="axis")
    seed = checks.whole_number(seed, parameter="seed")
    groups = data["axes"][axis]["groups"]
    shapes = _shapes(axis)
    counts = [prod(shape.dimensions) for shape in shapes]
    wanted = sum(counts)
    if size is not None:
        wanted = checks.whole_number(size, parameter="size") // (2 * len(groups))
        if wanted < 1:
            raise invalid(
                f"size must be at least {2 * len(groups)}, a row for each of the "
                f"{len(groups)} groups in both classes, but it is {size!r}."
            )
    columns = ("text", "label", "group", "identity", FAMILY, "template", *SLOTS)
    rows: dict[str, list[Any]] = {column: [] for column in columns}
    for shape, count, some in zip(shapes, counts, _allotted(counts, wanted), strict=True):
        generator = np.random.default_rng(int(row_key([seed, axis, shape.name]), 16))
        for number in np.sort(generator.choice(count, some, replace=False)).tolist():
            for row in _rows(shape, number, f"{axis}-{shape.name}-{number}", groups):
                for column in columns:
                    rows[column].append(row.get(column))
    features = Features({column: Value("string") for column in columns})
    features["label"] = ClassLabel(names=list(LABELS))
    return Dataset.from_dict(rows, features=features)


def _shapes(axis: str) -> list[_Shape]:
    data = template_words()
    shapes = []
    for kind, sets in data["axes"][axis].items():
        for name, forms in data["shapes"].get(kind, {}).items():
            used = {field for form in forms.values() for _, field, _, _ in Formatter().parse(form)}
            # A verb that opens the sentence is written as {Verb}.
            fields = {field.lower() for field in used if field} | {"filler"}
            slots = [slot for slot in SLOTS if slot in fields]
            sizes = [len(_words(slot, LABELS[0])) for slot in slots]
            shapes.append(_Shape(f"{kind}-{name}", forms, sets, slots, (len(sets), *sizes)))
    return shapes


def _allotted(counts: Sequence[int], wanted: int) -> list[int]:
    """Spread a number over shapes evenly, as far as each has sentences."""
    allotted: dict[int, int] = {}
    remaining = min(wanted, sum(counts))
    by_size = sorted(range(len(counts)), key=lambda place: counts[place])
    for done, place in enumerate(by_size):
        allotted[place] = min(counts[place], remaining // (len(counts) - done))
        remaining -= allotted[place]
    return [allotted[place] for place in range(len(counts))]


def _rows(shape: _Shape, number: int, name: str, groups: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the sentences that one choice of words gives: each class, and in it each group."""
    place, *places = (int(index) for index in np.unravel_index(number, shape.dimensions))
    for label in LABELS:
        template = shape.forms[label]
        fields = {field.lower() for _, field, _, _ in Formatter().parse(template) if field}
        for group, identity in zip(groups, shape.sets[place], strict=True):
            chosen = zip(shape.slots, places, strict=True)
            words = {slot: _words(slot, label)[index] for slot, index in chosen}
            yield {
                **{slot: word for slot, word in words.items() if slot in fields},
                "text": f"{_sentence(template, words, identity)} {words['filler']}",
                "label": label,
                "group": group,
                "identity": identity,
                FAMILY: f"{name}-{label}",
                "template": template,
                "filler": words["filler"],
            }


def _sentence(template: str, words: Mapping[str, str], identity: str) -> str:
    fields = {**words, "identity": identity, "Verb": words.get("verb", "").capitalize()}
    article = _ARTICLE.search(template)
    if article:
        fields["a"] = "an" if takes_an(fields[article[1]]) else "a"
    return template.format_map(fields)


def _words(slot: str, label: str) -> Sequence[str]:
    data = template_words()
    words: Sequence[str] = (
        data["slots"][slot][label] if slot in data["slots"] else data["fillers"][slot]
    )
    return words
