"""Trained spaCy pipelines by their names: finding their files, loading them, parsing with them.

A pipeline is loaded from its data. The package that it may be installed as is not imported, so that
no code of it runs; what it computes with is digested. spaCy is imported when the first text is
parsed.
"""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.language import Language, Verdict
from fair_datasets.reader.matching.predicates import Predicate, Rule
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.token_refs import IS_HYPHENATED, TokenRef
from fair_datasets.system.checks import InputError, caller_name, invalid, require, typed
from fair_datasets.system.portable import file_digests

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline
    from spacy.tokens import Doc, Span, Token


_META = "meta.json"
# What lies at the top of a pipeline's folder and is read when it is loaded.
_SETTINGS = ("config.cfg", "tokenizer", _META)


def checked_pipeline(value: Any) -> str | None:
    """Return a parameter that names a pipeline as a string, or raise; nothing is loaded.

    Args:
        value: What the user gave; None for no pipeline.

    Returns:
        The name or path; None for None.

    Raises:
        InputError: The value is neither a string nor a path, or there is no such pipeline.
        MissingExtraError: spaCy is not installed.

    Example:
        >>> checked_pipeline(True)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: checked_pipeline: pipeline must be the name or the path
        of a spaCy pipeline, but it is True; save one with its to_disk, and give the folder.
    """
    if value is None:
        return None
    if not isinstance(value, str | PurePath) or not str(value):
        raise invalid(
            f"pipeline must be the name or the path of a spaCy pipeline, but it is "
            f"{value!r}; save one with its to_disk, and give the folder."
        )
    require("spacy", owner=f"{caller_name()}: {typed('pipeline', str(value))}")
    _folder(str(value))
    return str(value)


def pipeline_files(name: str | None) -> dict[str, Path]:
    """Name the files that loading a pipeline reads: its settings, vocabulary and components.

    What only tells people about it (a licence, a card) is not among them.

    Args:
        name: The pipeline's package or path; None for no pipeline.

    Raises:
        InputError: There is no such pipeline.

    Example:
        >>> pipeline_files("en_no_such")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'en_no_such' is neither an installed spaCy pipeline nor the
        folder of one; run 'python -m spacy download en_no_such', or give the path that it was
        saved to.
    """
    if name is None:
        return {}
    folder, package = _folder(name), _package(name)
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    paths = {
        f"{name}/{place.as_posix()}": path
        for place, path in files.items()
        if (len(place.parts) > 1 or place.name in _SETTINGS)
        and not any(part.startswith(".") for part in place.parts)
    }
    # It says in which folder of the package the data lie.
    return paths if package is None else {**paths, f"{name}/../{_META}": package / _META}


def refuse_changed(name: str, digests: tuple[tuple[str, str], ...]) -> None:
    """Raise if a pipeline has changed since its digests were taken.

    Args:
        name: The pipeline's package or path.
        digests: Resource name to SHA-256 of its files, and of others.

    Raises:
        InputError: The pipeline has changed, or it is gone.
    """
    if not set(file_digests(pipeline_files(name))) <= set(digests):
        raise InputError(
            f"The pipeline {name!r} has changed since the technique was made; create the "
            "technique again to work with the pipeline as it is."
        )


def parse(name: str, text: str) -> "Doc":
    """Parse a text with a pipeline as it is now.

    Args:
        name: The pipeline's package or path.

    Returns:
        The text with the annotations that the pipeline gives; one that is longer than the pipeline
        takes has none.

    Raises:
        InputError: The pipeline is gone, or it cannot be loaded.
    """
    # Saving a pipeline writes its settings anew.
    return _parsed(name, (_folder(name) / "config.cfg").stat().st_mtime_ns, text)


def _folder(name: str) -> Path:
    """Return the folder of a pipeline's data, or raise."""
    package = _package(name)
    folder = Path(name) if package is None else package / _data_folder(package / _META)
    if not (folder / "config.cfg").is_file():
        is_name = name.isidentifier()
        advice = f"run 'python -m spacy download {name}', or give" if is_name else "give"
        raise InputError(
            f"{name!r} is neither an installed spaCy pipeline nor the folder of one; {advice} the "
            "path that it was saved to."
        )
    return folder


def _package(name: str) -> Path | None:
    """Return the folder of an installed pipeline's package; None if there is none."""
    try:
        # Of a name without a dot, it only looks where the package lies.
        spec = find_spec(name) if name.isidentifier() else None
    except ValueError:
        # A module that was made by hand, such as the one that runs.
        return None
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    return package if (package / _META).is_file() else None


def _data_folder(meta: Path) -> str:
    """Return the folder of a package in which a pipeline's data lie, as spaCy names it."""
    try:
        metadata = json.loads(meta.read_text("utf-8"))
        return f"{metadata['lang']}_{metadata['name']}-{metadata['version']}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"The pipeline {meta.parent.name!r} has a {_META} that cannot be read ({error!r}); "
            "install it again."
        ) from error


@lru_cache(maxsize=1000)
def _parsed(name: str, modified: int, text: str) -> "Doc":
    """Parse a text; the last ones are kept, as each axis asks about the texts of a batch."""
    nlp = _loaded(name, modified)
    doc = nlp(text) if len(text) <= nlp.max_length else nlp.tokenizer(text)
    doc.tensor = doc.tensor[:0]  # The largest part of a Doc, which no question needs.
    return doc


@lru_cache(maxsize=4)
def _loaded(name: str, modified: int) -> "Pipeline":
    """Load a pipeline, once per process unless it is saved anew."""
    require("spacy", owner=f"The pipeline {name!r}")
    import spacy

    try:
        return spacy.load(_folder(name))
    except (ImportError, OSError, ValueError) as error:
        sentence = str(error).strip().partition("\n")[0]
        raise InputError(f"The pipeline {name!r} cannot be loaded: {sentence}") from error


# The labels of several schemes: OntoNotes' and WikiNER's entities, ClearNLP's and UD's parses.
_PERSON = frozenset({"PERSON", "PER"})
_DETERMINER = frozenset({"poss", "nmod:poss", "det", "det:poss"})
_MODIFIER = frozenset({"amod", "compound", "nmod"})
_PREDICATE = frozenset({"acomp", "attr", "oprd", "ROOT", "root"})
_SUBJECT = frozenset({"nsubj", "nsubjpass", "nsubj:pass"})
_KINDS = {"VERB": "verb", "AUX": "verb", "NOUN": "noun", "PROPN": "noun", "ADJ": "adjective"}
_TAGS = {"VB": "verb", "MD": "verb", "NN": "noun", "JJ": "adjective"}
_OWN = object()
"""The answer where our own rules are asked."""


def with_pipeline(language: Language, pipeline: str) -> Language:
    """Return a language of which a trained pipeline is asked first.

    Args:
        pipeline: A trained pipeline's package or path, which is loaded at the first question.
    """
    return ask_first(language, partial(parse, pipeline))


def ask_first(language: Language, parse: "Callable[[str], Doc]") -> Language:
    """Return a language of which the annotations of texts are asked first."""
    asked = _Annotations(parse)
    cases = dict(language.cases)
    for names, answer in (
        (("determiner", "object"), _of_her),
        (("determiner", "possessive"), _of_his),
    ):
        if names in cases:
            cases[names] = asked.first(answer, ("determiner", names[1]), cases[names])
    return language._replace(
        name=asked.first(_of_name, tuple(Verdict), language.name, language.titled | IS_HYPHENATED),
        surname=asked.first(_of_surname, (True, False), language.surname),
        title=asked.first(_of_title, (True, False), language.title),
        verb=asked.first(_of_verb, (True, False), language.verb),
        person=asked.first(
            partial(_of_person, language), (True, False), language.person, IS_HYPHENATED
        ),
        used=asked.first(
            partial(_of_use, language),
            ("adjective", "singular", "plural", ""),
            language.used,
            IS_HYPHENATED,
        ),
        cases=cases,
    )


class _Annotations:
    """The annotations of texts, which are made at the first question about each."""

    def __init__(self, parse: "Callable[[str], Doc]") -> None:
        """Set out to answer."""
        self._parse = parse
        self._parsed: tuple[TokenBatch, dict[int, Doc]] | None = None

    def first(
        self,
        answer: "Callable[[Span, Candidates, int], object]",
        verdicts: Sequence[Any],
        rules: Sequence[Rule[Any]],
        own: Predicate | None = None,
    ) -> tuple[Rule[Any], ...]:
        """Return rules by which the annotations answer a question before others do.

        Args:
            answer: Answers it for the pipeline's tokens in which a word stands.
            rules: The rules that are asked where there is no answer.
        """

        def find(candidates: Candidates) -> NDArray[np.int64]:
            codes = np.full(len(candidates.places), -1, np.int64)
            is_own = np.zeros(len(codes), np.bool_) if own is None else candidates.holds(own)
            for row in np.flatnonzero(~is_own).tolist():
                reply = answer(self._span(candidates, row), candidates, row)
                codes[row] = -1 if reply is _OWN else list(verdicts).index(reply)
            return codes

        codes = TokenRef(find)

        def says(code: int) -> Predicate:
            return Predicate(lambda candidates: candidates.at(codes) == code, is_costly=True)

        reason = "the pipeline says so"
        asked = [
            Rule("pipeline", verdict, says(code), reason) for code, verdict in enumerate(verdicts)
        ]
        return (*asked, *rules)

    def _span(self, candidates: Candidates, row: int) -> "Span":
        """Return the pipeline's tokens that a word or a phrase stands in."""
        words = candidates.words
        if self._parsed is None or self._parsed[0] is not words:
            self._parsed = words, {}
        text = int(words.owner[candidates.places[row]])
        docs = self._parsed[1]
        if text not in docs:
            docs[text] = self._parse(words.texts[text])
        offset = int(words.offset[text])
        start = int(words.start[candidates.places[row]]) - offset
        end = int(words.end[candidates.lasts[row]]) - offset
        span = docs[text].char_span(start, end, alignment_mode="expand")
        if span is None:
            raise InputError(
                "The pipeline's tokens are not those of the text, so its answers cannot be "
                "matched; use a pipeline whose tokenizer keeps the text as it is."
            )
        return span


def _of_her(span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the tag, or else by the parse."""
    token = span[0]
    if token.tag_ in ("PRP", "PRP$"):
        return "determiner" if token.tag_ == "PRP$" else "object"
    if token.morph.get("Poss", []):
        return "determiner"
    if _has(token, "DEP"):
        return "determiner" if token.dep_ in _DETERMINER else "object"
    return _OWN


def _of_his(span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the parse: a determiner belongs to a word behind it."""
    token = span[0]
    if not _has(token, "DEP"):
        return _OWN
    is_determiner = token.dep_ in _DETERMINER and token.head.i > token.i
    return "determiner" if is_determiner else "possessive"


def _of_verb(span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the part of speech."""
    kind = _kind(span[0])
    return kind == "verb" if kind else _OWN


def _of_person(language: Language, span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the entity around the word, then by the noun that it modifies.

    Which sense a noun of its own has ("the mummy", a chess king) no pipeline tells, so that is for
    our own rules.
    """
    token = span[0]
    if token.ent_type_:
        return token.ent_type_ in _PERSON
    if _modifies(token):
        if token.head.ent_type_ in _PERSON:
            return True
        if not language.is_person(token.head.lower_):
            return False
    return False if _kind(token) == "verb" else _OWN


def _of_title(span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the entity behind the word, or else by the noun that it modifies."""
    words, place = candidates.words, int(candidates.places[row])
    sign = words.signs.texts[words.sign[place + 1]]
    if words.is_end[place + 1] or sign not in (" ", ". "):
        return False
    token = span[0]
    if not _has(token, "ENT_IOB"):
        return _OWN
    if not words.is_capital(np.array([place, place + 1])).all():
        return False
    offset = int(words.offset[words.owner[place]])
    start, end = int(words.start[place + 1]) - offset, int(words.end[place + 1]) - offset
    behind = token.doc.char_span(start, end, alignment_mode="expand")
    entity = behind[0].ent_type_ if behind is not None else ""
    return entity in _PERSON or (not entity and token.dep_ == "compound" and _modifies(token))


def _of_surname(span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the entity around the word: a surname stands behind its first word."""
    token = span[0]
    if token.ent_type_ in _PERSON:
        return True if token.ent_iob_ == "I" else _OWN
    return False if token.ent_type_ else _OWN


def _of_name(span: "Span", candidates: Candidates, row: int) -> object:
    """Judge by the entity: a first name opens the name of a person.

    No entity tells "Mr. James" from "King James", and none takes a double name apart.
    """
    token = span[0]
    if not _has(token, "ENT_IOB"):
        return _OWN
    if token.ent_type_ not in _PERSON:
        return Verdict.REJECT
    if candidates.fact("follows a name")[row]:
        return _OWN
    return Verdict.REJECT if token.ent_iob_ == "I" else Verdict.SURE


def _of_use(language: Language, span: "Span", candidates: Candidates, row: int) -> object:
    """Decide by the parse and the part of speech what the word describes."""
    root, kind = span.root, _kind(span.root)
    if not (kind and _has(root, "DEP")):
        return _OWN
    if root.ent_type_ not in ("", "NORP") and _is_inside_entity(span):
        return ""
    word = root
    while word.dep_ == "conj":  # "black and white women"
        word = word.head
    if _modifies(word) and word.head.i > root.i:
        is_apt = _is_person(language, word.head) and not candidates.holds(language.inapt)[row]
        return "adjective" if is_apt else ""
    if kind == "noun":
        number = _number(language, root)
        if number and root.ent_type_ in ("", "NORP"):
            return number
    if kind in ("adjective", "noun") and word.dep_ in _PREDICATE:
        return "adjective" if _is_predicated_of_person(language, word) else ""
    return "" if kind == "noun" else _OWN


def _has(token: "Token", annotation: str) -> bool:
    """Whether the pipeline has a component that gives an annotation."""
    return token.doc.has_annotation(annotation)


def _kind(token: "Token") -> str:
    """Return whether a token is a verb, a noun, an adjective or other; empty if that is unknown."""
    if token.pos_:
        return _KINDS.get(token.pos_, "other")
    return _TAGS.get(token.tag_[:2], "other") if token.tag_ else ""


def _modifies(token: "Token") -> bool:
    """Whether a token modifies a noun behind it: the king of "king bed"."""
    return token.dep_ in _MODIFIER and token.head.i > token.i


def _number(language: Language, token: "Token") -> str:
    """Return whether a noun is used as a plural or, behind a determiner, as a singular."""
    if token.tag_ in ("NNS", "NNPS") or "Plur" in token.morph.get("Number", []):
        return "plural"
    children = (child.lower_ for child in token.children)
    return "singular" if any(map(language.is_singular_determiner, children)) else ""


def _is_person(language: Language, token: "Token") -> bool:
    """Whether a token names a person."""
    return token.ent_type_ in _PERSON or language.is_person(token.lower_)


def _is_predicated_of_person(language: Language, token: "Token") -> bool:
    """Whether the subject of a predicate names a person."""
    around = [*token.children, *token.head.children]
    return any(_is_person(language, child) for child in around if child.dep_ in _SUBJECT)


def _is_inside_entity(span: "Span") -> bool:
    """Whether the entity around a span has further words: "the White House"."""
    behind = span.doc[span.end : span.end + 1]
    return span[0].ent_iob_ == "I" or any(token.ent_iob_ == "I" for token in behind)
