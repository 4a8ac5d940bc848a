"""Identity-phrase templates."""

from collections import Counter, defaultdict
from itertools import chain

import pytest
from datasets import ClassLabel
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.evaluation.templates import (
    identity_templates,
    template_axes,
    template_words,
)
from fair_datasets.lexicons import load_lexicon

AXES = template_axes()


@pytest.mark.slow
@given(st.sampled_from(AXES), st.integers(16, 400), st.integers(-3, 3))
@settings(max_examples=25, deadline=None)
def test_groups_and_classes_are_equal_in_number(axis: str, size: int, seed: int) -> None:
    """Exactly, at any size; and the same rows for the same seed."""
    templates = identity_templates(axis, size=size, seed=seed)
    counts = Counter(zip(templates["group"], templates["label"], strict=True))
    groups = set(templates["group"])
    assert len(counts) == 2 * len(groups)
    assert len(set(counts.values())) == 1
    assert size - 2 * len(groups) < len(templates) <= size
    assert identity_templates(axis, size=size, seed=seed)[:] == templates[:]


@pytest.mark.parametrize("axis", AXES)
def test_a_matched_set_differs_in_the_identity_alone(axis: str) -> None:
    """All groups once, one class, one template, one frame."""
    templates = identity_templates(axis, size=600)
    matched = defaultdict(list)
    for row in templates:
        matched[row["family_id"]].append(row)
    groups = set(templates["group"])
    for rows in matched.values():
        assert [row["group"] for row in rows] == list(dict.fromkeys(row["group"] for row in rows))
        assert {row["group"] for row in rows} == groups
        frames = set()
        for row in rows:
            frame, _, filler = row["text"].partition(row["identity"])
            # "Being an actor" beside "being a groom" would be another frame.
            frames.add((frame.replace(" an ", " a "), filler, row["label"], row["template"]))
            assert row["text"].endswith(f" {row['filler']}")
            for slot in ("verb", "adjective", "name", "occupation"):
                is_used = "{" + slot + "}" in row["template"].lower()
                assert (row[slot] is not None) == is_used
                assert not is_used or row[slot] in row["text"].lower() or slot == "name"
        assert len(frames) == 1
    assert len(set(templates["text"])) == len(templates)


@pytest.mark.slow
def test_a_larger_draw_and_another_seed_give_other_rows() -> None:
    """And a size of None gives every sentence, which contains them all."""
    axis = "gender_identity"
    small, other = (identity_templates(axis, size=600, seed=seed) for seed in (0, 1))
    everything = identity_templates(axis, size=None)
    assert small["text"][:] != other["text"][:]
    assert set(small["text"]) | set(other["text"]) <= set(everything["text"])


def test_shapes_come_in_equal_numbers_as_far_as_they_go() -> None:
    """A shape with few sentences gives them all, and the others share the rest."""
    templates = identity_templates("disability")
    shapes = Counter(name.split("-")[2] for name in templates["family_id"])
    assert shapes["statement"] == 50 * 6
    assert shapes["verb"] == 4 * 50 * 6
    assert len({shapes["name"], shapes["occupation"]}) <= 2
    assert abs(shapes["name"] - shapes["occupation"]) <= 6


def test_the_label_is_a_class_label() -> None:
    """With the names of the classes."""
    kind = identity_templates(size=4).features["label"]
    assert kind == ClassLabel(names=["non-toxic", "toxic"])


def test_gender_words_are_pairs_of_the_lexicon() -> None:
    """The first forms of the two attributes, in the same inflection."""
    pairs = {tuple(entry.forms[attribute][0].text for attribute in ("man", "woman"))
        for entry in load_lexicon("gender").entries
        if entry.forms.get("man") and entry.forms.get("woman")}  # fmt: skip
    axis = template_words()["axes"]["gender"]
    assert axis["groups"] == ["man", "woman"]
    for kind in ("singular", "plural"):
        assert {tuple(pair) for pair in axis[kind]} <= pairs


def test_no_word_is_used_that_is_said_to_be_left_out() -> None:
    """Nor does a word come twice, and each set has one word per group."""
    data = template_words()
    left_out = set(chain.from_iterable(entry["words"] for entry in data["left_out"]))
    used = list(chain.from_iterable(chain(*slot.values()) for slot in data["slots"].values()))
    for axis in data["axes"].values():
        sets = list(chain.from_iterable(axis.get(kind, []) for kind in data["shapes"]))
        assert all(len(one) == len(axis["groups"]) for one in sets)
        used += chain.from_iterable(sets)
    assert not left_out & {word.lower() for word in used}
    assert len(set(used)) == len(used)
    for forms in data["slots"].values():
        assert len(forms["non-toxic"]) == len(forms["toxic"])
    assert len(set(data["fillers"]["filler"])) == 50


def test_a_swap_turns_one_group_into_the_other() -> None:
    """The article agrees, and no other word of a sentence says a gender."""
    templates = identity_templates(size=400)
    # Read by a swap as words for anyone, or for a name.
    unread = {"guys", "kings", "queens"}
    men, women = (
        templates.filter(
            lambda row, group=group: row["group"] == group and row["identity"] not in unread
        )
        for group in ("man", "woman")
    )
    # The names are those of women and men alike.
    swap = CounterfactualSwap(columns="text", mode="replace", names=False)
    swapped = men.select_columns(["text", "family_id"]).map(swap, batched=True)
    expected = dict(zip(women["family_id"], women["text"], strict=True))
    for row in swapped:
        assert expected[row["family_id"]] == row["text"]
