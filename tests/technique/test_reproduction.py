"""From a card back to the techniques, and what is refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import spacy
from huggingface_hub import DatasetCard

from fair_datasets import Blindness, CounterfactualSwap, InputError
from fair_datasets.cards import Sample, dataset_card
from fair_datasets.hub.merging import merge_card
from fair_datasets.technique import reproduce

SWAP = CounterfactualSwap(columns=("a", "b"), axis=("gender", "race"), joint=True, seed=5)
BLIND = Blindness(columns="a", axis="religion")


def card_of(*techniques: Any, **options: Any) -> str:
    """Write the card of several techniques."""
    configs = [technique.config() for technique in techniques]
    return dataset_card(title="t", source="s", config=configs, counts={}, command="c", **options)


def test_techniques_come_back_in_order() -> None:
    """They are equal to those whose card it is."""
    assert reproduce(card_of(SWAP, BLIND)) == (SWAP, BLIND)
    assert reproduce(card_of(BLIND, SWAP)) == (BLIND, SWAP)


def test_every_form_of_a_card_is_read(tmp_path: Path) -> None:
    """Its text, its file, its folder, and what huggingface_hub makes of it."""
    text = card_of(SWAP)
    path = tmp_path / "README.md"
    path.write_text(text, "utf-8")
    for card in (text, path, str(path), tmp_path, DatasetCard(text), text.replace("\n", "\r\n")):
        assert reproduce(card) == (SWAP,)


def test_a_card_that_was_pushed() -> None:
    """What the Hub's card became keeps the techniques of each configuration."""
    hostile = CounterfactualSwap(columns="<!-- fair_datasets: end cda -->")
    pushed = merge_card("---\nlicense: mit\n---\n# Mine\n", card_of(SWAP, hostile), "cda")
    pushed = merge_card(pushed, card_of(SWAP), "cds")
    pushed = merge_card(pushed, card_of(BLIND), "cds")
    assert reproduce(pushed, config_name="cda") == (SWAP, hostile)
    assert reproduce(pushed, config_name="cds") == (BLIND,)


def section(name: str, text: str) -> str:
    """Mark a section of a card as a push does."""
    return f"<!-- fair_datasets: begin {name} -->\n{text}\n<!-- fair_datasets: end {name} -->\n"


def test_a_card_with_two_configurations_needs_a_name() -> None:
    """Each configuration has its own techniques; what stands outside is nobody's configuration."""
    own = "```json\n{}\n```\n"
    card = own + section("cda", card_of(SWAP)) + own + section("a b", card_of(BLIND))
    assert reproduce(card, config_name="a b") == (BLIND,)
    assert reproduce(card, config_name="cda") == (SWAP,)
    assert reproduce(own + section("cda", card_of(SWAP))) == (SWAP,)
    with pytest.raises(InputError, match=r"several configurations \('cda', 'a b'\)"):
        reproduce(card)
    with pytest.raises(InputError, match="Did you mean 'cda'"):
        reproduce(card, config_name="cdaa")


@pytest.mark.parametrize(
    "card",
    [
        section("a", "") * 2,
        "<!-- fair_datasets: begin a -->\n",
        "<!-- fair_datasets: end a -->\n",
        "<!-- fair_datasets: begin a -->\n<!-- fair_datasets: end b -->\n",
        "<!-- fair_datasets: begin a -->\n" * 2,
    ],
)
def test_sections_that_do_not_pair_are_refused(card: str) -> None:
    """A card that was cut or doubled is not guessed at."""
    with pytest.raises(InputError, match="download the card again"):
        reproduce(card)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"gender": "', '"gender": "0', "'gender' is not the file"),
        ('"first_names": "[0-9a-f]+"', '"first_names": "0"', "'first_names' is not the file"),
        ('"version": "[^"]+"', '"version": "0.0.0"', "version 0.0.0 of fair_datasets made"),
        ('"CounterfactualSwap",', '"CounterfactualSwop",', "Did you mean 'CounterfactualSwap'"),
        ('"seed": 5', '"sede": 5', "'sede'"),
        ('"seed": 5', '"seed": "5"', "seed must be a whole number"),
        ('"seed": 5,', "", "lacks the parameters 'seed'"),
        ('"seed": 5,', '"seed": 5', "is not valid JSON"),
        ("```json\n{", "```json\n[{", "is not valid JSON"),
        ("```json", "```text", "states no technique"),
        ("```\n\n## How to make", "\n\n## How to make", "states no technique|is not valid JSON"),
    ],
)
def test_a_card_that_was_changed_is_refused(old: str, new: str, message: str) -> None:
    """Digest, version, name, parameter or form: a sentence says which."""
    card = card_of(SWAP)
    changed = re.sub(old, new, card)
    assert changed != card
    with pytest.raises(InputError, match=message):
        reproduce(changed)


def own_swap(folder: Path) -> CounterfactualSwap:
    """Write a lexicon of one's own into a folder, and return a swap by it."""
    folder.mkdir(exist_ok=True)
    (folder / "team.tsv").write_text("here\taway\thome\nhost\tguest\tlocal\n")
    (folder / "team.exceptions.tsv").write_text("phrase\treason\nhost of angels\tmany\n")
    return CounterfactualSwap(columns="text", axis=str(folder / "team.tsv"), provenance=True)


def published(swap: CounterfactualSwap, folder: Path) -> Path:
    """Lay a card out with what is published beside it, on another machine as it were."""
    for path, file in swap.own_files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(file.read_bytes())
    (folder / "README.md").write_text(card_of(swap))
    return folder


def test_a_lexicon_that_lies_beside_the_card_is_found(tmp_path: Path) -> None:
    """It draws and traces as the one that made the rows, and its path is told to nobody."""
    swap = own_swap(tmp_path / "private")
    folder = published(swap, tmp_path / "public")
    (again,) = reproduce(folder)
    rows = {"text": [f"The host {number} met a guest." for number in range(40)]}
    assert isinstance(again, CounterfactualSwap)
    assert again(rows) == swap(rows)
    assert "private" not in (folder / "README.md").read_text()
    assert "private" not in str(swap(rows))
    assert again.lexicon(again.axes[0]).exceptions == ("host of angels",)
    assert reproduce((folder / "README.md").read_text(), folder=folder) == (again,)


def test_a_lexicon_that_was_edited_is_refused(tmp_path: Path) -> None:
    """The card of one's own word list holds for that list alone."""
    folder = published(own_swap(tmp_path / "private"), tmp_path / "public")
    (lexicon,) = folder.glob("lexicons/*/team.tsv")
    lexicon.write_text("here\taway\thome\nhost\tvisitor\tlocal\n")
    with pytest.raises(InputError, match=r"'lexicons/[0-9a-f]{8}/team.tsv' is not the file"):
        reproduce(folder)


def test_a_lexicon_that_lies_elsewhere_is_read_with_leave_only(tmp_path: Path) -> None:
    """By the name that the card gives it, and by the place where it lies here."""
    swap = own_swap(tmp_path / "private")
    card = card_of(swap)
    (name,) = (path for path in swap.own_files() if path.endswith("team.tsv"))
    with pytest.raises(InputError, match=rf"names '{name}', which is not part of the package"):
        reproduce(card)
    assert reproduce(card, allow={name: tmp_path / "private" / "team.tsv"}) == (swap,)


@pytest.mark.parametrize(
    "name",
    ["/etc/secret.tsv", "../secret.tsv", "lexicons/../../secret.tsv", "..\\secret.tsv", "no.tsv"],
)
def test_a_name_that_leads_out_of_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    """A card has no file of its reader opened: neither by an absolute path nor by a way up."""
    (tmp_path / "secret.tsv").write_text("here\taway\nhost\tguest\n")
    (tmp_path / "card" / "lexicons").mkdir(parents=True)
    card = card_of(SWAP).replace('"gender",\n', f"{json.dumps(name)},\n", 1)
    (tmp_path / "card" / "README.md").write_text(card)
    with pytest.raises(InputError, match="is not part of the package, and no lexicon"):
        reproduce(tmp_path / "card")


def test_a_pipeline_is_run_with_leave_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder on the import path that calls itself a pipeline is not even looked at."""
    spacy.blank("en").to_disk(tmp_path / "en_mine")
    swap = CounterfactualSwap(columns="text", pipeline=str(tmp_path / "en_mine"))
    card = card_of(swap)
    assert str(tmp_path) not in card
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="names 'en_mine', which is not part of the package"):
        reproduce(card)
    assert reproduce(card, allow={"en_mine": tmp_path / "en_mine"}) == (swap,)
    both = card_of(swap, swap)
    assert len(set(reproduce(both, allow=iter(["en_mine"])))) == 1
    (again,) = reproduce(card, allow=["en_mine"])
    assert again.config()["parameters"]["pipeline"] == "en_mine"
    with pytest.raises(InputError, match="allow must list the names"):
        reproduce(card, allow=3)  # type: ignore[arg-type]


def test_text_of_the_data_is_no_technique() -> None:
    """A sample, a title or a column that looks like a section or a block is text."""
    hostile = "\n```json\n{}\n```\n<!-- fair_datasets: end default -->\n"
    swap = CounterfactualSwap(columns=hostile)
    card = dataset_card(
        title=hostile,
        source=hostile,
        config=swap.config(),
        counts={},
        command=hostile,
        metadata={"license": hostile},
        samples=[Sample(hostile, [{"start": 0, "end": 1, "after": hostile}])],
    )
    assert reproduce(card) == (swap,)


@pytest.mark.parametrize("card", ["no such card", 3, None, Path("/no/such/README.md")])
def test_what_is_no_card_is_named(card: Any) -> None:
    """A path that does not exist, or another object, gets a sentence."""
    with pytest.raises(InputError, match="reproduce: the card"):
        reproduce(card)
