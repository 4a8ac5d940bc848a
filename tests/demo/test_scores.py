"""A classifier's scores, of models that the owner of the page named."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fair_datasets import InputError


@pytest.fixture
def module(load: Callable[[str], ModuleType]) -> Iterator[ModuleType]:
    """Return the module, with no model loaded."""
    found = load("scores")
    found._loaded.cache_clear()
    yield found
    found._loaded.cache_clear()


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> Callable[[str], None]:
    """Return what names the models that are offered."""
    return lambda names: monkeypatch.setenv(module.VARIABLE, names)


def test_both_texts_are_scored(module: ModuleType, named: Any, classifier: Path) -> None:
    """Each label has two probabilities, and the largest difference comes first."""
    named(str(classifier))
    scores = module.score(str(classifier), "the waitress sang", "the waiter sang")
    assert {found.label for found in scores} == {"negative", "neutral", "positive"}
    assert sum(found.before for found in scores) == pytest.approx(1)
    assert sum(found.after for found in scores) == pytest.approx(1)
    differences = [abs(found.after - found.before) for found in scores]
    assert differences == sorted(differences, reverse=True)
    assert differences[0] > 0
    assert len(module.score(str(classifier), "waitress " * 900, "waiter " * 900)) == 3


def test_one_text_has_no_difference(module: ModuleType, named: Any, classifier: Path) -> None:
    """Equal texts have equal scores."""
    named(f" {classifier} , ")
    assert module.offered_models() == [str(classifier)]
    scores = module.score(str(classifier), "the waitress", "the waitress")
    assert all(found.before == found.after for found in scores)


def test_no_other_model_is_loaded(
    module: ModuleType, named: Callable[[str], None], classifier: Path, tmp_path: Path
) -> None:
    """A folder or an id that the owner did not name is refused before anything is read."""
    for name in (str(classifier), "someone/else", f"{tmp_path}/../etc", ""):
        named("ada/allowed")
        with pytest.raises(InputError, match=r"offers no model .*, but ada/allowed"):
            module.score(name, "a", "b")
    assert module._loaded.cache_info().misses == 0


def test_none_is_said(module: ModuleType, named: Callable[[str], None]) -> None:
    """A page without a model says who can change that."""
    named("")
    assert module.offered_models() == []
    with pytest.raises(InputError, match=f"No classifier is set up here.*{module.VARIABLE}"):
        module.score("any", "a", "b")


def test_one_that_cannot_be_read_is_told(module: ModuleType, named: Any, tmp_path: Path) -> None:
    """It is a sentence."""
    (tmp_path / "empty").mkdir()
    named(str(tmp_path / "empty"))
    with pytest.raises(InputError, match=r"cannot be loaded|neither a folder"):
        module.score(str(tmp_path / "empty"), "a", "b")


def test_a_small_one_is_offered_where_nothing_is_named(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is downloaded when somebody asks for scores, not before."""
    monkeypatch.delenv(module.VARIABLE, raising=False)
    assert module.offered_models() == [module.DEFAULT]
    assert module.VARIABLE not in os.environ
