"""Texts whose words people have tagged: names, what other names are, pronouns, and people.

Spans say what is a name, a place, an organisation or a work; those of novels say which common nouns
stand for people; a treebank says the case of pronouns.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.classifier.grammar import Sentence, entries, read_treebank
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.reader.names.given_names import known, names_by_culture
from fair_datasets.reader.tags import (
    ALONE,
    CASES,
    DETERMINER,
    FAMILY,
    GIVEN,
    NAMES,
    NONE,
    OBJECT,
    ORGANISATION,
    OTHER,
    PEOPLE,
    PLACE,
    PRONOUNS,
    SENSES,
    THING,
    WORK,
)
from fair_datasets.reader.training.rows import (
    BEFORE_FIRST_NAMES,
    Names,
    Row,
    Span,
    is_held_back,
    is_possessive,
    renamed,
    share,
)
from fair_datasets.system.checks import InputError

_PEOPLE, _PROPER, _NOUN, _UNKNOWN = "PER", "PROP", "NOM", "UNKNOWN"
_LISTED = 1 << NONE | 1 << GIVEN | 1 << FAMILY | 1 << PLACE | 1 << ORGANISATION
# Which tags each source tells apart: that a word is in no span does not say that it is in no work.
FILES = {
    "tweets": ("person_names_tweets.jsonl.gz", _LISTED),
    "ewt": ("person_names_ewt_dev.jsonl.gz", _LISTED),
    "wnut17": ("entities_wnut17.jsonl.gz", _LISTED | 1 << WORK),
    "wikigold": ("entities_wikigold.jsonl.gz", NAMES),
    **{
        f"crossner-{field}": ("entities_crossner.jsonl.gz", NAMES)
        for field in ("ai", "literature", "music", "science")
    },
    "litbank": ("people_litbank.jsonl.gz", _LISTED),
}
"""Source of tagged texts to its file and to the tags that it tells apart, a bit for each."""
HELD_OUT_BOOKS = frozenset((
    "41286", "41", "4276", "4300", "432", "472", "5348", "550", "6053", "6593", "711", "730", "73",
    "766", "768", "76", "77", "829", "84", "876",
))  # fmt: skip
"""The numbers of the books of LitBank that no training reads; CrossNER's politics are kept too."""
TREEBANK = "ud_ewt_train.conllu.gz"
BASE = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder that is fine-tuned, unless another is named."""


class ReaderConfig(NamedTuple):
    """How a reader is trained.

    Attributes:
        data: The folder of the shared data.
        base: The encoder that is fine-tuned, a folder or a Hub id.
        left_out: Sources of tagged texts that no training reads.
        teacher_epochs: How often the teacher sees each tagged text.
        student_epochs: How often the student sees each text.
        texts: The share of the untagged texts that the teacher tags; 1 means some 120,000.
        seed: The seed of all draws.
    """

    data: Path
    base: str = BASE
    left_out: tuple[str, ...] = ()
    teacher_epochs: int = 2
    student_epochs: int = 5
    texts: float = 1.0
    seed: int = 0


_KINDS = {
    "LOC": 1 << PLACE, "ORG": 1 << ORGANISATION, "GROUP": 1 << ORGANISATION,
    "WORK": 1 << WORK, "PRODUCT": 1 << WORK, "MISC": 1 << WORK | 1 << OTHER,
    "AWARD": 1 << OTHER, _UNKNOWN: 0, "EVENT": 1 << OTHER, "OBJECT": 1 << WORK | 1 << OTHER,
}  # fmt: skip
_EITHER = 1 << GIVEN | 1 << FAMILY
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_NAMES_READ = 0.8
_MANY, _SOME, _FREQUENT, _RARE = 20_000, 1_000, 5_000, 10**9
_POSSESSIVES = ("nmod:poss", "det:poss")


def tagged_rows(folder: Path, source: str) -> Iterator[Row]:
    """Read the tagged texts of a source.

    Args:
        folder: The folder of the shared data.
        source: One of `FILES`.

    Yields:
        The rows, in the order of the file.

    Raises:
        InputError: There is no such file.
    """
    counts = NameCounts(folder)
    for tokens, spans in _tagged(folder, source):
        yield _gold_row(source, tokens, spans, FILES[source][1], counts)


def renamed_rows(folder: Path, source: str, copies: tuple[int, int, int]) -> Iterator[Row]:
    """Read the tagged texts of a source with other names in them.

    Args:
        folder: The folder of the shared data.
        source: One of `FILES`.
        copies: How often each text is read with names of the USA, with those of a culture that is
            drawn, and with names that are put together of those and on no list.

    Yields:
        The rows, in which no sense is known, as else the novels would outweigh all that was read;
        texts without a name, and those that are held back, have none.

    Raises:
        InputError: There is no such file.
    """
    counts = NameCounts(folder)
    american, world = american_names(counts), world_names(counts)
    made_up = [*map(made_up_names, world)]
    for tokens, spans in _tagged(folder, source):
        if is_held_back(tokens.text):
            continue
        row = _without_senses(_gold_row(source, tokens, spans, FILES[source][1], counts))
        for number in range(sum(copies)):
            names = american
            if number >= copies[0]:
                several = world if number < copies[0] + copies[1] else made_up
                names = several[int(share(f"culture {number} {tokens.text}") * len(world))]
            yield from renamed(tokens, [*_proper(tokens, spans)], row, names, number)


def _without_senses(row: Row) -> Row:
    """Return a row in which no word's sense is known."""
    allowed, considered = ([each & ~SENSES for each in bits] for bits in row[2:])
    return row._replace(allowed=allowed, considered=considered)


def american_names(counts: "NameCounts") -> Names:
    """Return names of the USA to draw from."""
    listed = sorted({form.text for form in load_lexicon("first_names").forms()})
    return Names([*listed, *counts.unlisted_names()], counts.family_names())


def world_names(counts: "NameCounts") -> list[Names]:
    """Return the names of each culture to draw from, but for a fifth that no training reads.

    A family name is one of the USA, or a name of the culture's men: in many cultures a second name
    is the father's.
    """
    family, cultures = counts.family_names(), []
    for genders, _ in names_by_culture().values():
        women, men = (
            [name for name in names if is_drawn(name)]
            for names in (genders["woman"], genders["man"])
        )
        if women and men:
            cultures.append(Names([*women, *men], [*men, *family[: len(men)]]))
    return cultures


def made_up_names(names: Names) -> Names:
    """Put given names together of halves of others: as far as lists tell, they are none.

    Example:
        >>> made_up_names(Names(["Nneka", "Adaeze", "Ngozi"], ["Okafor"])).given
        ['Nneeze', 'Adaozi', 'Ngoeka']
    """
    pairs = zip(names.given, [*names.given[1:], *names.given[:1]], strict=True)
    blends = [one[: (len(one) + 1) // 2] + other[len(other) // 2 :] for one, other in pairs]
    return Names([name for name in blends if known(without_accents(name)) is None], names.family)


def is_drawn(name: str) -> bool:
    """Whether training may read a name of the world in gold, as four of five are.

    Example:
        >>> is_drawn("Nneka"), is_drawn("Obinna")
        (True, True)
    """
    return share(f"name {name.lower()}") < _NAMES_READ


def pronoun_rows(path: Path, source: str) -> Iterator[Row]:
    """Read the sentences of a treebank that have "her", "hers", "him" or "his".

    Yields:
        The rows, whose other words are not known.
    """
    for sentence in read_treebank(path):
        allowed = [_case(sentence, index) for index in range(len(sentence.tokens.lower))]
        if any(allowed):
            yield Row.of(source, sentence.tokens.text, allowed, CASES)


class NameCounts:
    """How often names are first names, and which are surnames, as far as the data tell.

    Args:
        folder: The folder of the shared data; without its lists, only the shipped one tells.
    """

    def __init__(self, folder: Path) -> None:
        """Read the lists."""
        self._births: dict[str, int] = {}
        self._surnames: dict[str, int] = {}
        for entry in entries(folder / "names/ssa_totals.csv.gz"):
            births = int(entry["female"]) + int(entry["male"])
            self._births[entry["name"].lower()] = births
        for rank, entry in enumerate(entries(folder / "names/surnames_race_census2010.csv.gz")):
            self._surnames.setdefault(entry["surname"].lower(), rank)

    def unlisted_names(self) -> list[str]:
        """Return first names that the shipped list lacks, as it does not have all there are."""
        return [
            word.title()
            for word, births in self._births.items()
            if births >= _SOME and word not in _first_names() and word not in self._surnames
        ]

    def family_names(self) -> list[str]:
        """Return the frequent surnames that are no first names, as they are written."""
        surnames = [
            word.title()
            for word, rank in self._surnames.items()
            if rank < _MANY
            and word not in _first_names()
            and self._births.get(word, 0) < _MANY // 10
        ]
        return surnames or ["Smith"]

    def one_name(self, word: str, before: str) -> int:
        """Return the tags of a name that is one word.

        Returns:
            The tags that it may have, a bit for each.
        """
        if before in words("before_surname"):
            return 1 << FAMILY
        if any(before in words(name) for name in BEFORE_FIRST_NAMES):
            return 1 << GIVEN
        births, rank = self._births.get(word, 0), self._surnames.get(word, _RARE)
        if word in _given_names() or (births >= _MANY and rank >= _FREQUENT):
            return 1 << GIVEN
        is_first = word in _first_names() or births >= _MANY // 10
        return _EITHER if is_first or rank == _RARE else 1 << FAMILY


def both_known(names: Iterable[Row], pronouns: Iterable[Row]) -> Iterator[Row]:
    """Put what is known of names and of pronouns of the same texts together.

    Yields:
        The first rows, with what the others know of their words.
    """
    known = {row.text: row for row in pronouns}
    for row in names:
        other = known.get(row.text)
        if other is None:
            yield row
            continue
        pairs = [zip(row.allowed, other.allowed, strict=True)]
        pairs += [zip(row.considered, other.considered, strict=True)]
        allowed, considered = ([first | second for first, second in each] for each in pairs)
        yield Row(row.source, row.text, allowed, considered)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Read a file of tagged texts."""
    if not path.exists():
        raise InputError(
            f"train reader: the data lack {path.name!r}; give the folder that has it with --data."
        )
    return entries(path)


def _tagged(folder: Path, source: str) -> Iterator[tuple[Tokens, list[Span]]]:
    """Read the texts of a source that training may read, and their spans."""
    for entry in _entries(folder / "tagged" / FILES[source][0]):
        is_of_source = not source.startswith("crossner") or entry["source"] == source
        is_held_out = entry.get("book", "").partition("_")[0] in HELD_OUT_BOOKS
        tokens = tokenize(entry["text"])
        if is_of_source and not is_held_out and tokens.starts:
            spans = [(int(span[0]), int(span[1]), "".join(span[2:])) for span in entry["spans"]]
            yield tokens, spans


def _proper(tokens: Tokens, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of names; of a mention in a novel, which is a noun phrase, the name alone."""
    for begin, end, kind in spans:
        if kind in _KINDS or kind == _PEOPLE:
            yield begin, end, kind
        elif kind.endswith(_PROPER):
            inside = [k for k, start in enumerate(tokens.starts) if begin <= start < end]
            name = _name_within(tokens, inside)
            if name:
                kind = kind.removesuffix(_PROPER)
                is_office = kind == _PEOPLE and tokens.lower[inside[0]] in _NO_NAMES
                places = tokens.starts[name[0]], tokens.end(name[-1])
                yield *places, _UNKNOWN if is_office else kind


def _name_within(tokens: Tokens, inside: Sequence[int]) -> list[int]:
    """Return the first capitalised words of a noun phrase that are more than titles."""
    titles = _titles()
    begin = next(
        (
            k
            for k, index in enumerate(inside)
            if tokens.word(index)[0].isupper()
            and tokens.lower[index] not in titles
            and tokens.lower[index] not in _NO_NAMES
        ),
        len(inside),
    )
    name = [
        *takewhile(
            lambda k: tokens.word(k)[0].isupper() or tokens.lower[k] in words("particles"),
            inside[begin:],
        )
    ]
    while name and not tokens.word(name[-1])[0].isupper():
        name.pop()
    return name


# "the Lord Chancellor", "my Lady"
_NO_NAMES = frozenset({
    "the", "a", "an", "my", "his", "her", "our", "your", "their", "this", "that",
})  # fmt: skip
_NOT_OF_THE_NOUN = frozenset({
    "of", "in", "with", "who", "whom", "that", "which", "from", "at", "on", "by", "to", "for",
    "whose", "as", "than",
})  # fmt: skip
# "He was black" says something of people outside of any mention.
_COPULAS = frozenset({
    "am", "is", "are", "was", "were", "be", "been", "being", "became", "become", "becomes", "seem",
    "seems", "seemed", "look", "looks", "looked", "grew", "grow", "grown", "get", "got", "getting",
    "feel", "felt", "so", "too", "very", "as",
})  # fmt: skip
_NEAR = 3


def _senses(tokens: Tokens, spans: Sequence[Span]) -> list[int]:
    """Return which words of lexicons name people: those of common nouns in the mention of a person.

    Returns:
        For each word a bit of `PEOPLE` or `THING`; 0 of words that no lexicon has, or of which the
        mentions do not tell.
    """
    senses = [0] * len(tokens.starts)
    covered: set[int] = set()
    for begin, end, kind in spans:
        inside = [k for k, start in enumerate(tokens.starts) if begin <= start < end]
        if kind == _PEOPLE + _NOUN:
            of_noun = takewhile(lambda k: tokens.lower[k] not in _NOT_OF_THE_NOUN, inside)
            for index in of_noun:
                senses[index] = 1 << PEOPLE
        if kind.startswith(_PEOPLE) or kind.endswith(_PROPER):
            covered.update(inside)
    for index, word in enumerate(tokens.lower):
        is_alone = tokens.is_alone(index)
        if word not in _nouns() or not is_alone:
            senses[index] = 0
        elif index not in covered:
            before = tokens.lower[max(0, index - _NEAR) : index]
            senses[index] = 0 if _COPULAS & set(before) else 1 << THING
    return senses


@cache
def _nouns() -> frozenset[str]:
    """Return the words of the lexicons that are a term of their own."""
    forms = (form.text.lower() for axis in _AXES for form in load_lexicon(axis).forms())
    return sense_words().intersection(forms)


@cache
def sense_words() -> frozenset[str]:
    """Return the words of the lexicons of all axes, of which the senses are asked.

    Returns:
        The words in lower case; of several that stand together each.

    Example:
        >>> {"black", "priest", "old"} <= sense_words(), "table" in sense_words()
        (True, False)
    """
    return frozenset(
        word
        for axis in _AXES
        for form in load_lexicon(axis).forms()
        for word in tokenize(form.text.lower()).lower
    ) - frozenset(PRONOUNS)


_AXES = ("gender", "race", "religion", "nationality", "orientation", "age")


def _gold_row(
    source: str, tokens: Tokens, spans: Sequence[Span], known: int, counts: "NameCounts"
) -> Row:
    """Return which tags the words of a text may have."""
    count = len(tokens.starts)
    allowed = [1 << NONE] * count
    people: dict[str, int] = {}
    alone: list[int] = []
    for span in _proper(tokens, spans):
        inside = [k for k in range(count) if span[0] <= tokens.starts[k] < span[1]]
        if span[2] != _PEOPLE:
            for index in inside:
                allowed[index] = _kind(tokens, index, span[2])
            continue
        for index, tag in _people(tokens, inside, counts):
            allowed[index] = tag
            if tag == _EITHER:
                alone.append(index)
            else:
                people[tokens.lower[index]] = tag
    for index in alone:
        allowed[index] = people.get(tokens.lower[index], _EITHER)
    considered = [known | each for each in allowed]
    for index, word in enumerate(tokens.lower):
        if word in PRONOUNS:
            allowed[index] = considered[index] = 0
    if any(kind.endswith(_NOUN) for _, _, kind in spans):
        senses = _senses(tokens, spans)
        allowed = [one | other for one, other in zip(allowed, senses, strict=True)]
        pairs = zip(considered, senses, strict=True)
        considered = [one | (SENSES if other else 0) for one, other in pairs]
    return Row(source, tokens.text, allowed, considered)


def _kind(tokens: Tokens, index: int, kind: str) -> int:
    """Return the tags of a word in the span of no person."""
    tags = _KINDS[kind]
    if kind != "MISC":
        return tags
    if tokens.lower[index] in words("peoples"):
        return 1 << OTHER
    # Some mark "novels" and "fairy tales" as well.
    return tags | 1 << NONE if tokens.word(index).islower() else tags


def _people(
    tokens: Tokens, inside: Sequence[int], counts: "NameCounts"
) -> Iterator[tuple[int, int]]:
    """Yield which words in the span of a person are given names and which are family names."""
    names = [k for k in inside if not is_possessive(tokens, k)]
    titles = _titles()
    first = names[0] if names else 0
    while names and tokens.lower[names[0]] in titles and len(names) > 1:
        yield names.pop(0), 1 << NONE
    if not names:
        return
    before = tokens.lower[names[0] - 1] if names[0] else ""
    while len(names) > 1 and tokens.lower[names[-1]] in _SUFFIXES:
        yield names.pop(), 1 << FAMILY
    if len(names) == 1:
        yield names[0], counts.one_name(tokens.lower[names[0]], before)
        return
    turned = next((k for k in names[1:] if tokens.gap(k).startswith(",")), None)
    if turned is not None:  # "Townsend, George"
        yield from ((k, 1 << FAMILY if k < turned else 1 << GIVEN) for k in names)
        return
    assert first <= names[0]
    yield names[0], 1 << GIVEN
    yield names[-1], 1 << FAMILY
    for index in names[1:-1]:
        is_initial = len(tokens.lower[index]) == 1
        is_particle = tokens.lower[index] in words("particles")
        is_given = is_initial or tokens.lower[index] in _given_names()
        yield index, (1 << GIVEN if is_given else 1 << FAMILY if is_particle else _EITHER)


def _case(sentence: Sentence, index: int) -> int:
    """Return the case of a pronoun as a treebank tells it; 0 of any other word."""
    word, tag = sentence.tokens.lower[index], sentence.tags.get(index)
    if tag not in ("PRP", "PRP$"):
        return 0
    if word == "her":
        return 1 << (DETERMINER if tag == "PRP$" else OBJECT)
    if word == "his":
        return 1 << (DETERMINER if sentence.relations[index] in _POSSESSIVES else ALONE)
    return {"him": 1 << OBJECT, "hers": 1 << ALONE}.get(word, 0)


@cache
def _titles() -> frozenset[str]:
    """Return the words that stand before names and are none."""
    return frozenset().union(words("before_surname"), *map(words, BEFORE_FIRST_NAMES))


@cache
def _given_names() -> frozenset[str]:
    """Return the shipped first names that are not surnames as often."""
    return frozenset(
        form.text.lower()
        for form in load_lexicon("first_names").forms()
        if "surname" not in form.flags
    )


@cache
def _first_names() -> frozenset[str]:
    """Return the shipped first names."""
    return frozenset(form.text.lower() for form in load_lexicon("first_names").forms())
