"""Sentences about two people, of whom one is asked for and the other must not change."""

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fair_datasets.rewriters.perturber.training.data import perturbation_features
from fair_datasets.rows.draws import row_key
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

PEOPLE = "people"
GENDERS = ("man", "woman")
_OWNER = "two_person_perturbations"
# There are seven million.
LARGEST = 1_000_000


class _Person(NamedTuple):
    """Somebody in a sentence: which pair of nouns names them, and their gender."""

    nouns: int
    gender: str


def two_person_perturbations(size: int = 10_000, *, seed: int = 0) -> "Dataset":
    """Make sentences about two people, in the format of PANDA.

    One of them is asked for. Both are named by nouns that differ ("the waiter", "the queen"), in
    half of the sentences of one gender, where a swap of words cannot tell them apart. Each pronoun
    is bound within its clause.

    Returns:
        The columns `original`, `selected_word`, `target_attribute`, `perturbed`, and `people`: the
        nouns of the asked person and of the other, by which rows are split to see whether a
        combination that was never met is rewritten rightly. No row comes twice.

    Raises:
        InputError: The size is below 1, or above a million.

    Example:
        >>> row = two_person_perturbations(1)[0]
        >>> row["original"]
        'The grandfather said that he was happy while the mother thought that she looked late.'
        >>> row["selected_word"], row["target_attribute"], row["people"]
        ('grandfather', 'woman', 'grandfather mother')
        >>> row["perturbed"]
        'The grandmother said that she was happy while the mother thought that she looked late.'
    """
    from datasets import Dataset, Value

    size = checks.whole_number(size, owner=_OWNER, parameter="size")
    seed = checks.whole_number(seed, owner=_OWNER, parameter="seed")
    generator = np.random.default_rng(int(row_key([seed, "two people"]), 16))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    if not 0 < size <= LARGEST:
        raise InputError(f"{_OWNER}: size must be 1 to {LARGEST:,}, but it is {size}.")
    while len(rows) < size:
        row = _row(generator)
        rows.setdefault((row["original"], row["selected_word"]), row)
    features = perturbation_features()
    features[PEOPLE] = Value("string")
    return Dataset.from_list(list(rows.values()), features=features)


@cache
def _words() -> dict[str, Any]:
    """Return what the sentences are made of."""
    file = resources.files("fair_datasets.rewriters.perturber.training") / "two_people.toml"
    return tomllib.loads(file.read_text("utf-8"))


def _row(generator: np.random.Generator) -> dict[str, str]:
    """Draw a sentence, and ask for one of its people."""
    words = _words()
    first, second = (int(pair) for pair in generator.permutation(len(words["people"]))[:2])
    one_gender = generator.random() < 0.5
    gender = GENDERS[generator.integers(2)]
    people = [
        _Person(first, gender), _Person(second, gender if one_gender else _other(gender)),
    ]  # fmt: skip
    if generator.random() < 0.25:
        frame = str(generator.choice(words["joint"]))
        clauses = [_filled(frame, generator)]
        connector = ""
    else:
        clauses = [_filled(str(generator.choice(words["clauses"])), generator) for _ in range(2)]
        connector = str(generator.choice(words["connectors"]))
    asked = int(generator.integers(2))
    person, other = people[asked], people[1 - asked]
    swapped = list(people)
    swapped[asked] = person._replace(gender=_other(person.gender))
    return {
        "original": _sentence(clauses, connector, people),
        "selected_word": _noun(person),
        "target_attribute": swapped[asked].gender,
        "perturbed": _sentence(clauses, connector, swapped),
        PEOPLE: f"{_noun(person)} {_noun(other)}",
    }


def _filled(clause: str, generator: np.random.Generator) -> str:
    """Fill the slots of a clause that are about nobody."""
    for slot, options in _words()["slots"].items():
        if f"{{{slot}}}" in clause:
            clause = clause.replace(f"{{{slot}}}", str(generator.choice(options)))
    return clause


def _sentence(clauses: list[str], connector: str, people: list[_Person]) -> str:
    """Write a sentence about two people."""
    written = []
    for place, clause in enumerate(clauses):
        person, other = people[place], people[1 - place]
        pronouns = _words()["pronouns"][person.gender]
        written.append(clause.format(x=_noun(person), y=_noun(other), **pronouns))
    if connector.startswith("."):
        written[1:] = [clause[0].upper() + clause[1:] for clause in written[1:]]
    text = connector.join(written)
    return f"{text[0].upper()}{text[1:]}."


def _noun(person: _Person) -> str:
    """Return the noun that names somebody."""
    nouns: list[str] = _words()["people"][person.nouns]
    return nouns[GENDERS.index(person.gender)]


def _other(gender: str) -> str:
    """Return the other of the two genders."""
    return GENDERS[1 - GENDERS.index(gender)]
