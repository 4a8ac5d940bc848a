"""Good rewrites that the project makes itself, and faults that are planted into rewrites.

Run by `runpy`, by the tests of this folder and by `tests/benchmarks/verification.py`.
"""

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Rewrite(NamedTuple):
    """A text and a rewrite of it, with what was asked for.

    Attributes:
        before: The original.
        after: The rewrite.
        axis: The axis.
        target: The attribute that was asked for; None for the counterparts.
        word: The word for the person who was asked about; None for everyone.
        start: Where it stands.
        halves: Rewrites in which a mention of the person is left as it was.
        others: Rewrites of somebody else, or of everybody.
    """

    before: str
    after: str
    axis: str = "gender"
    target: str | None = None
    word: str | None = None
    start: int | None = None
    halves: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


# {A} is asked about, {B} is not; {O} is nobody whom a lexicon knows. Behind them stands the case of
# a pronoun, or two forms of a verb.
FRAMES = (
    "{A} told {B} that {A:s} had not found {A:d} keys in {place}.",
    "{B} met {A} in {place} in {year}. There {A:s} said that {A:s} did not like {A:d} new house.",
    "{A} lost {n} coins in {place}, but {A:s} never blamed {A:r}. Nor did {B}.",
    "When {A} came home, {A:s} hurt {A:r}. {B} was not there, as {B:s} had gone to {place}.",
    "“I will not stay,” said {A}, and {A:s} gave {n} apples to {B} in {place}.",
    "{A} and {B} left {place} at {n}. Then {A} took {A:d} bike.",
    "In {place}, {B} gave {n} books to {A} because {A:s} had no money.",
    '{A} was tired. So {A:s} did not call {B} in {place}. "Wait here," {A:s} wrote.',
    "{A} is a good singer and {A:s} {A:practises/practise} {n} hours a day. {B} is not.",
    "{A} saw {A:r} in the mirror, which {A:s} had not cleaned since {year}. {B} laughed.",
    "Nobody liked {A} at first. Now {A:s} {A:has/have} {n} friends in {place}, and {B} is one.",
    "{B} slept. {A} visited {O} in {place} because {O:s} had {n} free days.",
    "{B} went to {place} in {year}. Later {A} moved there with {A:d} dog; it was not {A:d} choice.",
)
PLACES = ("Paris", "Boston", "Vienna", "Kenya", "Lisbon")
YEARS = ("1987", "1995", "2003", "2012")
COUNTS = ("three", "12", "40", "seven")
NAMES = {
    "man": ("John", "Peter", "David", "Robert", "Michael"),
    "woman": ("Mary", "Susan", "Linda", "Barbara", "Patricia"),
}
NOUNS = {
    "man": ("the waiter", "the actor", "the king", "the old man", "the policeman"),
    "woman": ("the waitress", "the actress", "the queen", "the old woman", "the policewoman"),
    "non-binary": ("the server", "the performer", "the monarch", "the old person",
                   "the police officer"),
}  # fmt: skip
PRONOUNS = {
    "man": {"s": "he", "o": "him", "d": "his", "r": "himself"},
    "woman": {"s": "she", "o": "her", "d": "her", "r": "herself"},
    "non-binary": {"s": "they", "o": "them", "d": "their", "r": "themself"},
    "xe": {"s": "xe", "o": "xem", "d": "xyr", "r": "xemself"},
}
_SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")


class Person(NamedTuple):
    """Who is spoken of: a name or noun, and the pronouns."""

    called: str
    pronouns: str


def written(frame: str, people: dict[str, Person], details: dict[str, str]) -> str:
    """Fill a frame; each slot of a person has an own number in `people`, or the person's."""
    parts, position = [], 0
    for number, match in enumerate(_SLOT.finditer(frame)):
        parts.append(frame[position : match.start()])
        position = match.end()
        key, form = match[1], match[2]
        if key in details:
            parts.append(details[key])
            continue
        person = people.get(f"{key}{number}", people[key])
        word = person.called
        if form and "/" in form:
            word = form.split("/")[person.pronouns == "non-binary"]
        elif form:
            word = PRONOUNS[person.pronouns][form]
        before = "".join(parts)
        opens = not before or before.endswith((". ", ".” ", '." '))
        parts.append(word[0].upper() + word[1:] if opens else word)
    return "".join([*parts, frame[position:]])


def two_person_rewrites(seed: int = 0, each: int = 4) -> Iterator[Rewrite]:
    """Give rewrites of one of two persons, in the project's own sentences.

    Args:
        seed: The seed of the words that are drawn.
        each: How many sentences are made of a frame for each pair of attributes.
    """
    draw = random.Random(seed)
    for frame in FRAMES:
        for own in ("man", "woman"):
            for other in ("man", "woman"):
                for target in ("man" if own == "woman" else "woman", "non-binary"):
                    for _ in range(each):
                        yield _two_person_rewrite(frame, own, other, target, draw)


def _two_person_rewrite(
    frame: str, own: str, other: str, target: str, draw: random.Random
) -> Rewrite:
    """Make one rewrite."""
    details = {"place": draw.choice(PLACES), "year": draw.choice(YEARS), "n": draw.choice(COUNTS)}
    first, second = draw.sample(range(5), 2)
    as_name = target != "non-binary" and draw.random() < 0.6
    kind = NAMES if as_name else NOUNS
    asked, rewritten = Person(kind[own][first], own), Person(kind[target][first], target)
    if target == "non-binary" and draw.random() < 0.3:
        rewritten = Person(rewritten.called, "xe")
    kind = NAMES if draw.random() < 0.7 else NOUNS
    somebody = Person(kind[other][second], other)
    moved = Person(kind["man" if other == "woman" else "woman"][second],
                   "man" if other == "woman" else "woman")  # fmt: skip
    stranger = Person(draw.choice(("the doctor", "Xandrel")), own)
    before = written(frame, {"A": asked, "B": somebody, "O": stranger}, details)
    people = {"A": rewritten, "B": somebody, "O": stranger}
    halves = []
    for number, match in enumerate(_SLOT.finditer(frame)):
        if match[1] == "A" and number and "/" not in (match[2] or ""):
            halves.append(written(frame, people | {f"A{number}": asked}, details))
    others = (
        written(frame, {"A": asked, "B": moved, "O": stranger}, details),
        written(frame, people | {"B": moved}, details),
    )
    after = written(frame, people, details)
    halves = [half for half in halves if half != after]
    start = before.lower().index(asked.called.lower())
    return Rewrite(before, after, "gender", target, before[start : start + len(asked.called)],
                   start, tuple(halves), others)  # fmt: skip


def planted_persons(rewrite: Rewrite) -> Iterator[tuple[str, str]]:
    """Give a rewrite's faults in persons, by what they are called."""
    men, women = (rf"\b(?:{'|'.join(words)})\b" for words in (
        (*NAMES["man"], *NOUNS["man"]), (*NAMES["woman"], *NOUNS["woman"])))  # fmt: skip
    of_one = all(re.search(words, rewrite.before, re.IGNORECASE) for words in (men, women))
    persons = "" if of_one else ", two of one attribute"
    for text in rewrite.halves:
        yield f"half-broken chain{persons}", text
    for text in rewrite.others:
        yield f"wrong person{persons}", text
    yield from _other_words(rewrite)


def _other_words(rewrite: Rewrite) -> Iterator[tuple[str, str]]:
    """Give rewrites to another role, to a pronoun in place of a name, or to two names."""
    for target, nouns in NOUNS.items():
        for place, noun in enumerate(nouns):
            if target == rewrite.target and noun in rewrite.after:
                yield "another role", rewrite.after.replace(noun, nouns[place - 1])
    for name in NAMES.get(rewrite.target or "", ()):
        if name in rewrite.after and name not in rewrite.before:
            subject = PRONOUNS[rewrite.target or ""]["s"]
            yield "name to pronoun", rewrite.after.replace(name, subject)
            if rewrite.after.count(name) > 1:
                other = NAMES[rewrite.target or ""][NAMES[rewrite.target or ""].index(name) - 1]
                yield "two names for one", rewrite.after.replace(name, other, 1)


Plant = Callable[[str, str, random.Random], str | None]
_NEGATION = re.compile(r" (?:not|never)\b|n['’]t\b")
_NUMBER = re.compile(r"(?<![\w.,:-])\d+(?![\w:-]|[.,]\d)")
_NUMBER_WORD = re.compile(r"(?<![\w-])(?:two|three|four|five|six|seven|eight|nine|ten)(?![\w-])")
_PLACE = re.compile(r"\b(?:in|at|from|near) ([A-Z][a-z]{3,})\b(?! [A-Z])")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_QUOTATION = re.compile(r"[\"“]([^\"“”]{4,})[\"”]")
_CLAUSES = (
    ", who was tired by then,", ", as everybody knew,", " and nobody minded", " with great joy",
    ", to the surprise of the whole town,",
)  # fmt: skip
_SENTENCES = (" It was a cold day.", " Nobody was surprised.", " The door stayed open for hours.")


def dropped_negation(before: str, after: str, draw: random.Random) -> str | None:
    """Leave a negation out."""
    found = [match for match in _NEGATION.finditer(after) if match.group() in before]
    return _cut(after, draw.choice(found).span()) if found else None


def added_negation(before: str, after: str, draw: random.Random) -> str | None:
    """Put a negation in."""
    found = list(re.finditer(r"\b(?:was|is|were|had|has|will|did)\b", after))
    place = draw.choice(found).end() if found else 0
    return after[:place] + " not" + after[place:] if found else None


def changed_number(before: str, after: str, draw: random.Random) -> str | None:
    """Write another number."""
    found = [m for m in _NUMBER.finditer(after) if m.group() in before]
    if found:
        match = draw.choice(found)
        return _put(after, match.span(), str(int(match.group()) + draw.choice((1, 2, 10))))
    words = [m for m in _NUMBER_WORD.finditer(after) if m.group() in before]
    return _put(after, draw.choice(words).span(), "eleven") if words else None


def invented_clause(before: str, after: str, draw: random.Random) -> str | None:
    """Put a clause in, or a sentence behind."""
    spaces = [match.start() for match in re.finditer(r"(?<=\w) (?=\w)", after)]
    if not spaces or draw.random() < 0.3:
        return after + draw.choice(_SENTENCES)
    place = draw.choice(spaces)
    return after[:place] + draw.choice(_CLAUSES) + after[place:]


def dropped_sentence(before: str, after: str, draw: random.Random) -> str | None:
    """Leave a sentence out."""
    sentences = _SENTENCE.split(after)
    if len(sentences) < 2:
        return None
    del sentences[draw.randrange(len(sentences))]
    return " ".join(sentences)


def dropped_words(before: str, after: str, draw: random.Random) -> str | None:
    """Leave some words out in the middle."""
    words = after.split(" ")
    if len(words) < 8:
        return None
    size = draw.choice((1, 2, 4))
    place = draw.randrange(1, len(words) - size - 1)
    rest = " ".join(words[:place] + words[place + size :])
    return rest if len(rest) < len(after) - 2 else None


def repetition(before: str, after: str, draw: random.Random) -> str | None:
    """Say some words twice or more."""
    words = after.split(" ")
    if len(words) < 6:
        return None
    size = draw.randrange(1, 5)
    place = draw.randrange(len(words) - size)
    if not any(re.search(r"\w", word) for word in words[place : place + size]):
        return None
    times = draw.choice((1, 1, 3))
    return " ".join(words[: place + size] + words[place : place + size] * times
                    + words[place + size :])  # fmt: skip


def truncation(before: str, after: str, draw: random.Random) -> str | None:
    """End early."""
    words = after.split()
    cut = max(1, len(words) // draw.choice((3, 6, 10)))
    is_cut = any(re.search(r"\w", word) for word in words[-cut:])
    return after[: after.rindex(words[-cut])] if is_cut and len(words) > cut else None


def changed_place(before: str, after: str, draw: random.Random) -> str | None:
    """Write another place."""
    found = [match for match in _PLACE.finditer(after) if match.group() in before]
    return _put(after, draw.choice(found).span(1), "Montevideo") if found else None


def changed_quotation(before: str, after: str, draw: random.Random) -> str | None:
    """Write another word within a quotation."""
    found = [match for match in _QUOTATION.finditer(after) if match.group() in before]
    if not found:
        return None
    start, end = draw.choice(found).span(1)
    words = [match.span() for match in re.finditer(r"\w{2,}", after[start:end])]
    if not words:
        return None
    first, last = draw.choice(words)
    return _put(after, (start + first, start + last), "lantern")


def changed_word(before: str, after: str, draw: random.Random) -> str | None:
    """Write another everyday word."""
    found = [m for m in re.finditer(r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", after)
             if f" {m.group()} " in before]  # fmt: skip
    return _put(after, draw.choice(found).span(), "lantern") if found else None


def unusual_marking(before: str, after: str, draw: random.Random) -> str | None:
    """Put a word of the axis in where none stood."""
    found = list(re.finditer(r"(?<=\b[tT]he )(?=[a-z])", after))
    word = draw.choice(("young adult ", "female ", "male ", "Black "))
    return _put(after, draw.choice(found).span(), word) if found else None


def changed_tense(before: str, after: str, draw: random.Random) -> str | None:
    """Write a verb in the plural for the singular, or in another tense."""
    pairs = {"is": "was", "was": "were", "has": "had", "are": "is", "had": "has"}
    found = [m for m in re.finditer(r"\b(?:is|was|has|are|had)\b", after)
             if f" {m.group()} " in before]  # fmt: skip
    if not found:
        return None
    match = draw.choice(found)
    return _put(after, match.span(), pairs[match.group()])


PLANTS: dict[str, Plant] = {
    plant.__name__.replace("_", " "): plant
    for plant in (
        dropped_negation, added_negation, changed_number, invented_clause, dropped_sentence,
        dropped_words, repetition, truncation, changed_place, changed_quotation, changed_word,
        unusual_marking, changed_tense,
    )
}  # fmt: skip


def mended_quotes(before: str, after: str) -> str:
    """Write typographic quotes straight."""
    return after.translate(str.maketrans("“”‘’", "\"\"''"))


def mended_spacing(before: str, after: str) -> str:
    """Write spaces between words and signs, as some tokenizers do, and one at the end."""
    return re.sub(r"([.,;!?])", r" \1", after) + "\n"


def mended_case(before: str, after: str) -> str:
    """Write everything in lower case, as an uncased model does."""
    return after.lower()


MENDS = {mend.__name__.replace("_", " "): mend
         for mend in (mended_quotes, mended_spacing, mended_case)}  # fmt: skip
# Mistakes in spelling that a model mends, and what it writes.
TYPOS = {"because": "becuase", "friends": "freinds", "house": "huose", "there": "theer",
         "money": "mony", "choice": "choise", "found": "fuond", "mirror": "mirorr",
         "clean": "claen", "station": "staion", "called": "caled", "which": "wich"}  # fmt: skip


def with_typos(text: str) -> str:
    """Write a text with mistakes in spelling."""
    return re.sub(r"[a-z]+", lambda match: TYPOS.get(match.group(), match.group()), text)


def _cut(text: str, span: tuple[int, int]) -> str:
    """Leave a stretch out."""
    return _put(text, span, "")


def _put(text: str, span: tuple[int, int], new: str) -> str:
    """Put something in the place of a stretch."""
    return text[: span[0]] + new + text[span[1] :]
