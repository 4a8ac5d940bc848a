"""The items of BBQ: which answer is unknown, right, and the biased one.

An item names the groups that a stereotype is about and tags each answer, but in most items no tag
equals a group: "lowSES" is "low SES", "Europe" is "British" and "F" is "woman". Here each item is
resolved by what it says itself. The mapping that was published beside the items differs in some:
it takes "African" for "African American", as one name holds the other.
"""

import csv
import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

from fair_datasets.measures.inputs import as_list, is_missing, scalar
from fair_datasets.system.checks import invalid, not_allowed

AnswerMapping = Literal["item", "published"]
"""What tells the answer of a stereotyped group: the item itself, or the published mapping."""

ANSWERS = ("ans0", "ans1", "ans2")
CONTEXTS = ("ambig", "disambig")
_POLARITIES = ("neg", "nonneg")
_UNKNOWN = "unknown"
_TRANS = {"trans", "trans_F", "trans_M"}
_GENDERS = {
    "F": {"F", "girl", "woman", "nonTrans_F", "trans_F"},
    "M": {"M", "boy", "man", "nonTrans_M", "trans_M"},
}


class BbqItem(NamedTuple):
    """What is counted of an item.

    Attributes:
        question_index: The template; with its category it is the family of the item.
        people: `"name"` where people have proper names, else `"label"`.
        context: `"ambig"` or `"disambig"`.
        right: The index of the right answer, 0 to 2.
        unknown: The index of the answer that is unknown.
        biased: The index of the biased answer: that of the stereotyped group in negative questions,
            else the other person's; None where neither or both are of the group.
    """

    category: str
    question_index: int
    people: str
    context: str
    right: int
    unknown: int
    biased: int | None


class _UnknownItemError(Exception):
    """An item that is not known; the message says what is wrong with it."""


def load_bbq(path: str | PathLike[str]) -> list[dict[str, Any]]:
    """Read items from the published files of JSON lines, which this package does not contain.

    Args:
        path: One file, such as `Age.jsonl`, or a folder: its `.jsonl` files, sorted by name.

    Returns:
        The items as they stand in the files, one dictionary each.

    Raises:
        InputError: There is no such file, or a line is no JSON object.

    Example:
        >>> load_bbq("no.jsonl")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: load_bbq: there is no file 'no.jsonl'.

    Source:
        https://github.com/nyu-mll/BBQ (data: CC BY 4.0).
    """
    given = Path(path)
    files = sorted(given.glob("*.jsonl")) if given.is_dir() else [given]
    if not files:
        raise invalid(f"the folder {str(path)!r} has no file of JSON lines (.jsonl).")
    rows = []
    for file in files:
        if not file.is_file():
            raise invalid(f"there is no file {str(path)!r}.")
        with file.open(encoding="utf-8-sig") as lines:
            rows += [_row(line, f"line {n} of {file.name!r}") for n, line in enumerate(lines, 1)]
    return rows


def _row(line: str, where: str) -> dict[str, Any]:
    """Read a line of a file."""
    try:
        row = json.loads(line)
    except ValueError as error:
        raise invalid(f"{where} is not JSON: {error}.") from None
    if not isinstance(row, dict):
        raise invalid(f"{where} is not JSON of an item, but {row!r:.40}.")
    return row


def read_items(items: Any, mapping: AnswerMapping) -> list[BbqItem]:
    """Resolve items; see `bbq` for what they may be.

    Raises:
        InputError: An item is not known; the sentence names its row and what is wrong.

    Example:
        >>> read_items([{"category": "Age", "example_id": 0}], "item")[0].biased
        0
    """
    if isinstance(items, str | Mapping) or not hasattr(items, "__iter__"):
        raise invalid(
            f"items must be a list of rows of BBQ or a dataset, but it is {items!r:.60}. "
            "`load_bbq` reads the published files."
        )
    questions = []
    for row, item in enumerate(as_list(items)):
        try:
            questions.append(_resolve(_plain(item), mapping))
        except _UnknownItemError as fault:
            raise invalid(
                f"row {row} of items is not known: {fault} Give rows of the published files, as "
                "`load_bbq` reads them, and leave others out."
            ) from None
    return questions


def _resolve(item: Any, mapping: AnswerMapping) -> BbqItem:
    """Return what is counted of one item."""
    if not isinstance(item, dict):
        raise _UnknownItemError(
            f"it must be a dictionary with the fields of BBQ, but it is {item!r:.60}."
        )
    category = _choice(item, "category", (*_facts()["tags"], *_RACES))
    if item.get("answer_info") is None:
        return _published_item(category, _number(item, "example_id"), mapping)
    question = _template(category, item)
    context = _choice(item, "context_condition", CONTEXTS)
    polarity = _choice(item, "question_polarity", _POLARITIES)
    answers = _answers(item)
    tags = [tag for _, tag in answers]
    if tags.count(_UNKNOWN) != 1:
        raise _UnknownItemError(f"one answer must have the tag 'unknown', but the tags are {tags}.")
    unknown, right = tags.index(_UNKNOWN), _number(item, "label")
    if right not in range(3) or (right == unknown) != (context == "ambig"):
        raise _UnknownItemError(
            f"label must be the answer that is unknown if context_condition is 'ambig', and a "
            f"person's if it is 'disambig', but it is {right} of {tags} in {context!r}."
        )
    persons = [index for index in range(3) if index != unknown]
    group = _group_answer(category, question, [answers[index] for index in persons], item, mapping)
    biased = None if group is None else persons[group if polarity == "neg" else 1 - group]
    return BbqItem(category, question, _people(category, question), context, right, unknown, biased)


def _group_answer(
    category: str,
    question: int,
    persons: list[tuple[str, str]],
    item: dict[str, Any],
    mapping: AnswerMapping,
) -> int | None:
    """Return which of two answers is of the stereotyped group; None where neither or both are."""
    groups = _groups(category, item)
    tags = [tag for _, tag in persons]
    if category in _RACES:
        matches = _matches_of_races(category, question, tags, groups, "item")
    else:
        known = _facts()["tags"][category]
        for tag in tags:
            if tag not in known:
                raise _UnknownItemError(f"a tag of {category} {not_allowed(tag, known)}")
        matches = [_is_of(category, text, tag, groups) for text, tag in persons]
    undecided = _facts()["undecided_templates"].get(category, ())
    if sum(matches) != 1 and question not in undecided:
        raise _UnknownItemError(
            f"one of the answers must be of the stereotyped groups {groups}, but of {persons} "
            f"{'both are' if all(matches) else 'neither is'}."
        )
    if _is_published(category, mapping):
        matches = _matches_of_races(category, question, tags, groups, mapping)
        return matches.index(True) if any(matches) else None
    return matches.index(True) if sum(matches) == 1 else None


def _template(category: str, item: dict[str, Any]) -> int:
    """Read which template of a category an item is of."""
    question = _number(item, "question_index")
    ranges = _facts()["templates"][category]
    if not any(first <= question <= last for first, last in ranges):
        known = ", ".join(f"{first} to {last}" for first, last in ranges)
        raise _UnknownItemError(
            f"question_index must be a template of {category}, {known}, but it is {question}."
        )
    return question


def _groups(category: str, item: dict[str, Any]) -> list[str]:
    """Read the stereotyped groups of an item."""
    metadata = item.get("additional_metadata")
    groups = metadata.get("stereotyped_groups") if isinstance(metadata, dict) else None
    if not isinstance(groups, list) or not groups or {*map(type, groups)} != {str}:
        raise _UnknownItemError(
            f"additional_metadata.stereotyped_groups must list groups, but it is {groups!r}."
        )
    known = _facts()["groups"][category]
    for group in groups:
        if group not in known:
            raise _UnknownItemError(
                f"a group of {category} (additional_metadata.stereotyped_groups) "
                f"{not_allowed(group, known)}"
            )
    return groups


def _is_published(category: str, mapping: AnswerMapping) -> bool:
    """Whether the published mapping goes ways of its own: it takes the first of two."""
    return mapping == "published" and category in _facts()["second_attributes"]


def _matches_of_races(
    category: str, question: int, tags: list[str], groups: list[str], mapping: AnswerMapping
) -> list[bool]:
    """Return which answers are of a stereotyped race, and of the template's second attribute."""
    parts = [_parts(category, tag) for tag in tags]
    races = [_race(race) for _, _, race in parts]
    if _is_published(category, mapping) and {*races} == {"African", "African American"}:
        # A substring test takes the one for the other.
        races = ["African American"] * 2
    second = None
    if category in _facts()["second_attributes"]:
        second = _second_attribute(category, question)
    wanted = {_race(group) for group in groups}
    return [
        race in wanted and second in (None, status, gender)
        for race, (status, gender, _) in zip(races, parts, strict=True)
    ]


def _is_of(category: str, text: str, tag: str, groups: list[str]) -> bool:
    """Whether an answer is of one of the stereotyped groups."""
    if category == "Nationality":
        # Its tags are regions.
        return text in groups
    if category == "Disability_status":
        # One name of each of its groups is that of all.
        return tag == "disabled"
    if category == "SES":
        return tag == "lowSES"
    if category == "Gender_identity":
        return any(tag in _GENDERS.get(group, _TRANS) for group in groups)
    return tag in groups


_RACES = {
    "Race_ethnicity": re.compile("()(?:([FM])-)?(.+)"),
    "Race_x_SES": re.compile("(lowSES|highSES)-(?:([FM])-)?(.+)"),
    "Race_x_gender": re.compile("()([FM])-(.+)"),
}
"""Which status, gender and race a tag of a category names."""


def _parts(category: str, tag: str) -> tuple[str, str, str]:
    """Split a tag such as "lowSES-F-Black" into status, gender and race."""
    match = _RACES[category].fullmatch(tag)
    if not match:
        start = "'F-' or 'M-'" if category == "Race_x_gender" else "'lowSES-' or 'highSES-'"
        raise _UnknownItemError(f"a tag of {category} must begin with {start}, but it is {tag!r}.")
    status, gender, race = match.groups()
    known = _facts()["races"]["names"]
    if race not in known:
        raise _UnknownItemError(f"the race of a tag of {category} {not_allowed(race, known)}")
    return status, gender, race


def _race(name: str) -> str:
    """Give one name to names of one group."""
    same: str = _facts()["races"]["same"].get(name, name)
    return same


def _second_attribute(category: str, question: int) -> str:
    """Return which second attribute the stereotype of a template is about."""
    attributes = _facts()["second_attributes"][category].items()
    return next(str(attribute) for attribute, templates in attributes if question in templates)


def _people(category: str, question: int) -> str:
    """Whether the people of a template have proper names."""
    return "name" if question in _facts()["name_templates"].get(category, ()) else "label"


def _answers(item: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the text and the tag of each answer."""
    answers = []
    info = item["answer_info"]
    for name in ANSWERS:
        pair = info.get(name) if isinstance(info, dict) else None
        if not isinstance(pair, list) or len(pair) < 2 or not all(isinstance(p, str) for p in pair):
            raise _UnknownItemError(
                f"answer_info.{name} must be a text and a tag, but it is {pair!r:.60}."
            )
        text, tag = pair[0], pair[-1]
        if not tag and str(item.get(name)).casefold() == "the latina woman":
            # The only answer that was published without a tag.
            tag = "F-Latino"
        answers.append((text, tag))
    return answers


def _published_item(category: str, example: int, mapping: AnswerMapping) -> BbqItem:
    """Look up a published item by its index."""
    quartets = _quartets()[category]
    if example not in range(4 * len(quartets)):
        raise _UnknownItemError(
            f"example_id of {category} must be 0 to {4 * len(quartets) - 1}, but it is {example}."
        )
    question, letter = quartets[example // 4]
    return quartet_items(category, question, letter, mapping)[example % 4]


ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
"""Where the answers of the stereotyped group, of the other person and the unknown one stand."""


def quartet_items(
    category: str, question: int, letter: str, mapping: AnswerMapping
) -> list[BbqItem]:
    """Return the four items of published ids in a row that a letter stands for.

    They have the same answers: in the ambiguous and the clear context of the negative question, and
    in those of the other one, in which the other person is the right answer.

    Args:
        letter: "a" to "l" are the six orders of `ORDERS`, each with the group's answer right in the
            negative question and with the other one; of "m" to "x" the item itself tells no group.
            As a capital, the published mapping differs: it has the other person for the group, or
            also none.

    Example:
        >>> [item.biased for item in quartet_items("Age", 1, "a", "item")]
        [0, 0, 1, 1]
    """
    place, is_other_right = divmod(ord(letter.lower()) - ord("a"), 2)
    tells, (group, other, unknown) = place < len(ORDERS), ORDERS[place % len(ORDERS)]
    right = (other, group) if is_other_right else (group, other)
    biased: tuple[int | None, int | None] = (group, other)
    if mapping == "item":
        biased = biased if tells else (None, None)
    elif letter.isupper():
        biased = (other, group) if tells else (None, None)
    people = _people(category, question)
    return [
        BbqItem(
            category, question, people, context,
            unknown if context == "ambig" else right[polarity], unknown, biased[polarity],
        )
        for polarity in (0, 1) for context in CONTEXTS
    ]  # fmt: skip


@cache
def _facts() -> dict[str, Any]:
    """Read the tags and templates."""
    file = resources.files("fair_datasets.measures").joinpath("data", "bbq.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _quartets() -> dict[str, list[tuple[int, str]]]:
    """Read the template and the letter of each four published items, by category."""
    file = resources.files("fair_datasets.measures").joinpath("data", "bbq_items.tsv")
    by_category: dict[str, list[tuple[int, str]]] = {}
    for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t"):
        quartets = [(int(row["question_index"]), letter) for letter in row["quartets"]]
        by_category.setdefault(row["category"], []).extend(quartets)
    return by_category


def _choice(item: dict[str, Any], field: str, allowed: tuple[str, ...]) -> str:
    """Read a field that has one of some values."""
    value = item.get(field)
    if not isinstance(value, str) or value not in allowed:
        raise _UnknownItemError(f"{field} {not_allowed(value, allowed)}")
    return value


def _number(item: dict[str, Any], field: str) -> int:
    """Read a field that is a whole number, or the text of one."""
    value = item.get(field)
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    if is_missing(value) or isinstance(value, bool) or not isinstance(value, int):
        raise _UnknownItemError(f"{field} must be a whole number, but it is {value!r}.")
    return value


def _plain(value: Any) -> Any:
    """Return a row of any library as dictionaries and lists of Python."""
    value = scalar(value)
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
