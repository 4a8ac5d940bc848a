"""Tests of the spaCy component that marks the terms of demographic axes."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from fair_datasets import InputError, find_terms
from fair_datasets.reader import FoundTerm

TEXT = "Mary's mother-in-law is the host; he's an elderly Bachelor's degree holder at her/his side."


def english(**settings: object) -> Language:
    """Return a pipeline of the component alone."""
    nlp = spacy.blank("en")
    nlp.add_pipe("fair_datasets_terms", config=settings)
    return nlp


def marked(doc: Doc, key: str = "fair_datasets") -> list[tuple[str, str, str]]:
    """Return text, label and axis of the spans of a Doc."""
    return [(span.text, span.label_, span.id_) for span in doc.spans[key]]


def expected(found: list[FoundTerm], *, are_left: bool) -> list[tuple[str, str, str]]:
    """Return text, label and axis of what was found, or of what was left alone."""
    return [
        (term.text, term.attribute or term.reason, term.axis)
        for term in found
        if bool(term.reason) == are_left
    ]


@pytest.mark.slow
def test_the_component_is_found_without_an_import_of_ours() -> None:
    """The entry point is all that spaCy needs."""
    code = (
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('fair_datasets_terms'); "
        "doc = nlp('She saw him.'); print([span.label_ for span in doc.spans['fair_datasets']])"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "['woman', 'man']"


@pytest.mark.parametrize("axis", ["gender", "age", ["gender", "age", "race"]])
def test_the_spans_are_those_of_find_terms(axis: str | list[str]) -> None:
    """Terms, and the candidates that are left alone, by axis."""
    doc = english(axis=axis)(TEXT)
    axes = [axis] if isinstance(axis, str) else axis
    found = [term for each in axes for term in find_terms(TEXT, each)]
    assert marked(doc) == expected(found, are_left=False)
    assert marked(doc, "fair_datasets_left") == expected(found, are_left=True)


PLAIN = english()
WORDS = """
He's her king. Helen's (s)he mother-in-law He/she can't the Host MS. Chen his/her host’s men— e.g.
"""


@settings(deadline=None)
@given(text=st.lists(st.sampled_from(WORDS.split())).map(" ".join) | st.text())
def test_each_term_of_any_text_has_its_span(text: str) -> None:
    """A span covers its term, and more where the tokenizer does not divide there."""
    doc = PLAIN(text)
    terms = [term for term in find_terms(text) if term.attribute]
    assert len(terms) == len(doc.spans["fair_datasets"])
    for term, span in zip(terms, doc.spans["fair_datasets"], strict=True):
        assert span.start_char <= term.start < term.end <= span.end_char
        assert span.label_ == term.attribute


def test_names_and_the_key_are_settings() -> None:
    """The settings are those of find_terms, and where to put the spans."""
    doc = english(names=False, spans_key="terms")("Mary went to host his show.")
    assert marked(doc, "terms") == [("his", "man", "gender")]
    assert [text for text, _, _ in marked(doc, "terms_left")] == ["host"]
    assert set(doc.spans) == {"terms", "terms_left"}


def test_annotations_that_the_doc_has_are_used(tmp_path: Path) -> None:
    """Behind an entity recogniser, a name in an organisation's name is no term."""
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [{"label": "ORG", "pattern": "Helen's"}, {"label": "PERSON", "pattern": "Hope"}]
    )
    nlp.to_disk(tmp_path)
    nlp.add_pipe("fair_datasets_terms")
    text = "Helen's opened. Hope sang."
    found = find_terms(text, pipeline=str(tmp_path))
    assert marked(nlp(text)) == expected(found, are_left=False) == [("Hope", "woman", "gender")]
    assert marked(PLAIN(text)) == [("Helen", "woman", "gender")]


def test_without_annotations_a_reader_is_asked(nameless: str) -> None:
    """It is kept with the component."""
    nlp = english(reader=nameless)
    assert marked(PLAIN("Mary left.")) == [("Mary", "woman", "gender")]
    for each in (nlp, pickle.loads(pickle.dumps(nlp))):
        assert marked(each("Mary left.")) == []


def test_the_spans_and_the_pipeline_are_kept_on_disk(tmp_path: Path) -> None:
    """What is saved and loaded again marks the same terms."""
    nlp = english(axis=["gender", "age"], spans_key="terms")
    doc = nlp(TEXT)
    nlp.to_disk(tmp_path)
    for loaded in (
        spacy.load(tmp_path),
        spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes()),
        pickle.loads(pickle.dumps(nlp)),
    ):
        assert marked(loaded(TEXT), "terms") == marked(doc, "terms")
    (stored,) = DocBin(docs=[doc]).get_docs(nlp.vocab)
    assert marked(stored, "terms") == marked(doc, "terms")


@pytest.mark.parametrize("later", ["merge_entities", "merge_noun_chunks", "token_splitter"])
def test_what_moves_tokens_stands_before(later: str) -> None:
    """The spans of a Doc do not follow it, and would name other words."""
    nlp = spacy.blank("en")
    nlp.add_pipe("fair_datasets_terms", name="terms")
    assert nlp("She left.").spans["fair_datasets"]
    nlp.add_pipe(later)
    told = f"terms: the component '{later}' behind it merges or splits tokens"
    for ask in (lambda: nlp("She left."), lambda: pickle.dumps(nlp.get_pipe("terms"))):
        with pytest.raises(InputError, match=told):
            ask()
    nlp.disable_pipe(later)
    assert nlp("She left.").spans["fair_datasets"]
