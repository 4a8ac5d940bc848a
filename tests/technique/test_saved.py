"""Techniques are saved, pushed and loaded as models are."""

import json
import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
import spacy
from datasets import Dataset
from huggingface_hub import DatasetCard, HfApi, ModelCard

from fair_datasets import (
    BiasScore,
    Blindness,
    CounterfactualSwap,
    EquityScore,
    InputError,
    KeepAbove,
    PreferenceTwins,
)
from fair_datasets.cards import Sample, dataset_card
from fair_datasets.cards.markdown import fenced_blocks, merge_card
from fair_datasets.models import DemographicDirection
from fair_datasets.reader.student import shipped
from fair_datasets.technique import Technique, reproduce

hub = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "conftest.py"))["hub"]
ROWS = {"text": [f"The host {number} met a guest and a local." for number in range(30)]}


@pytest.fixture
def own(tmp_path: Path) -> CounterfactualSwap:
    """Return a swap by a lexicon of one's own, with exceptions, whose targets are drawn."""
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "team.tsv").write_text("here\taway\thome\nhost\tguest\tlocal\n")
    (folder / "team.exceptions.tsv").write_text("phrase\treason\nhost of angels\tmany\n")
    axis = ("gender", str(folder / "team.tsv"))
    return CounterfactualSwap(columns="text", axis=axis, joint=True, provenance=True, seed=3)


@pytest.mark.parametrize("technique", [
    CounterfactualSwap(columns=("a", "b"), mode="substitute", rate=0.25, protect="Lily Allen"),
    Blindness(columns="text", axis="race"), KeepAbove(column="el2n", threshold=0.5),
    EquityScore(columns="text", models="ada/probe"),
    PreferenceTwins(columns=("prompt", "chosen", "rejected"), mode="equal"),
])  # fmt: skip
def test_it_comes_back_equal(hub: Any, technique: Technique, tmp_path: Path) -> None:
    """From the Hub and from a folder, by its own class and by that of all techniques."""
    allow = technique.external_names(technique.config()["parameters"])
    technique.save_pretrained(tmp_path / "saved")
    technique.push_to_hub("ada/technique", private=True)
    for place in ("ada/technique", tmp_path / "saved", str(tmp_path / "saved")):
        assert type(technique).from_pretrained(place, allow=allow) == technique
        assert Technique.from_pretrained(place, allow=allow) == technique
    assert HfApi().repo_info("ada/technique").private
    files = set(HfApi().list_repo_files("ada/technique"))
    assert files == {".gitattributes", "README.md", "technique.json"}


def test_its_lexicon_travels_with_it(hub: Any, own: CounterfactualSwap, tmp_path: Path) -> None:
    """Where the file that it was made with is gone, rows and their trace are the same."""
    expected = own(ROWS)
    own.push_to_hub("ada/team")
    own.save_pretrained(tmp_path / "saved")
    shutil.rmtree(tmp_path / "private")
    for place in ("ada/team", tmp_path / "saved"):
        again = CounterfactualSwap.from_pretrained(place)
        assert again(ROWS) == expected
        again.save_pretrained(tmp_path / "again")
        assert CounterfactualSwap.from_pretrained(tmp_path / "again")(ROWS) == expected
        shutil.rmtree(tmp_path / "again")
    for path in HfApi().list_repo_files("ada/team"):
        assert "private" not in path
        assert "private" not in Path(HfApi().hf_hub_download("ada/team", path)).read_text()
    assert {edit["axis"] for edits in expected["edits"] for edit in edits} == {"gender", "team"}


def test_its_weights_travel_with_it(hub: Any, nameless: str, tmp_path: Path) -> None:
    """A reader's need no leave, and are refused where they are others."""
    rows = {"text": ["Mary saw her dog."]}
    swap = CounterfactualSwap("text", mode="replace", reader=nameless)
    expected = swap(rows)
    swap.push_to_hub("ada/read")
    swap.save_pretrained(tmp_path / "saved")
    Path(nameless).unlink()
    for place in ("ada/read", tmp_path / "saved"):
        assert Technique.from_pretrained(place)(rows) == expected
    assert expected["text"] == ["Mary saw his dog."]
    assert "nameless.safetensors" in ModelCard.load("ada/read").text
    assert str(tmp_path) not in ModelCard.load("ada/read").text
    (weights,) = (tmp_path / "saved").rglob("*.safetensors")
    shipped().save(weights)
    with pytest.raises(InputError, match="is not the file that the configuration was made with"):
        Technique.from_pretrained(tmp_path / "saved")


def test_a_direction_travels_with_a_score(tmp_path: Path) -> None:
    """Where its vectors are on the Hub."""
    place = tmp_path / "private" / "along.safetensors"
    place.parent.mkdir()
    DemographicDirection([1.0, 0.0], axis="gender", poles=("man", "woman")).save(place)
    BiasScore("text", vectors="ada/v", direction=place).save_pretrained(tmp_path / "saved")
    again = Technique.from_pretrained(tmp_path / "saved", allow="ada/v")
    assert DemographicDirection.from_pretrained(again.direction).poles == ("man", "woman")


def test_a_lexicon_that_was_edited_has_a_place_of_its_own(
    hub: Any, own: CounterfactualSwap, tmp_path: Path
) -> None:
    """An older revision keeps the lexicon that it was pushed with."""
    own.push_to_hub("ada/team")
    first = HfApi().repo_info("ada/team").sha
    lexicon = tmp_path / "private" / "team.tsv"
    lexicon.write_text("here\taway\thome\nhost\tvisitor\tlocal\n")
    new = CounterfactualSwap(columns="text", axis=str(lexicon))
    new.push_to_hub("ada/team")
    assert CounterfactualSwap.from_pretrained("ada/team")(ROWS) == new(ROWS)
    old = CounterfactualSwap.from_pretrained("ada/team", revision=first)
    assert old.config()["parameters"]["joint"] is True


def test_without_a_network(
    hub: Any, own: CounterfactualSwap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was downloaded before is found; what was not is told."""
    own.push_to_hub("ada/offline")
    before = Technique.from_pretrained("ada/offline")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert Technique.from_pretrained("ada/offline") == before
    with pytest.raises(InputError, match="HF_HUB_OFFLINE is set, so the model ada/other cannot be"):
        Technique.from_pretrained("ada/other")


def test_the_card_says_how_to_use_it(hub: Any) -> None:
    """Its code runs, and what others wrote beside it stays."""
    swap = CounterfactualSwap(columns="text")
    swap.push_to_hub("ada/swap")
    card = ModelCard.load("ada/swap")
    assert card.data["library_name"] == "fair_datasets"
    (code,) = [block.code for block in fenced_blocks(card.text) if block.language == "python"]
    rows = Dataset.from_dict({"text": ["He left.", "It rained."]})
    scope: dict[str, Any] = {"dataset": rows}
    exec(code, scope)
    assert list(scope["dataset"]) == list(swap.apply(rows))
    card.text += "\nBy hand.\n"
    card.push_to_hub("ada/swap")
    CounterfactualSwap(columns="text", seed=1).push_to_hub("ada/swap")
    text = ModelCard.load("ada/swap").text
    assert "By hand." in text
    assert '"seed": 1' in text
    assert '"seed": 0' not in text


def test_a_card_that_lies_in_the_folder_stays(tmp_path: Path) -> None:
    """Saving twice renews the technique, and not what somebody wrote."""
    for seed in (1, 2):
        CounterfactualSwap(columns="text", seed=seed).save_pretrained(tmp_path)
        (tmp_path / "README.md").write_text("# Mine\n")
    assert (tmp_path / "README.md").read_text() == "# Mine\n"
    again = CounterfactualSwap.from_pretrained(tmp_path)
    assert again.seed == 2


def test_a_pipeline_is_run_with_leave_only(
    hub: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is installed is named; one that only lies here is not saved."""
    folder = tmp_path / "somewhere" / "en_mine"
    folder.parent.mkdir()
    spacy.blank("en").to_disk(folder)
    swap = CounterfactualSwap(columns="text", pipeline=str(folder))
    for save in (swap.save_pretrained, swap.push_to_hub):
        with pytest.raises(InputError, match="exists only here, and is not saved"):
            save("ada/swap")
    package = tmp_path / "packages" / "en_installed"
    package.mkdir(parents=True)
    spacy.blank("en").to_disk(package / "en_pipeline-0.0.0")
    meta = {"lang": "en", "name": "pipeline", "version": "0.0.0"}
    (package / "meta.json").write_text(json.dumps(meta))
    (package / "__init__.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    swap = CounterfactualSwap(columns="text", pipeline="en_installed")
    swap.push_to_hub("ada/swap")
    with pytest.raises(
        InputError, match=r"names 'en_installed', .*, with allow=\['en_installed'\]"
    ):
        Technique.from_pretrained("ada/swap")
    assert Technique.from_pretrained("ada/swap", allow="en_installed") == swap
    assert 'from_pretrained("ada/swap", allow=["en_installed"])' in ModelCard.load("ada/swap").text


@pytest.mark.parametrize("axis", ["../x.tsv", "lexicons/a\0.tsv", "a" * 5000 + ".tsv"])
def test_a_hostile_technique_opens_nothing(axis: str, tmp_path: Path) -> None:
    """A name that leads out of the folder is refused, as is one that the system has no file for."""
    folder = tmp_path / "hostile"
    (tmp_path / "x.tsv").write_text("here\taway\nhost\tguest\n")
    CounterfactualSwap(columns="text").save_pretrained(folder)
    config = json.loads((folder / "technique.json").read_text())
    config["parameters"]["axis"] = axis
    (folder / "technique.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="is not part of the package, and no lexicon"):
        Technique.from_pretrained(folder)


@pytest.mark.parametrize("link", ["technique.json", "lexicons", "team.tsv", "team.exceptions.tsv"])
def test_a_link_that_leads_out_is_refused(
    own: CounterfactualSwap, tmp_path: Path, link: str
) -> None:
    """Whoever wrote the folder could otherwise have any file read, and published by a push."""
    folder = tmp_path / "saved"
    own.save_pretrained(folder)
    assert Technique.from_pretrained(folder)(ROWS) == own(ROWS)
    (path,) = folder.rglob(link)
    path.rename(tmp_path / "away")
    path.symlink_to(tmp_path / "away")
    for use in (Technique.from_pretrained, own.save_pretrained):
        with pytest.raises(InputError, match=r"is a link that leads out of .*saved; put the file"):
            use(folder)
    (tmp_path / "away").rename(folder / "inside")
    path.unlink()
    path.symlink_to(folder / "inside")
    assert Technique.from_pretrained(folder)(ROWS) == own(ROWS)


SWAP = CounterfactualSwap(columns=("a", "b"), axis=("gender", "race"), joint=True, seed=5)
BLIND = Blindness(columns="a", axis="religion")


def card_of(*techniques: Any, **options: Any) -> str:
    """Write the card of several techniques."""
    configs = [technique.config() for technique in techniques]
    return dataset_card(title="t", source="s", config=configs, counts={}, command="c", **options)


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


@pytest.mark.parametrize(("old", "new", "message"), [
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
])  # fmt: skip
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


@pytest.mark.parametrize("name", [
    "/etc/secret.tsv", "../secret.tsv", "lexicons/../../secret.tsv", "..\\secret.tsv", "no.tsv",
])  # fmt: skip
def test_a_name_that_leads_out_of_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    """A card has no file of its reader opened: neither by an absolute path nor by a way up."""
    (tmp_path / "secret.tsv").write_text("here\taway\nhost\tguest\n")
    (tmp_path / "card" / "lexicons").mkdir(parents=True)
    card = card_of(SWAP).replace('"gender",\n', f"{json.dumps(name)},\n", 1)
    (tmp_path / "card" / "README.md").write_text(card)
    with pytest.raises(InputError, match="is not part of the package, and no lexicon"):
        reproduce(tmp_path / "card")


def test_the_pipeline_of_a_card_is_run_with_leave_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        title=hostile, source=hostile, config=swap.config(), counts={}, command=hostile,
        metadata={"license": hostile},
        samples=[Sample(hostile, [{"start": 0, "end": 1, "after": hostile}])],
    )  # fmt: skip
    assert reproduce(card) == (swap,)
