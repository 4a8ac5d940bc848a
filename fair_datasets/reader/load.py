"""Choosing what tags words, and how its tags and the rules of a language go together.

Words are tagged by the student that ships, another one, or a token classifier; its tags answer
where rules cannot.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.predicates import ALWAYS, Predicate, Rule
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch
from fair_datasets.reader.student import WEIGHTS, Student, shipped
from fair_datasets.reader.tags import (
    DETERMINER,
    FAMILY,
    GIVEN,
    OTHER,
    PEOPLE,
    PLACE,
    THING,
    TITLE,
    Reader,
    Tagged,
)
from fair_datasets.system.checks import invalid, typed
from fair_datasets.system.portable import file_digests, file_states
from fair_datasets.system.pretrained import folder_files, is_folder

if TYPE_CHECKING:
    from fair_datasets.reader.matching.language import Language

STUDENT = ".safetensors"
"""How the file of a student's weights is named; any other name is of a folder or on the Hub."""
_MOST_READ = 2
_read: dict[tuple[Any, ...], Reader] = {}


def load_reader(name: str | PathLike[str] | None = None) -> Reader:
    """Load a reader, which tags words: once per process, unless its files change.

    Args:
        name: A folder or the Hub id of a token classifier with the tags of `reader.tags.TAGS`, an
            id perhaps with a branch, a tag or a commit (`ada/reader@v1`); a file of weights that
            `fair-datasets train reader` wrote; None for the network that ships. The last two need
            NumPy alone.

    Returns:
        The reader.

    Raises:
        InputError: It cannot be found or read, has no safetensors, or other tags.
        MissingExtraError: A token classifier needs torch and transformers, and one is missing.

    Example:
        >>> import numpy as np
        >>> from fair_datasets.reader.matching.token_batch import TokenBatch
        >>> words = TokenBatch(["Mary lives in Paris."])
        >>> load_reader().tags(words, np.array([0, 3])).named()
        ['given name', 'place']
    """
    if name is None:
        return shipped()
    name = str(checked_reader(name))
    paths = tuple(map(str, reader_files(name).values()))
    key = name, file_states(paths)
    reader = _read.get(key)
    if reader is None:
        reader = _loaded(name)
        if len(_read) >= _MOST_READ:
            _read.clear()
        _read[key] = reader
    return reader


def checked_reader(value: str | PathLike[str] | None, pipeline: str | None = None) -> str | None:
    """Return a parameter that names a reader as a string, or raise; nothing is loaded.

    Args:
        value: What the user gave; None for what ships.

    Returns:
        The name or path; None for None.

    Raises:
        InputError: It is no name, there is no such file or folder, or a pipeline is given as well.

    Example:
        >>> checked_reader(True)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: checked_reader: reader must be a folder or the Hub id
        of a token classifier, or a file of weights, but it is True; leave it out for the network
        that ships.
    """
    if value is None:
        return None
    if not isinstance(value, str | PathLike) or not fspath(value):
        raise invalid(
            f"reader must be a folder or the Hub id of a token classifier, or a file of "
            f"weights, but it is {value!r}; leave it out for the network that ships."
        )
    if pipeline is not None:
        raise invalid(
            f"{typed('reader', str(value))} and {typed('pipeline', pipeline)} answer the same "
            "questions; give one of them."
        )
    name = str(fspath(value))
    reader_files(name)
    return name


def reader_files(name: str | None) -> dict[str, Path]:
    """Name the files of a reader that lies on this machine.

    Args:
        name: As for `load_reader`.

    Returns:
        Resource name to path; nothing for a Hub id.

    Raises:
        InputError: The name is a path, but nothing is there.

    Example:
        >>> list(reader_files(None))
        ['reader/student.safetensors']
    """
    if name is None:
        return {f"reader/{WEIGHTS.name}": WEIGHTS}
    if not name.endswith(STUDENT):
        return folder_files(name, has_owner=True)
    if not Path(name).is_file():
        raise invalid(f"there is no file {name!r}; check the path of the reader.")
    return {name: Path(name)}


def refuse_changed_reader(name: str | None, digests: tuple[tuple[str, str], ...]) -> None:
    """Raise if a reader has changed since its digests were taken.

    Args:
        name: As for `load_reader`.
        digests: Resource name to SHA-256 of its files, and of others.

    Raises:
        InputError: The reader has changed, or it is gone.
    """
    if not set(file_digests(reader_files(name))) <= set(digests):
        raise invalid(
            f"the reader {name or WEIGHTS.name!r} has changed since the technique was "
            "made; create the technique again to work with the reader as it is."
        )


def _loaded(name: str) -> Reader:
    """Read a student or a token classifier."""
    if name.endswith(STUDENT):
        return Student.load(Path(name))
    from fair_datasets.reader.encoder import Encoder

    name, _, revision = (name, "", "") if is_folder(name) else name.partition("@")
    return Encoder.load(name, revision=revision or None)


Cases = Mapping[tuple[str, str], Sequence[Rule[str]]]

ACCEPT, UNSURE, REJECT = 1, 2, 3
"""The verdicts of the rules about first names, as numbers."""
TAGGED = "names.tagged"
"""The rule that is told where the tag of a name decided otherwise than the rules."""
SENSE = "senses.tagged"
"""The rule that is told where the sense of another word did."""
BEHIND_NOUN = "people.behind_noun"
"""The rule by which what stands behind a noun for people says whom it means."""
_OTHER_SENSE = "senses.other"


class Tags(NamedTuple):
    """A reader, and how its tags and the rules about first names go together.

    Attributes:
        load: Returns the reader, at the first question.
        keeps: From which probability of a given name on a word is read that the rules read.
        decides: From which on one is read of which they are unsure.
        overrules: From which on one is read that they reject; never if it is above 1.
        others: From which probability of a place, an organisation, a work or another name on a word
            is read as no given name.
        family: From which probability of a family name on a word of a list of surnames is one.
        least: From which probability of naming people on a word is read that often names a thing.
        titles: From which probability of a title or a fixed phrase on a word of any axis is.
        never: Below which probability of naming people on a word describes none, whatever rules
            say, on the axes that ask.
        surely: From which on a word does of which no rule says so.
    """

    load: Callable[[], Reader]
    keeps: float = 0.1
    decides: float = 0.8
    overrules: float = 0.9
    others: float = 0.6
    family: float = 0.5
    least: float = 0.5
    titles: float = 0.7
    never: float = 0.05
    surely: float = 0.97

    def verdicts(
        self, words: TokenBatch, places: Places, verdicts: NDArray[np.int8]
    ) -> NDArray[np.int8]:
        """Decide of words that are spelt like first names.

        Args:
            places: Which of them. Shape (W,).
            verdicts: What the rules say: `ACCEPT`, `UNSURE` or `REJECT`. Shape (W,).

        Returns:
            The verdicts; of those that change, all are sure. Shape (W,).
        """
        least = np.array((0.0, self.keeps, self.decides, self.overrules))[verdicts]
        answers = verdicts.copy()
        # The reader knows the lists of names by their letters: "José" is "Jose" to the rules alone.
        is_spelt = words.vocabulary.hashes(words.number[places]) == words.hash[places]
        asked = (is_spelt & words.is_capital(places) & (least <= 1)).nonzero()[0]
        shares = self.tagged(words, places[asked]).probabilities
        given = shares[:, GIVEN] >= least[asked]
        given &= shares[:, PLACE : OTHER + 1].sum(axis=1) < self.others
        answers[asked[given]] = ACCEPT
        answers[asked[~given & (verdicts[asked] == ACCEPT)]] = REJECT
        return answers

    def people(self, words: TokenBatch, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to name people. Shape (W,)."""
        shares: NDArray[np.float64] = self.tagged(words, places).probabilities[:, PEOPLE]
        return shares

    def titles_of(self, words: TokenBatch, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to be of a title or a fixed phrase. Shape (W,).

        Where that is likelier than a thing, the two count together: "the Best Actor award".
        """
        shares = self.tagged(words, places).probabilities
        title, thing = shares[:, TITLE], shares[:, THING]
        return np.where(title > thing, title + thing, title)

    def given(self, words: TokenBatch, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to be given names. Shape (W,)."""
        return self.tagged(words, places).probabilities[:, GIVEN]

    def family_at(self, words: TokenBatch, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to be family names. Shape (W,)."""
        return self.tagged(words, places).probabilities[:, FAMILY]

    def tagged(self, words: TokenBatch, places: Places) -> Tagged:
        """Tag words."""
        return self.load().tags(words, places)


def by_sense(rules: Sequence[Rule[bool]], tags: Tags) -> tuple[Rule[bool], ...]:
    """Let a reader tell whether words name people, where the rules do not.

    Returns:
        The rules, of which the last two ask the reader.
    """

    def names_people(candidates: Candidates) -> Mask:
        held: Mask = tags.people(candidates.words, candidates.lasts) >= tags.least
        return held

    def explain(candidates: Candidates) -> str:
        return tags.tagged(candidates.words, candidates.lasts).describe(0, of_sense=True)

    return (
        *(rule for rule in rules if rule.name not in (SENSE, _OTHER_SENSE)),
        Rule(SENSE, True, Predicate(names_people, is_costly=True), "its tag", explain=explain),
        Rule(_OTHER_SENSE, False, ALWAYS, "its tag", explain=explain),
    )


def with_reader(language: "Language", reader: str) -> "Language":
    """Return a language of which a reader is asked: a token classifier about pronouns as well.

    Args:
        reader: A folder, a file or the Hub id of a reader, which is loaded at the first question.
    """
    load = partial(load_reader, reader)
    if reader.endswith(STUDENT):
        # It tells as much as the network that ships: first names beside the rules. What it was
        # taught about cases moves the model of pronouns.
        tags = Tags(load, overrules=math.inf)
        return language._replace(
            tags=tags,
            person=by_sense(language.person, tags),
            cases=_cases_as_taught(language.cases, load),
        )
    tags = Tags(load)
    return language._replace(
        tags=tags,
        person=by_sense(language.person, tags),
        cases=_cases_by_tag(language.cases, tags),
    )


def _cases_as_taught(cases: Cases, load: Callable[[], Reader]) -> Cases:
    """Let what a student was taught move the models that tell cases."""

    def taught(rule: Rule[str]) -> Rule[str]:
        own, question = rule.log_odds, rule.name.removeprefix("model.")
        if own is None:
            return rule

        def log_odds(candidates: Candidates) -> NDArray[np.float64]:
            return own(candidates) + cast(Student, load()).moved(question, candidates)

        condition = rule.condition
        if condition is not ALWAYS:
            condition = Predicate(lambda candidates: log_odds(candidates) > 0, is_costly=True)
        return replace(rule, condition=condition, log_odds=log_odds)

    return {case: tuple(map(taught, rules)) for case, rules in cases.items()}


def _cases_by_tag(cases: Cases, tags: Tags) -> Cases:
    """Let a reader tell the cases of "her" and "his"."""
    rules = dict(cases)

    def is_determiner(candidates: Candidates) -> Mask:
        held: Mask = tags.tagged(candidates.words, candidates.places).tags == DETERMINER
        return held

    def explain(candidates: Candidates) -> str:
        return tags.tagged(candidates.words, candidates.places).describe(0)

    asked = Predicate(is_determiner, is_costly=True)
    for other in ("object", "possessive"):
        if ("determiner", other) in rules:
            rules["determiner", other] = (
                Rule("pronouns.tagged", "determiner", asked, "its tag", explain=explain),
                Rule("pronouns.tagged_other", other, ALWAYS, "its tag", explain=explain),
            )
    return rules
