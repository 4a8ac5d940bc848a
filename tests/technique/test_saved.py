"""Techniques are saved, pushed and loaded as models are."""

import json
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
import spacy
from datasets import Dataset
from huggingface_hub import HfApi, ModelCard

from fair_datasets import (
    BiasScore,
    Blindness,
    CounterfactualSwap,
    EquityScore,
    KeepAbove,
    PreferenceTwins,
)
from fair_datasets.cards.markdown import fenced_blocks
from fair_datasets.models import DemographicDirection
from fair_datasets.reader.student import shipped
from fair_datasets.system.checks import InputError
from fair_datasets.technique import Technique

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


@pytest.mark.parametrize(
    "technique",
    [
        CounterfactualSwap(columns=("a", "b"), mode="substitute", rate=0.25, protect="Lily Allen"),
        Blindness(columns="text", axis="race"),
        KeepAbove(column="el2n", threshold=0.5),
        EquityScore(columns="text", models="ada/probe"),
        PreferenceTwins(columns=("prompt", "chosen", "rejected"), mode="equal"),
    ],
)
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


def test_what_is_no_technique(hub: Any, tmp_path: Path) -> None:
    """Each mistake has its sentence."""
    Blindness(columns="text").push_to_hub("ada/blind")
    HfApi().create_repo("ada/model")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "technique.json").write_text("{")
    with pytest.raises(
        InputError, match="technique must be one of 'CounterfactualSwap', but it is"
    ):
        CounterfactualSwap.from_pretrained("ada/blind")
    sentences = {
        "ada/model": r"ada/model is not a technique: it holds no technique\.json",
        "ada/none": "There is no model ada/none on the Hub",
        "./none": "There is no folder './none'; check the path",
        str(broken): r"The technique\.json of .* cannot be read",
        "a b": "names no repository of the Hub",
    }
    for name, sentence in sentences.items():
        with pytest.raises(InputError, match=sentence):
            Technique.from_pretrained(name)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="The technique cannot be saved in"):
        Blindness(columns="text").save_pretrained(tmp_path / "file")


@pytest.mark.parametrize(
    "axis",
    ["/etc/x.tsv", "../x.tsv", "lexicons/../../x.tsv", "lexicons/a\0.tsv", "a" * 5000 + ".tsv"],
)
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
