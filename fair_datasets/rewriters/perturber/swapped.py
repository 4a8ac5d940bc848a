"""Training data for a perturber from any texts, by the swap, where it can tell who is meant."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.rewriters.perturber.data import (
    COLUMNS,
    Perturbations,
    perturbation_features,
    spans_of,
)
from fair_datasets.rows import draws
from fair_datasets.rows.draws import row_key
from fair_datasets.rows.given import texts_of
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting.counterfactuals import apply_edits
from fair_datasets.swap.whole_rows import skipped_rows
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    from datasets import Dataset

# What is counted of texts that give no row.
_NOBODY = "nobody is mentioned"
_SEVERAL = "it is not sure whom the words are about"
_NO_FORM = "no word has a form for a target"


class _Asked(NamedTuple):
    """A text, the word that is asked for, and the text that is right.

    Attributes:
        introduces: Whether the text is about this person alone, and names them before any pronoun:
            what follows another such text is about somebody else.
    """

    text: str
    word: str
    source: str
    target: str
    perturbed: str
    introduces: bool


def swap_perturbations(
    dataset: "Dataset",
    columns: Sequence[str] | str,
    *,
    axis: str = "gender",
    names: bool | None = None,
    pipeline: str | None = None,
    reader: str | None = None,
    targets: Sequence[str] | str = (),
    joined: float = 0.5,
    seed: int = 0,
) -> Perturbations:
    """Make rows in the format of PANDA from texts; the swap writes the right rewrites.

    Of each text one word and one target are drawn, among the words of people of whom the swap can
    tell which words are theirs: all that the text says of their attribute is one noun or name and
    pronouns behind it. What it says of another attribute is about somebody else, and stays. So that
    a model meets two people of one attribute as well, texts about one person are joined: first the
    one, then the other, of whom either is asked for.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether names are read; see `CounterfactualSwap`, as for the next two.
        pipeline: A trained spaCy pipeline that tells terms from other words.
        reader: A token classifier that tells names and pronouns.
        targets: The attributes that people may become; none for all but the one they have.
        joined: The share of the texts about one person that are joined with another such text,
            in [0, 1].
        seed: The seed of the draws, which are keyed by the text.

    Raises:
        InputError: A parameter is not what it must be, or no text gives a row.

    Example:
        >>> from datasets import Dataset
        >>> texts = Dataset.from_dict({"text": ["My uncle sold his car to a woman.", "It rains."]})
        >>> found = swap_perturbations(texts, "text", targets="woman")
        >>> found.rows["selected_word"][0], found.rows["perturbed"][0]
        ('uncle', 'My aunt sold her car to a woman.')
        >>> found.dropped
        {'nobody is mentioned': 1}
    """
    from datasets import Dataset as Rows

    table = find_table(axis, names=names, pipeline=pipeline, reader=reader)
    joined = checks.fraction(joined, parameter="joined")
    seed = checks.whole_number(seed, parameter="seed")
    wanted = checks.strings(targets, parameter="targets")
    attributes = load_lexicon(axis).attributes
    for target in wanted:
        checks.one_of(target, attributes, parameter="each of targets")
    texts = list(dict.fromkeys(text for text in texts_of(dataset, columns) if text))
    reasons: dict[str, int] = {}
    asked: list[_Asked] = []
    read = 0
    for number, (reading,) in mentions_in_rows([[text] for text in texts], [table]):
        if reading is None or not reading.mentions:
            continue
        read += 1
        outcome = _asked(texts[number], reading, wanted or attributes, table.axis, seed)
        if isinstance(outcome, _Asked):
            asked.append(outcome)
        else:
            reasons[outcome] = reasons.get(outcome, 0) + 1
    skipped = skipped_rows(
        [(each.text,) for each in asked],
        lambda place: {(table.axis, asked[place].source): asked[place].target},
        table,
    )
    for reason in skipped.values():
        reasons[reason.value] = reasons.get(reason.value, 0) + 1
    asked = [each for place, each in enumerate(asked) if place not in skipped]
    if not asked:
        raise invalid(
            f"no text mentions a person of the axis {axis!r} whose words the swap can "
            "tell from those of others; give other texts, or another axis."
        )
    if read < len(texts):
        reasons = {_NOBODY: len(texts) - read, **reasons}
    rows = [
        dict(zip(COLUMNS, (row.text, row.word, row.target, row.perturbed), strict=True))
        for row in _joined(asked, joined, seed)
    ]
    return Perturbations(Rows.from_list(rows, features=perturbation_features()), reasons)


def _asked(
    text: str, annotation: Annotation, targets: Sequence[str], axis: str, seed: int
) -> _Asked | str:
    """Ask for a word of a text; or say why none can be asked for."""
    sure = [
        mention
        for attribute in dict.fromkeys(mention.term.attribute for mention in annotation.mentions)
        for mention in _of_one_person(annotation, attribute)
    ]
    if not sure:
        return _SEVERAL
    # A word that occurs twice counts once, as in the paper's algorithm.
    options = sorted(
        {
            (_word(annotation, mention), target): mention
            for mention in reversed(sure)
            for target in targets
            if target != mention.term.attribute and mention.term.entry.forms.get(target)
        }.items()
    )
    if not options:
        return _NO_FORM
    (word, target), mention = draws.choice(options, seed, row_key([text]), "asked")
    attribute = mention.term.attribute
    (edits,) = swap_row([annotation], {(mention.term.axis, attribute): target})
    is_alone = len({mention.term.attribute for mention in annotation.mentions}) == 1
    introduces = is_alone and annotation.mentions[0].term.entry.kind != "pronoun"
    return _Asked(text, word, attribute, target, apply_edits(text, edits), introduces)


def _of_one_person(annotation: Annotation, attribute: str) -> list[Mention]:
    """Return the mentions of an attribute, if they are surely of one person; else none."""
    mentions = [each for each in annotation.mentions if each.term.attribute == attribute]
    nouns = {
        _word(annotation, mention).lower()
        for mention in mentions
        if mention.term.entry.kind != "pronoun"
    }
    # Whom a noun behind a pronoun names is somebody else: "he told his brother".
    has_late_noun = bool(nouns) and mentions[0].term.entry.kind == "pronoun"
    has_plural = any(mention.term.entry.is_plural for mention in mentions)
    return [] if len(nouns) > 1 or has_late_noun or has_plural else mentions


def _word(annotation: Annotation, mention: Mention) -> str:
    """Return a mention as it stands in the text."""
    tokens = annotation.tokens
    return tokens.text[tokens.starts[mention.first] : tokens.end(mention.last)]


def _joined(asked: Sequence[_Asked], share: float, seed: int) -> Iterator[_Asked]:
    """Yield the rows, of which some are joined with a text about somebody else."""
    others = [each for each in asked if each.introduces]
    for each in asked:
        key = row_key([each.text])
        if not each.introduces or draws.uniform(seed, key, "joined") >= share:
            yield each
            continue
        other = draws.choice(others, seed, key, "other")
        if spans_of(other.text, each.word):
            yield each
        else:
            yield _with_neighbour(each, other.text, first=draws.uniform(seed, key, "order") < 0.5)


def _with_neighbour(asked: _Asked, other: str, *, first: bool) -> _Asked:
    """Put another text behind one, or before it."""

    def with_other(text: str) -> str:
        return f"{text} {other}" if first else f"{other} {text}"

    return asked._replace(text=with_other(asked.text), perturbed=with_other(asked.perturbed))


PEOPLE = "people"
GENDERS = ("man", "woman")
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

    size = checks.whole_number(size, parameter="size")
    seed = checks.whole_number(seed, parameter="seed")
    generator = np.random.default_rng(int(row_key([seed, "two people"]), 16))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    if not 0 < size <= LARGEST:
        raise invalid(f"size must be 1 to {LARGEST:,}, but it is {size}.")
    while len(rows) < size:
        row = _row(generator)
        rows.setdefault((row["original"], row["selected_word"]), row)
    features = perturbation_features()
    features[PEOPLE] = Value("string")
    return Dataset.from_list(list(rows.values()), features=features)


@cache
def _words() -> dict[str, Any]:
    """Return what the sentences are made of."""
    file = resources.files("fair_datasets.rewriters.perturber") / "two_people.toml"
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
