"""What a card says of techniques, axes and names."""

from importlib.metadata import entry_points

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fair_datasets import Blindness, CounterfactualSwap, ModelRewrite, PerturbationAugmentation
from fair_datasets.cards import carried_over
from fair_datasets.cards.statements import (
    Measured,
    Sample,
    citation_lines,
    licence_lines,
    limit_lines,
    measured_lines,
    sample_lines,
    technique_lines,
)
from fair_datasets.lexicons import available_lexicons, name_lexicons
from fair_datasets.technique.contract import ENTRY_POINT_GROUP


def test_each_of_our_techniques_states_limits() -> None:
    """None is published with the general sentence alone."""
    ours = {
        point.name
        for point in entry_points(group=ENTRY_POINT_GROUP)
        if point.value.startswith("fair_datasets.")
    }
    assert "CounterfactualSwap" in ours
    for name in ours:
        # Its axis or names would bring sentences of their own.
        assert len(limit_lines([{"technique": name}])) > 1, name


def test_citations_go_by_technique_and_word_list() -> None:
    """What was not read is not cited."""
    gender = "\n".join(citation_lines([CounterfactualSwap(columns="text").config()]))
    race = CounterfactualSwap(columns="text", axis="race", names=True).config()
    races = "\n".join(citation_lines([race]))
    assert "first\\_names: Hall Maudslay" in gender
    assert "Tzioumis" not in gender
    assert "race\\_first\\_names: Tzioumis" in races
    assert "first\\_names: Hall Maudslay" not in races
    assert "Zayed" in "\n".join(citation_lines([Blindness(columns="text").config()]))


def test_limits_say_whether_a_model_wrote_and_was_checked() -> None:
    """Who reads the card learns what nobody looked at."""
    said = {
        words: [
            words in " ".join(limit_lines([technique.config()]))
            for technique in (
                PerturbationAugmentation(columns="text"),
                PerturbationAugmentation(columns="text", model="ada/writer"),
                PerturbationAugmentation(columns="text", model="ada/writer", verified=False),
                ModelRewrite(columns="text", model="ada/writer"),
                ModelRewrite(columns="text", model="ada/writer", verified=False),
                ModelRewrite(columns="text", model="m", control="chat", endpoint="http://a/v1"),
            )
        ]
        for words in (
            "knows no persons", "Each was checked against", "none was checked",
            "the same again only with the answers that were kept",
        )
    }  # fmt: skip
    assert said == {"knows no persons": [True, False, False, False, False, False],
        "Each was checked against": [False, True, False, True, False, True],
        "none was checked": [False, False, True, False, True, False],
        "the same again only with the answers that were kept": [False] * 5 + [True]}  # fmt: skip


def test_every_word_list_that_ships_is_cited() -> None:
    """Its licence and its citation come from the file beside it."""
    for name in (*available_lexicons(), *name_lexicons()):
        config = {"technique": "Own", "digests": {name: "0" * 64}}
        assert len(citation_lines([config])) == 1
        assert citation_lines([config])[0].startswith("- ")
        [row] = [line for line in technique_lines([config]) if f"`{'0' * 64}`" in line]
        assert not row.endswith("|  |")


def test_a_technique_of_another_package_states_what_is_known() -> None:
    """It has neither limits nor citations of ours."""
    config = {"technique": "Own", "version": "3", "parameters": {"seed": 7}, "digests": {}}
    assert technique_lines([config])[0] == "1. `Own`, version 3, seed 7"
    assert len(limit_lines([config])) == 1
    assert citation_lines([config]) == ["The techniques and their files state no citation."]


def test_several_techniques_stand_in_order_and_nothing_is_said_twice() -> None:
    """Two swaps are two steps with one list of limits."""
    first = CounterfactualSwap(columns="text", seed=1).config()
    second = CounterfactualSwap(columns="text", axis=("age", "race"), seed=2).config()
    lines = technique_lines([first, second])
    assert lines[0].startswith("1. `CounterfactualSwap`, version ")
    assert lines[1].endswith("seed 2, axis age and race")
    assert lines.count("```json") == 2
    limits = limit_lines([first, second])
    assert len(limits) == len(set(limits))
    assert any("census" in limit for limit in limits)


@pytest.mark.parametrize("metadata", [
    {"license": "cc-by-nd-4.0"},
    {"license": "cc-by-nc-nd-3.0"},
    {"license": ["mit", "CC BY-ND 4.0"]},
    {"license": "other", "license_name": "my-no-derivatives"},
    {"license": "other", "license_name": "NoDerivs"},
])  # fmt: skip
def test_a_licence_against_derivatives_is_warned_of(metadata: dict[str, object]) -> None:
    """The card says that it may not be published without more ado."""
    text = "\n".join(licence_lines(metadata, kind="dataset"))
    assert "> **Warning.** The licence of the source does not allow derivatives" in text


@pytest.mark.parametrize("licence", ["mit", "cc-by-sa-4.0", "cc-by-nc-4.0", "bsd-3-clause", "pddl"])
def test_other_licences_are_stated(licence: str) -> None:
    """They apply to the dataset too, without a warning."""
    assert licence_lines({"license": licence}, kind="dataset") == [
        f"The licence and the terms of the source (`{licence}`) apply to this dataset too."
    ]


@pytest.mark.parametrize("metadata", [{}, {"license": None}, {"license": []}])
def test_an_unknown_licence_is_to_be_looked_up(metadata: dict[str, object]) -> None:
    """Silence about a licence is no permission."""
    assert "look them up before you share it" in licence_lines(metadata, kind="model")[0]


def test_what_is_true_of_the_source_alone_is_left_out() -> None:
    """Configurations, sizes, names and tags of a source would be false of what is made from it."""
    source = {
        "license": "other", "license_name": "own", "license_link": "LICENSE", "language": ["en"],
        "task_categories": ["text-classification"], "configs": [{"config_name": "default"}],
        "dataset_info": {"splits": []}, "pretty_name": "Source", "tags": ["x"], "task_ids": None,
    }  # fmt: skip
    assert list(carried_over(source)) == [
        "license", "license_name", "license_link", "language", "task_categories",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [["mit", ["mit"]], {"name": "mit"}, 1.0, False, [], [None]])
def test_strings_and_lists_of_strings_are_carried_over_alone(value: object) -> None:
    """A card is somebody else's; what it nests may be endless."""
    assert carried_over({"license": value, "language": ["en", "de"]}) == {"language": ["en", "de"]}


def sample_of(text: str) -> Sample:
    """Swap a text and return the sample that a card shows."""
    swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
    return Sample(text, swap({"text": [text]})["edits"][0])


def test_values_before_and_after() -> None:
    """What is not measured is empty, what is not defined is said to be so."""
    lines = measured_lines([Measured("a|b", 0.12345678, before=1, data="test", detail="<b>"),
        Measured("parity", float("nan"))])  # fmt: skip
    assert lines[2] == "| a\\|b | 1 | 0.1235 | test | &lt;b> |"
    assert lines[3] == "| parity |  | not defined |  |  |"


def test_edits_are_marked() -> None:
    """A sample shows what was removed and what was added, to its last character."""
    edited = "Text: <del>He</del> <ins>She</ins> told <del>Mary</del> <ins>John</ins>"
    assert sample_lines([sample_of("He told Mary."), sample_of("He told Mary")]) == [
        f"1. {edited}.", f"2. {edited}",
    ]  # fmt: skip


def test_a_long_text_is_cut_around_its_first_edit() -> None:
    """The edit is shown wherever it stands, and no half of an edit is."""
    text = "It rained. " * 40 + "She left." + " It rained." * 40
    [line] = sample_lines([sample_of(text)])
    assert "<del>She</del> <ins>He</ins> left." in line
    assert line.startswith("1. Text: …")
    assert line.endswith("…")
    assert len(line) < 300
    [line] = sample_lines([sample_of("He " + "x" * 235 + " she left")])
    assert line.endswith("x …")
    assert "<del>she" not in line


@pytest.mark.parametrize(("size", "shown"), [
    (240, f"{'x' * 100}<del>x</del> <ins>y</ins>{'x' * 139}"),
    (241, f"…{'x' * 60}<del>x</del> <ins>y</ins>{'x' * 140}"),
    (280, f"…{'x' * 60}<del>x</del> <ins>y</ins>{'x' * 179}"),
    (281, f"…{'x' * 60}<del>x</del> <ins>y</ins>{'x' * 179}…"),
])  # fmt: skip
def test_what_is_shown_of_a_text(size: int, shown: str) -> None:
    """Of more than 240 letters as many, from 60 before the first edit on."""
    edit = {"start": 100, "end": 101, "after": "y"}
    assert sample_lines([Sample("x" * size, [edit])]) == [f"1. Text: {shown}"]


@pytest.mark.parametrize(("size", "shown"), [(240, "b" * 240), (241, "b" * 240 + "…")])
def test_an_edit_longer_than_the_limit(size: int, shown: str) -> None:
    """A replacement of any length is cut."""
    [line] = sample_lines([Sample("a", [{"start": 0, "end": 1, "after": "b" * size}])])
    assert line == f"1. Text: <del>a</del> <ins>{shown}</ins>"


@given(st.text(max_size=300), st.text(st.sampled_from("</del><ins>*`[|\n"), max_size=20))
def test_a_sample_is_one_item_with_no_other_tag(text: str, after: str) -> None:
    """Whatever text and replacement hold, only our two tags are markup, in pairs."""
    middle = len(text) // 2
    sample = Sample(text, [{"start": middle, "end": len(text), "after": after}])
    tokens = MarkdownIt("commonmark").parse(sample_lines([sample])[0])
    [inline] = [token for token in tokens if token.type == "inline"]
    tags = [child.content for child in inline.children or [] if child.type == "html_inline"]
    pairs = [tuple(tags[k : k + 2]) for k in range(0, len(tags), 2)]
    assert pairs == sorted(set(pairs))
    assert set(pairs) <= {("<del>", "</del>"), ("<ins>", "</ins>")}
    kinds = {child.type for child in inline.children or []}
    assert kinds <= {"text", "text_special", "html_inline"}
