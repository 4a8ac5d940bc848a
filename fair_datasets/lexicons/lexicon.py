"""The lexicon of one demographic axis, and the reading of its file."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

from fair_datasets.system.checks import InputError, counted
from fair_datasets.system.files import numbered_lines

# What a flag says about a form:
FLAGS = {
    "target": "is written, never read: too general to be a mention of the attribute",
    "verb": "is a verb in the same spelling",
    "thing": "often does not denote a person",
    "title": "is read only as a title before a name",
    "person": "is read only where it describes people",
    "capital": "is read only where it is capitalised",
    "word": "(a name) is an everyday word",
    "proper": "(a name) is another proper noun: a month, a nationality, a brand",
    "place": "(a name) is a place",
    "surname": "is a surname as well; (a name) more often than a first name",
}
# The flags that a form of several words may carry.
_FLAGS_OF_PHRASES = frozenset({"capital", "person", "target"})
# The uses of one spelling that its neighbours tell apart: "an Asian chef", "an Asian", "Asians".
USES = frozenset({"adjective", "singular", "plural"})
# Those that only some rows tell apart besides: "she is old", "they are old", "the old".
FINER_USES = frozenset({"predicate", "predicate plural", "group"})
# The cases of one spelling that its neighbours tell apart otherwise: a girl who is grown up.
_NOUN_CASES = (
    frozenset({"singular", "grown singular"}),
    frozenset({"plural", "grown plural"}),
    frozenset({"singular", "serving singular"}),
    frozenset({"plural", "serving plural"}),
    frozenset({"adjective", "noun"}),
)
# The cases of a pronoun.
CASES = ("subject", "object", "determiner", "possessive", "reflexive")
NAME = "name"
"""The kind of a first name in a file of one's own: where it stays, its person's pronouns stay."""
# Columns of a lexicon file that are not attributes.
_DETAILS = ("kind", "inflection", "note")
# It is for people, and so is what stands behind it.
_FOR_PEOPLE = "note"
# How a figure is written, and several below each other.
_FIGURE = r"[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?%?"
_FIGURES = re.compile(rf"(?:{_FIGURE}\n)*+{_FIGURE}")
_FORM = re.compile(r"(?P<text>[^\[\]|]+?)(?:\[(?P<flags>[a-z,]+)\])?")
# What can be found in a text, whose words are runs of letters and digits: "ladies' man" as well.
_READABLE = re.compile(r"[^\W_]+(?:(?:[-'’ ]|['’] )[^\W_]+)*")
# In bytes; what ships is a thousandth of it.
LARGEST = 50_000_000
MADE_OF = (
    "words of letters and digits, with a single space, hyphen or apostrophe between two of them"
)


@dataclass(frozen=True)
class Form:
    """One spelling of a term.

    Attributes:
        text: The spelling; lower case unless it is always capitalised (a name).
        flags: What `FLAGS` says about it.
    """

    text: str
    flags: frozenset[str] = frozenset()

    @property
    def is_read(self) -> bool:
        """Whether the form is recognised in texts, and not only written."""
        return "target" not in self.flags


@dataclass(frozen=True)
class Entry:
    """One row of a lexicon: forms that differ only in their demographic attribute.

    Attributes:
        forms: Attribute to its forms; the first is the one that texts are rewritten to.
        kind: What sort of term it is, for instance `kinship` or `pronoun`.
        inflection: `singular`, `plural`, ...; the case of a pronoun.
        line: The line of the file, counted from 1.
    """

    forms: Mapping[str, tuple[Form, ...]]
    kind: str = ""
    inflection: str = ""
    line: int = 0

    def __hash__(self) -> int:
        """Return a number by which rows are looked up; the forms have none."""
        return hash((self.kind, self.inflection, self.line))

    @property
    def is_plural(self) -> bool:
        """Whether its forms are plurals, of one sense or all."""
        return self.inflection.endswith("plural")

    @property
    def all_forms(self) -> Iterator[tuple[str, Form]]:
        """All its forms, each with its attribute."""
        return ((attribute, form) for attribute, cell in self.forms.items() for form in cell)


@dataclass(frozen=True)
class Lexicon:
    """The terms of one demographic axis.

    Attributes:
        counterparts: Attribute to the attribute that it is swapped with when no target is asked
            for. Empty where the axis has no such pairing.
        neutral: The attribute that says nothing about the axis, if there is one.
        exceptions: Phrases in which a term is left alone ("bachelor's degree"); a single word is
            never read.
        people: Those of them that name a person, real or of fiction ("Mother Teresa").
        names: `first names` or `surnames` where it lists names, else empty.
        language: The code of the language whose rules read its words.
        experimental: What is said of an axis whose rows too few were judged of; else empty.

    Example:
        >>> from fair_datasets.lexicons import load_lexicon
        >>> gender = load_lexicon("gender")
        >>> gender.attributes
        ('man', 'woman', 'non-binary')
    """

    name: str
    attributes: tuple[str, ...]
    entries: tuple[Entry, ...]
    counterparts: Mapping[str, str] = field(default_factory=dict)
    neutral: str = ""
    exceptions: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    names: str = ""
    language: str = "en"
    experimental: str = ""
    _drawn: tuple[str, ...] = ()

    @property
    def drawn(self) -> tuple[str, ...]:
        """The attributes that are drawn where no target is asked for; all where none are named."""
        return self._drawn or self.attributes

    def forms(self) -> Iterator[Form]:
        """Give the forms of all rows and attributes, in order."""
        for entry in self.entries:
            for several in entry.forms.values():
                yield from several

    @classmethod
    def from_tsv(cls, path: str | Path) -> Self:
        r"""Read a lexicon from a tab-separated file.

        The header names the attributes, and optionally the columns `kind` and `inflection`. What is
        for people alone is not read: a column `note` with all columns behind it, and columns of
        figures, such as counts. A cell holds the attribute's forms, separated by `|`; texts are
        rewritten to the first. A form may carry flags: `parent[target]`, `host[verb]`; see `FLAGS`.
        What is read is words, with one space, hyphen or apostrophe between.
        `<name>.exceptions.tsv` beside the file may list phrases that are left alone, under the
        header `phrase` and `reason`; a reason that begins with "person" says that one is named.
        A first name has the kind `name`.

        A file without `kind` and the like whose first line is rather a row of terms is refused.

        Args:
            path: The file; its name without the ending is the axis.

        Returns:
            The lexicon. With exactly two attributes each is the other's counterpart.

        Raises:
            InputError: The file cannot be read or a line is malformed; the sentence names both.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     path = Path(folder, "team.tsv")
            ...     _ = path.write_text("home\taway\nhost[verb]|hosts\tguest\n")
            ...     Lexicon.from_tsv(path).counterparts
            {'home': 'away', 'away': 'home'}
        """
        path = Path(path)
        lines, source = numbered_lines(path, largest=LARGEST), str(path)
        number, titles = next(lines, (1, ""))
        header = titles.split("\t")
        rows = [(line, _cells(header, text, f"{source}, line {line}")) for line, text in lines]
        attributes = _attributes(header, [cells for _, cells in rows], f"{path}, line {number}")
        entries = tuple(
            _entry(attributes, dict(zip(header, cells, strict=True)), source, line)
            for line, cells in rows
        )
        if not entries:
            raise InputError(f"{path}: the lexicon has a header but no rows; add some.")
        _refuse_clashes(entries, path)
        if len(attributes) == len(header):
            forms = {
                name: {form.text for entry in entries for form in entry.forms[name]}
                for name in attributes
            }
            refuse_row_as_header(attributes, forms, f"{path}, line {number}")
        first, *others = attributes
        pair = {first: others[0], others[0]: first} if len(others) == 1 else {}
        reasons = _exceptions(path)
        people = tuple(phrase for phrase, why in reasons.items() if why.startswith("person"))
        return cls(path.stem, attributes, entries, pair, exceptions=tuple(reasons), people=people)


def exceptions_file(path: Path) -> Path:
    """Return where a lexicon's phrases that are left alone would lie."""
    return path.with_name(f"{path.stem}.exceptions.tsv")


def _attributes(header: list[str], rows: Sequence[Sequence[str]], place: str) -> tuple[str, ...]:
    read = header[: header.index(_FOR_PEOPLE)] if _FOR_PEOPLE in header else header
    attributes = tuple(
        name
        for number, name in enumerate(read)
        if name not in _DETAILS and not _holds_figures(cells[number] for cells in rows)
    )
    is_clean = all(name and name == name.strip() for name in header)
    if len(attributes) < 2 or len(set(header)) < len(header) or not is_clean:
        raise InputError(
            f"{place}: the header must name at least two attributes, separated by tabs and "
            f"none twice (and optionally {', '.join(_DETAILS)} behind them), but it is {header!r}."
        )
    return attributes


def _holds_figures(cells: Iterable[str]) -> bool:
    """Whether a column holds figures alone."""
    return _FIGURES.fullmatch("\n".join(filter(None, cells))) is not None


def _cells(header: list[str], text: str, place: str) -> list[str]:
    cells = text.split("\t")
    if len(cells) != len(header):
        raise InputError(
            f"{place}: the line has {counted(len(cells), 'cell')}, but the header has "
            f"{len(header)}; separate cells by single tabs. The line is {text!r}."
        )
    return cells


def _entry(attributes: Sequence[str], row: Mapping[str, str], source: str, line: int) -> Entry:
    place = f"{source}, line {line}"
    forms = {name: _forms(row[name], place) for name in attributes}
    if not any(form.is_read for cell in forms.values() for form in cell):
        raise InputError(f"{place}: the row has no form that is read; give at least one.")
    if row.get("kind") == "pronoun" and row.get("inflection", CASES[0]) not in CASES:
        raise InputError(
            f"{place}: the inflection of a pronoun must be one of {', '.join(CASES)}, but it is "
            f"{row['inflection']!r}."
        )
    return Entry(forms, row.get("kind", ""), row.get("inflection", ""), line)


def _forms(cell: str, place: str) -> tuple[Form, ...]:
    """Parse the forms of a cell; most are one without flags."""
    if cell.isalnum():
        return (Form(cell),)
    return tuple(_form(part, place) for part in cell.split("|")) if cell else ()


def is_readable(text: str) -> bool:
    """Whether a form can be found in a text.

    Returns:
        Whether it is made of `MADE_OF`.
    """
    return _READABLE.fullmatch(text) is not None


def _form(written: str, place: str) -> Form:
    """Parse one form with its flags, or raise."""
    if written.isalnum():
        return Form(written)
    match = _FORM.fullmatch(written)
    if not match or match["text"] != match["text"].strip() or not match["text"][0].isalnum():
        raise InputError(
            f"{place}: {written!r} is not a form; write words, then optionally flags in brackets, "
            "as in host[verb], and separate forms by |."
        )
    flags = frozenset(match["flags"].split(",")) if match["flags"] else frozenset()
    if unknown := sorted(flags - FLAGS.keys()):
        raise InputError(
            f"{place}: {unknown[0]!r} in {written!r} is not a flag; the flags are "
            f"{', '.join(FLAGS)}."
        )
    if "target" not in flags and not is_readable(match["text"]):
        raise InputError(
            f"{place}: {written!r} would never be found in a text; a form that is read may be made "
            f"of {MADE_OF}, and one that is only written is marked [target]."
        )
    if flags - _FLAGS_OF_PHRASES and " " in match["text"]:
        raise InputError(
            f"{place}: {written!r} has several words; such a form can only be marked "
            f"{' or '.join(f'[{flag}]' for flag in sorted(_FLAGS_OF_PHRASES))}."
        )
    return Form(match["text"], flags)


def _refuse_clashes(entries: tuple[Entry, ...], path: Path) -> None:
    """Raise if a form is read in two places, which would leave its counterpart open."""
    read = [
        (form.text.lower(), "title" in form.flags)
        for entry in entries
        for cell in entry.forms.values()
        for form in cell
        if form.is_read
    ]
    if len(set(read)) == len(read):
        return
    # The cases of a pronoun may share a spelling ("her"), a title and another word ("lady"), and
    # the uses of a word for people ("Asian"): the neighbours tell them apart.
    seen: dict[tuple[str, bool], list[Entry]] = {}
    for entry in entries:
        forms = [form for cell in entry.forms.values() for form in cell if form.is_read]
        spellings = [form.text.lower() for form in forms]
        for form in forms:
            if spellings.count(form.text.lower()) > 1:
                raise InputError(
                    f"{path}, line {entry.line}: {form.text!r} stands twice in this row, so its "
                    "counterpart is not clear; remove one of them or mark it [target]."
                )
            others = seen.setdefault((form.text.lower(), "title" in form.flags), [])
            for other in others:
                if not _are_distinguishable(entry, other):
                    raise InputError(
                        f"{path}, line {entry.line}: {form.text!r} is read in line {other.line} "
                        "as well, so its counterpart is not clear; mark one of them [target]."
                    )
            others.append(entry)


def _are_distinguishable(entry: Entry, other: Entry) -> bool:
    """Whether the neighbours of a spelling say which of two rows it belongs to."""
    if entry.kind == other.kind == "pronoun":
        return True
    both = frozenset({entry.inflection, other.inflection})
    return both in _NOUN_CASES or (both <= USES | FINER_USES and len(both) > 1)


def _exceptions(path: Path) -> dict[str, str]:
    """Read the phrases that are left alone, each with the reason."""
    file = exceptions_file(path)
    if not file.exists():
        return {}
    phrases: dict[str, str] = {}
    for number, (line, text) in enumerate(numbered_lines(file, largest=LARGEST)):
        cells = text.split("\t")
        if number == 0:
            if cells != ["phrase", "reason"]:
                raise InputError(
                    f"{file}, line {line}: the header must be phrase, a tab and reason, but it is "
                    f"{text!r}."
                )
        elif len(cells) != 2 or not cells[0].strip():
            raise InputError(
                f"{file}, line {line}: expected a phrase, a tab and a reason, but it is {text!r}."
            )
        elif not is_readable(cells[0].strip()):
            raise InputError(
                f"{file}, line {line}: {cells[0]!r} would never be found in a text; a phrase may "
                f"be made of {MADE_OF}."
            )
        else:
            phrases[cells[0].strip()] = cells[1].strip()
    return phrases


_MARKS = "|[]"


def refuse_row_as_header(
    attributes: Sequence[str], forms: Mapping[str, Collection[str]], place: str
) -> None:
    """Raise if the names of attributes are rather the first row of a file without a header.

    An attribute may be a term of its own: "man" is. But then its column lists it. So a name that
    no row lists is taken for a row's where it is written as only a row's is ("he|him"), where its
    column has its plural, or where a lexicon that ships reads it as a word for people, and not as
    a quality ("male") or the name of an attribute.

    Example:
        >>> rows = {"home": {"host"}, "away": {"guest"}}
        >>> refuse_row_as_header(["home", "away"], rows, "team.tsv, line 1")
        >>> refuse_row_as_header(["he", "she"], {"he": {"him"}, "she": {"her"}}, "mine.tsv, line 1")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: mine.tsv, line 1: 'he' is a term that no row lists, so the
        header may be missing; write a first line that names the attributes, such as man and
        woman. If 'he' is the name of an attribute, list it in its column, or add a column 'kind'.
    """
    for name in attributes:
        if any(mark in name for mark in _MARKS):
            raise InputError(
                f"{place}: {name!r} is written as terms are; write a first line that names the "
                "attributes, such as man and woman."
            )
        term = name.casefold()
        listed = {form.casefold() for form in forms[name]}
        if term in listed:
            continue
        if listed.intersection(_plurals(term)) or not _members().isdisjoint({term, name}):
            raise InputError(
                f"{place}: {name!r} is a term that no row lists, so the header may be "
                "missing; write a first line that names the attributes, such as man and woman. "
                f"If {name!r} is the name of an attribute, list it in its column, or add a column "
                "'kind'."
            )


def _plurals(term: str) -> Iterator[str]:
    """Yield how the plural of a word may be written."""
    yield f"{term}s"
    yield f"{term}es"
    if term.endswith("y"):
        yield f"{term[:-1]}ies"


@cache
def _members() -> frozenset[str]:
    """Return the words by which texts mention people, without qualities and names of attributes."""
    # They are in lower case, but for names, which are so only with their capital: "Rich".
    # What ships has columns beside the attributes, so that no header of it is asked about.
    from fair_datasets.lexicons.shipped import available_lexicons, load_lexicon, name_lexicons

    members: set[str] = set()
    qualities: set[str] = set()
    for lexicon in map(load_lexicon, available_lexicons()):
        qualities |= {name.casefold() for name in lexicon.attributes}
        for entry in lexicon.entries:
            words = {form.text.casefold() for cell in entry.forms.values() for form in cell}
            (qualities if entry.inflection == "adjective" else members).update(words)
    names = {
        form.text
        for lexicon in map(load_lexicon, name_lexicons())
        for form in lexicon.forms()
        if "word" not in form.flags
    }
    return frozenset(members - qualities | names)
