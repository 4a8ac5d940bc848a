"""A direction is pushed and pulled as models are; word vectors are found on the Hub."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import HfApi

from fair_datasets import BiasScore, InputError
from fair_datasets.models import DemographicDirection, load_word_vectors, word_direction
from fair_datasets.technique import Technique

WORDS = {"he": [1.0, 0.2], "she": [0.1, 1.0], "man": [1.0, 0.0], "woman": [0.0, 0.7]}


@pytest.fixture
def vectors(hub: Any, tmp_path: Path) -> Path:
    """Return a file of vectors, which is on the Hub as well."""
    load_word_vectors(WORDS).save(tmp_path / "vectors.npz")
    client = HfApi()
    client.create_repo("ada/vectors")
    client.upload_file(
        path_or_fileobj=tmp_path / "vectors.npz", path_in_repo="vectors.npz", repo_id="ada/vectors"
    )
    return tmp_path / "vectors.npz"


def test_a_direction_comes_back(hub: Any) -> None:
    """With a card that says where it points; and it is sent again over itself."""
    direction = word_direction(WORDS)
    for _ in range(2):
        direction.push_to_hub("ada/gender", private=True)
    assert HfApi().repo_info("ada/gender").private
    files = set(HfApi().list_repo_files("ada/gender"))
    assert files == {".gitattributes", "README.md", "direction.safetensors"}
    card = Path(HfApi().hf_hub_download("ada/gender", "README.md")).read_text()
    assert 'from_pretrained("ada/gender")' in card
    for name in ("ada/gender", "hf://ada/gender", "ada/gender@main"):
        again = DemographicDirection.from_pretrained(name)
        assert np.array_equal(again.vector, direction.vector)
        assert again.provenance == direction.provenance


def test_vectors_are_pulled(vectors: Path) -> None:
    """By the name of the repository, or of the file in it."""
    for name in ("ada/vectors", "hf://ada/vectors/vectors.npz", "hf://models/ada/vectors"):
        assert load_word_vectors(name)["she"].tolist() == pytest.approx(WORDS["she"])


def test_several_files_are_told(vectors: Path) -> None:
    """With how one of them is named."""
    HfApi().upload_file(path_or_fileobj=b"he 1\n", path_in_repo="b.txt", repo_id="ada/vectors")
    with pytest.raises(InputError, match=r"several files .* such as 'hf://ada/vectors/b.txt'"):
        load_word_vectors("ada/vectors")
    assert len(load_word_vectors("hf://ada/vectors/b.txt")) == 1


def test_what_is_not_there(hub: Any) -> None:
    """Neither the repository nor a file of the kind."""
    word_direction(WORDS).push_to_hub("ada/gender")
    with pytest.raises(InputError, match="ada/gender holds no word vectors: none of its files"):
        load_word_vectors("ada/gender")
    for load in (load_word_vectors, DemographicDirection.from_pretrained):
        with pytest.raises(InputError, match="ada/none"):
            load("ada/none")


def test_a_technique_of_the_hub(vectors: Path, hub: Any, tmp_path: Path) -> None:
    """Is saved by the names there; one whose files only lie here is not."""
    word_direction(WORDS).push_to_hub("ada/gender")
    local = BiasScore(columns="text", vectors=vectors)
    there = BiasScore(columns="text", vectors="ada/vectors", direction="ada/gender")
    batch = {"text": ["Men and women", "man he", "A woman, a hero"]}
    assert there(batch) == local(batch)
    with pytest.raises(InputError, match="exists only here, and is not saved with the technique"):
        local.save_pretrained(tmp_path / "saved")
    there.push_to_hub("ada/score")
    names = ["ada/vectors", "ada/gender"]
    assert Technique.from_pretrained("ada/score", allow=names) == there
    with pytest.raises(InputError, match=r"names 'ada/gender', 'ada/vectors', which is not part"):
        Technique.from_pretrained("ada/score")
    card = Path(HfApi().hf_hub_download("ada/score", "README.md")).read_text()
    assert '"importance": "uniform"' in card
