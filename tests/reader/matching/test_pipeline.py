"""Tests of trained spaCy pipelines in place of our own guesses."""

import json
import pickle
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed

from fair_datasets import (
    Blindness,
    CounterfactualSwap,
    InputError,
    MentionedAttribute,
    find_terms,
    load_technique,
)
from fair_datasets.reader.matching import pipeline as module
from fair_datasets.reader.matching.pipeline import pipeline_files
from fair_datasets.testing import check_technique
from tests.reader.matching.test_pipeline_rules import annotated

# Word, tag, label and head of each token, with the entity where it is in one.
TEMPLATES = """
{name}|NNP|nsubj|1|B-PERSON sold|VBD|ROOT|1 her|PRP|dative|1 {things}|NNS|dobj|1 .|.|punct|1
{name}|NNP|nsubj|1|B-PERSON lost|VBD|ROOT|1 her|PRP$|poss|3 {things}|NNS|dobj|1 .|.|punct|1
{name}|NNP|nsubj|1|B-PERSON lost|VBD|ROOT|1 his|PRP$|poss|3 {things}|NNS|dobj|1 .|.|punct|1
{name}|NNP|nsubj|1|B-PERSON likes|VBZ|ROOT|1 his|PRP$|dobj|1 cooked|VBN|acl|2 .|.|punct|1
Volunteers|NNS|nsubj|1 groom|VBP|ROOT|1 {things}|NNS|dobj|1 .|.|punct|1
The|DT|det|1 groom|NN|nsubj|2 gave|VBD|ROOT|2 {name}|NNP|dative|2|B-PERSON {things}|NNS|dobj|2
They|PRP|nsubj|1 crowned|VBD|ROOT|1 king|NN|compound|3 {name}|NNP|dobj|1|B-PERSON .|.|punct|1
We|PRP|nsubj|1 saw|VBD|ROOT|1 a|DT|det|5 king|NN|compound|5 quilted|JJ|amod|5 bed|NN|dobj|1
We|PRP|nsubj|1 met|VBD|ROOT|1 Miss|NNP|compound|3 {name}|NNP|dobj|1|B-PERSON .|.|punct|1
We|PRP|nsubj|1 saw|VBD|ROOT|1 Miss|NNP|compound|3|B-EVENT Universe|NNP|dobj|1|I-EVENT .|.|punct|1
{name}|NNP|compound|1|B-PERSON Waiter|NNP|nsubj|2|I-PERSON sang|VBD|ROOT|2 .|.|punct|2
{name}|NNP|nsubj|1|B-PERSON sang|VBD|ROOT|1 .|.|punct|1
Helen|NNP|nsubj|2|B-ORG 's|POS|case|0|I-ORG opened|VBD|ROOT|2 .|.|punct|2
The|DT|det|3 old|JJ|amod|3 driver|NN|compound|3 seat|NN|nsubj|4 broke|VBD|ROOT|4 .|.|punct|4
The|DT|det|2 old|JJ|amod|2 driver|NN|nsubj|3 sang|VBD|ROOT|3 .|.|punct|3
{name}|NNP|nsubj|1|B-PERSON is|VBZ|ROOT|1 old|JJ|acomp|1 .|.|punct|1
The|DT|det|1 bed|NN|nsubj|2 is|VBZ|ROOT|2 old|JJ|acomp|2 .|.|punct|2
"""
SLOTS = [("Anna", "flowers"), ("Hope", "parties"), ("Thelonious", "keys"), ("Paul", "stories")]
# Models as small as will do.
SMALL = {"model": {"tok2vec": {"width": 32, "depth": 2, "embed_size": 500}}}
SETTINGS = {"tagger": SMALL, "parser": SMALL | {"min_action_freq": 1}, "ner": SMALL}


def trained() -> Language:
    """Train a pipeline until it knows the templates by heart."""
    fix_random_seed(0)
    nlp = spacy.blank("en")
    for component, config in SETTINGS.items():
        nlp.add_pipe(component, config=config)
    gold = [annotated(line.format(name=name, things=things))
            for line in TEMPLATES.strip().splitlines() for name, things in SLOTS]  # fmt: skip
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in gold]
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.005
    order = random.Random(0)
    for _ in range(12):
        order.shuffle(examples)
        for start in range(0, len(examples), 10):
            nlp.update(examples[start : start + 10], sgd=optimizer)
    return nlp


def part(full: str, component: str) -> Language:
    """Load one component of the trained pipeline; none listens to another."""
    return spacy.load(full, exclude=SETTINGS.keys() - {component})


def saved(nlp: Language, folder: Path) -> str:
    """Save a pipeline, and return its path."""
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a pipeline with a tagger, a parser and an entity recogniser."""
    return saved(trained(), tmp_path_factory.mktemp("full"))


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a pipeline that annotates nothing."""
    return saved(spacy.blank("en"), tmp_path_factory.mktemp("blank"))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that a pipeline is run on, as a list that grows."""
    texts: list[str] = []
    run = Language.__call__

    def counted(self: Language, text: Any, **options: Any) -> Doc:
        texts.append(text)
        return run(self, text, **options)

    monkeypatch.setattr(Language, "__call__", counted)
    module._parsed.cache_clear()
    return texts


def attributes(text: str, **options: Any) -> dict[str, str]:
    """Return each candidate of a text with its attribute; empty where it is left alone."""
    return {term.text: term.attribute for term in find_terms(text, **options)}


def swapped(text: str, pipeline: str | None) -> str:
    """Return a text with the genders swapped."""
    swap = CounterfactualSwap(columns="text", mode="replace", names=False, pipeline=pipeline)
    return swap({"text": [text]})["text"][0]


@pytest.mark.parametrize(("text", "axis", "word", "own", "others"), [
    ("Volunteers groom parties.", "gender", "groom", "man", ""),
    ("We saw a king quilted bed.", "gender", "king", "man", ""),
    ("We saw Miss Universe.", "gender", "Miss", "woman", ""),
    ("Thelonious Waiter sang.", "gender", "Waiter", "man", ""),
    ("Helen's opened.", "gender", "Helen", "woman", ""),
    ("Hope sang.", "gender", "Hope", "", "woman"),
])  # fmt: skip
def test_the_verdict_of_a_trained_pipeline_overrides_ours(
    full: str, text: str, axis: str, word: str, own: str, others: str
) -> None:
    """Verbs, things, titles, surnames, names and people are told by the pipeline."""
    assert attributes(text, axis=axis)[word] == own
    assert attributes(text, axis=axis, pipeline=full)[word] == others


@pytest.mark.parametrize(("text", "own", "others"), [
    ("Paul sold her keys.", "Paul sold his keys.", "Paul sold him keys."),
    ("Paul likes his cooked.", "Paul likes her cooked.", "Paul likes hers cooked."),
    ("Anna lost her keys.", "Anna lost his keys.", "Anna lost his keys."),
    ("Anna lost his keys.", "Anna lost her keys.", "Anna lost her keys."),
])  # fmt: skip
def test_the_case_of_a_pronoun_is_told_by_a_trained_pipeline(
    full: str, text: str, own: str, others: str
) -> None:
    """Her is him or his, and his is her or hers, as the pipeline's tags and parse say."""
    assert swapped(text, None) == own
    assert swapped(text, full) == others


def test_a_pipeline_reads_people_as_we_do_where_both_are_right(full: str) -> None:
    """A title before a name, a noun for a person and a description of one stay terms."""
    assert attributes("We met Miss Anna.", pipeline=full) == {"Miss": "woman", "Anna": "woman"}
    assert attributes("The groom gave Paul keys.", pipeline=full)["groom"] == "man"
    assert attributes("The old driver sang.", axis="age", pipeline=full) == {"old": "senior"}
    assert attributes("Paul is old.", axis="age", pipeline=full) == {"old": "senior"}
    assert attributes("The bed is old.", axis="age", pipeline=full) == {"old": ""}


WORDS = """
her his He Mr. Mrs. Miss Lady King king host hosts father Will Hope Helen's Mary-Ann James Smith
the a an saw is book , . said Asian white Black women old young elderly and bed 40-year-old people
mother-in-law he's can't \u201cher\u201d
"""
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join)


@settings(deadline=None)
@given(text=TEXTS | st.text(), axis=st.sampled_from(["gender", "race", "age"]))
def test_without_annotations_our_own_guesses_hold(blank: str, text: str, axis: str) -> None:
    """A pipeline that has no component for a question changes nothing but whom we name."""
    asked = find_terms(text, axis, pipeline=blank)
    own = find_terms(text, axis)
    assert [term._replace(rule="", rule_reason="") for term in asked] == [
        term._replace(rule="", rule_reason="") for term in own
    ]
    assert all(one.rule in ("pipeline", other.rule) for one, other in zip(asked, own, strict=True))


@settings(deadline=None)
@given(text=TEXTS, axis=st.sampled_from(["gender", "race", "age"]))
def test_the_same_candidates_are_judged(full: str, text: str, axis: str) -> None:
    """A pipeline decides which candidates are terms; each lies where the text has it."""
    for term in find_terms(text, axis, pipeline=full):
        assert text[term.start : term.end] == term.text
        assert bool(term.attribute) != bool(term.reason)


@pytest.mark.parametrize(
    ("component", "her", "wendy"),
    [("tagger", "him", "woman"), ("ner", "his", ""), ("parser", "him", "woman")],
)
def test_a_missing_component_leaves_its_questions_to_us(
    full: str, tmp_path: Path, component: str, her: str, wendy: str
) -> None:
    """Each component answers its own questions only."""
    path = saved(part(full, component), tmp_path)
    assert swapped("Paul sold her keys.", path) == f"Paul sold {her} keys."
    left = attributes("Anna sang. Helen's opened.", pipeline=path)
    assert left["Helen"] == wendy


def test_a_text_without_an_ambiguous_term_is_never_parsed(full: str, parsed: list[str]) -> None:
    """The pipeline runs on the texts that need it, once each, also for several axes."""
    swap = CounterfactualSwap(columns="text", axis=["gender", "age"], pipeline=full)
    swap({"text": ["He saw a waitress.", "It rained.", "", None]})
    assert parsed == []
    swap({"text": ["He saw her.", "She met an old king and his old host."]})
    assert parsed == ["He saw her.", "She met an old king and his old host."]


def test_a_text_that_is_too_long_is_read_by_our_own_guesses(
    full: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipeline refuses texts of more than a million characters; we read them all the same."""
    nlp = spacy.load(full)
    nlp.max_length = 10
    monkeypatch.setattr(module, "_loaded", lambda name, modified: nlp)
    module._parsed.cache_clear()
    assert swapped("Paul sold her keys.", full) == "Paul sold his keys."
    module._parsed.cache_clear()


def test_a_pipeline_that_cannot_be_loaded_is_told_in_one_sentence(
    blank: str, tmp_path: Path
) -> None:
    """A component of a package that is not installed here."""
    nlp = spacy.load(blank)
    nlp.to_disk(tmp_path)
    settings = (tmp_path / "config.cfg").read_text("utf-8")
    settings = settings.replace("pipeline = []", 'pipeline = ["unheard"]')
    settings += '\n[components.unheard]\nfactory = "unheard_of"\n'
    (tmp_path / "config.cfg").write_text(settings, "utf-8")
    with pytest.raises(InputError, match=r"cannot be loaded: .*unheard_of"):
        find_terms("I saw her.", pipeline=str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("made", [CounterfactualSwap, Blindness, MentionedAttribute])
def test_a_technique_with_a_pipeline_keeps_the_contract(full: str, made: Any) -> None:
    """It is the same in every process, and rebuilt from its configuration and its pickle."""
    technique = made(columns="text", pipeline=Path(full))
    batch = {"text": ["Paul sold her keys.", "Helen's opened.", "The groom met Miss Anna."]}
    check_technique(technique, batch)
    config = json.loads(json.dumps(technique.config()))
    assert load_technique(config, allow=[full]) == technique
    with pytest.raises(InputError, match="is not part of the package"):
        load_technique(config)
    assert pickle.loads(pickle.dumps(technique)) == technique


def test_a_pipeline_that_is_trained_anew_is_another_one(full: str, tmp_path: Path) -> None:
    """Its digests are part of the state, so that no stale result is taken."""
    path = saved(spacy.blank("en"), tmp_path)
    text = "Helen's opened."
    old = MentionedAttribute(columns="text", pipeline=path)
    assert old({"text": [text]})["group"] == ["woman"]
    saved(part(full, "ner"), tmp_path)
    new = MentionedAttribute(columns="text", pipeline=path)
    assert new.digests != old.digests
    assert new({"text": [text]})["group"] == [None]
    assert attributes(text, pipeline=path) == {"Helen": ""}
    with pytest.raises(InputError, match=r"The pipeline .* has changed since the technique"):
        old({"text": [text]})
    with pytest.raises(InputError, match="is not the file that the configuration was made with"):
        MentionedAttribute.from_config(old.config(), allow=path)


def test_only_the_files_that_a_pipeline_computes_with_are_digested(
    full: str, tmp_path: Path
) -> None:
    """A note about a pipeline, or what a version control keeps beside it, changes nothing."""
    path = saved(spacy.load(full), tmp_path)
    files = pipeline_files(path)
    places = {name.removeprefix(f"{path}/") for name in files}
    assert {"config.cfg", "tokenizer", "ner/model", "tagger/model", "vocab/vectors"} <= places
    assert "meta.json" in places
    (tmp_path / ".git").mkdir()
    for place in ("README.md", "LICENSE", ".git/index"):
        (tmp_path / place).write_text("{}", "utf-8")
    assert pipeline_files(path) == files


def package_of(nlp: Language, folder: Path, code: str) -> Path:
    """Lay a package out as 'python -m spacy package' does, with code of its own."""
    package = folder / "en_installed_pipeline"
    nlp.meta["name"] = "installed_pipeline"
    package.mkdir()
    nlp.to_disk(package / f"en_installed_pipeline-{nlp.meta['version']}")
    (package / "meta.json").write_text(json.dumps(nlp.meta), "utf-8")
    (package / "__init__.py").write_text(code, "utf-8")
    return package


def test_an_installed_package_is_used_by_its_name(
    full: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As 'python -m spacy download' installs it; none of its code runs."""
    package = package_of(spacy.load(full), tmp_path, "raise RuntimeError('this is my code')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert swapped("Paul sold her keys.", package.name) == "Paul sold him keys."
    files = pipeline_files(package.name)
    assert "en_installed_pipeline/ner/model" in files
    # It is read, and says where the data lie.
    assert files["en_installed_pipeline/../meta.json"] == package / "meta.json"
    assert package.name not in sys.modules


def test_the_description_of_a_package_may_be_broken(
    blank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence says which; the module that runs is no package at all."""
    package = package_of(spacy.load(blank), tmp_path, "")
    (package / "meta.json").write_text("[]")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=r"'en_installed_pipeline' has a meta\.json that cannot"):
        find_terms("It rained.", pipeline=package.name)
    with pytest.raises(InputError, match="'__main__' is neither an installed spaCy pipeline"):
        find_terms("It rained.", pipeline="__main__")
