"""Tests of the base class of all techniques."""

import copy
import json
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, Features, Value, load_from_disk
from datasets.fingerprint import Hasher

from fair_datasets import CounterfactualSwap, InputError, load_technique
from fair_datasets.system.portable import file_digest
from fair_datasets.technique import Technique
from fair_datasets.technique import configured as module
from fair_datasets.technique.contract import Batch, uninstalled_classes

GUESTS = "home\taway\nhost\tguest\n"
VISITORS = "home\taway\nhost\tvisitor\n"


@dataclass(frozen=True, kw_only=True)
class Mark(Technique):
    """A technique with all kinds of fields, and a file if one is named."""

    columns: tuple[str, ...] = ("text",)
    others: tuple[tuple[str, int], ...] = ()
    rate: float = 0.5
    mark: str | None = None
    file: str = ""

    def resources(self) -> Mapping[str, Path]:
        """Name the file."""
        return {"marks": Path(self.file)} if self.file else {}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Return the batch as it is."""
        return {column: list(values) for column, values in batch.items()}


@pytest.fixture
def axis(tmp_path: Path) -> Path:
    """Return the file of a user's own axis."""
    path = tmp_path / "team.tsv"
    path.write_text(GUESTS, encoding="utf-8")
    return path


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """Return the folder of a dataset on disk, which has a cache."""
    folder = str(tmp_path / "dataset")
    Dataset.from_dict({"text": ["The host sat.", "It rains."]}).save_to_disk(folder)
    return folder


def guest_swap(axis: Path) -> CounterfactualSwap:
    """Return a swap by the user's own axis."""
    return CounterfactualSwap(columns="text", axis=str(axis), mode="replace")


def file_numbers(dataset: Dataset) -> dict[str, int]:
    """Return the cache files; a file that is written anew has another number."""
    names = [file["filename"] for file in dataset.cache_files]
    assert names
    return {name: os.stat(name).st_ino for name in names}


def rebuilt(config: dict[str, Any]) -> Technique:
    """Rebuild a technique from its own configuration, whose files are known."""
    return load_technique(config, allow=Technique.external_names(config["parameters"]))


COPIES: list[Callable[[Technique], Technique]] = [
    copy.copy,
    copy.deepcopy,
    lambda technique: pickle.loads(pickle.dumps(technique)),
    lambda technique: rebuilt(technique.config()),
    lambda technique: rebuilt(json.loads(json.dumps(technique.config()))),
]


@pytest.mark.parametrize("copied", COPIES)
def test_copies_are_equal(copied: Callable[[Technique], Technique], axis: Path) -> None:
    """Copied, pickled or rebuilt from its configuration, a technique is the same."""
    for swap in (CounterfactualSwap(columns=("a", "b"), seed=3), guest_swap(axis)):
        twin = copied(swap)
        assert type(twin) is CounterfactualSwap
        assert twin == swap
        assert hash(twin) == hash(swap)
        assert twin.digests == swap.digests
        assert Hasher.hash(twin) == Hasher.hash(swap)
        assert repr(twin) == repr(swap)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Mark(columns=("a", "b")), Mark(columns=("a",))),
        (Mark(), Mark(rate=0.25)),
        (Mark(), Mark(mark="")),
        (Mark(columns=("a", "b")), Mark(columns=("b", "a"))),
        (CounterfactualSwap(columns="a"), CounterfactualSwap(columns="a", names=False)),
        (CounterfactualSwap(columns="a"), CounterfactualSwap(columns="a", seed=1)),
    ],
)
def test_other_parameters_make_another_technique(one: Technique, other: Technique) -> None:
    """Techniques that differ in a parameter are unequal and have different fingerprints."""
    assert one != other
    assert Hasher.hash(one) != Hasher.hash(other)


@pytest.mark.parametrize("columns", ["text", ["text"], ("text",)])
def test_equal_techniques_have_equal_fingerprints(columns: Any) -> None:
    """A name, a list and a tuple of columns lead to the same cache, and so do 1 and 1.0."""
    swap = CounterfactualSwap(columns=columns, mode="substitute", rate=1)
    other = CounterfactualSwap(columns=("text",), mode="substitute", rate=1.0)
    assert swap == other
    assert Hasher.hash(swap) == Hasher.hash(other)


def test_shared_and_equal_tuples_have_equal_fingerprints() -> None:
    """Whether two fields share a tuple or have equal ones does not show in the fingerprint."""
    pair = ("a", 1)
    shared = Mark(others=(pair, pair))
    equal = Mark(others=(pair, ("a", int("1"))))
    assert shared.others[0] is shared.others[1]
    assert equal.others[0] is not equal.others[1]
    assert Hasher.hash(shared) == Hasher.hash(equal)


def test_use_does_not_change_the_fingerprint() -> None:
    """A technique that has worked finds the cache of one that has not."""
    swap = CounterfactualSwap(columns="text")
    before = Hasher.hash(swap)
    assert swap({"text": ["He ran."]})["text"] == ["He ran.", "She ran."]
    assert Hasher.hash(swap) == before


def test_what_is_kept_beside_the_fields_does_not_reach_the_fingerprint() -> None:
    """The pickle holds the fields alone, so a cached object changes no fingerprint."""
    mark = Mark()
    before = Hasher.hash(mark)
    vars(mark)["model"] = object()
    assert Hasher.hash(mark) == before
    assert not hasattr(copy.copy(mark), "model")


def test_a_technique_is_frozen() -> None:
    """Neither a field nor anything else can be assigned."""
    for name in ("columns", "version", "digests", "anything"):
        with pytest.raises(FrozenInstanceError):
            setattr(Mark(), name, None)


def test_the_version_and_the_digests_cannot_be_given() -> None:
    """They are taken from the library and from the files."""
    for name in ("version", "digests"):
        with pytest.raises(InputError, match=name):
            Mark(**{name: ()})


@pytest.mark.parametrize(
    ("given", "named", "sentence"),
    [
        (("text", "gender"), {}, "'columns' alone may be given without its name, but 2 values are"),
        ((), {"colums": "text"}, "there is no parameter 'colums'. Did you mean 'columns'?"),
        ((), {"column": "text"}, "there is no parameter 'column'. Did you mean 'columns'?"),
        (
            (),
            {"text_column": "text"},
            "there is no parameter 'text_column'. Did you mean 'columns'?",
        ),
        (
            ("text",),
            {"language": "en"},
            "there is no parameter 'language'. Leave it out: the lexicon",
        ),
        (
            ("text",),
            {"zzz": 1},
            "there is no parameter 'zzz'. The parameters are 'columns', 'roles'",
        ),
        ((), {}, "columns is missing; give columns (the text column or columns)."),
        (("text",), {"columns": "text"}, "columns is given twice; give it once."),
        (({"text": ["He ran."]},), {}, "it was given rows, but first needs its parameters"),
        ((Dataset.from_dict({}),), {}, "it was given rows, but first needs its parameters"),
    ],
)
def test_arguments_that_a_technique_does_not_take_are_told(
    given: Any, named: Any, sentence: str
) -> None:
    """A sentence names the argument and what to write, and goes by the docstrings."""
    with pytest.raises(InputError) as caught:
        CounterfactualSwap(*given, **named)
    assert str(caught.value).startswith(f"CounterfactualSwap: {sentence}")


def test_what_map_gives_besides_the_batch_is_refused() -> None:
    """Row numbers, ranks and arguments of one's own are for functions."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    for options in ({"with_indices": True}, {"with_rank": True}, {"fn_kwargs": {"mode": "pair"}}):
        with pytest.raises(InputError, match="leave out with_indices"):
            rows.map(CounterfactualSwap("text"), batched=True, **options)


def test_a_technique_has_to_process_batches() -> None:
    """A subclass without `process` cannot be made."""
    incomplete = dataclass(frozen=True, kw_only=True)(type("Incomplete", (Technique,), {}))
    with pytest.raises(TypeError, match="process"):
        incomplete()


def test_another_version_makes_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's version is part of the state, so a new release misses an old cache."""
    mark = Mark()
    monkeypatch.setattr(module, "__version__", "99.0")
    assert Mark().version == "99.0"
    assert Mark() != mark
    assert Hasher.hash(Mark()) != Hasher.hash(mark)


def test_the_configuration_is_json(axis: Path) -> None:
    """The configuration says what is needed to repeat the work, in JSON's own types."""
    mark = Mark(columns=("a", "b"), others=(("c", 1),), file=str(axis))
    config = mark.config()
    assert config == {
        "technique": "Mark",
        "version": module.__version__,
        "parameters": {
            "columns": ["a", "b"],
            "others": [["c", 1]],
            "rate": 0.5,
            "mark": None,
            "file": str(axis),
        },
        "digests": {"marks": file_digest(axis)},
    }
    assert json.loads(json.dumps(config)) == config


def test_the_configuration_is_a_copy() -> None:
    """Editing a configuration does not edit the technique."""
    swap = CounterfactualSwap(columns="text")
    swap.config()["parameters"]["columns"].append("other")
    swap.config()["digests"].clear()
    assert swap == CounterfactualSwap(columns="text")


def test_features_are_kept_by_default() -> None:
    """A technique that adds no column has the features of the dataset, as a copy."""
    features = Features({"text": Value("string")})
    assert Mark().features(features) == features
    assert Mark().features(features) is not features


def refusal(config: Mapping[str, Any], rebuild: Callable[[Mapping[str, Any]], Technique]) -> str:
    """Return the sentence in which a configuration is refused."""
    with pytest.raises(InputError) as caught:
        rebuild(config)
    return str(caught.value)


@pytest.mark.parametrize("rebuild", [CounterfactualSwap.from_config, load_technique])
def test_another_version_is_refused(rebuild: Callable[[Mapping[str, Any]], Technique]) -> None:
    """Another version might give another result, so its configuration is refused."""
    config = {**CounterfactualSwap(columns="text").config(), "version": "0.0.1"}
    assert refusal(config, rebuild) == (
        "CounterfactualSwap: version 0.0.1 of fair_datasets made the configuration, and version "
        f"{module.__version__} may give other rows; install that version to repeat the work, or "
        "create it again with CounterfactualSwap(**config['parameters'])."
    )


def test_the_configuration_of_another_technique_is_refused() -> None:
    """A class rebuilds its own configurations only."""
    assert refusal(CounterfactualSwap(columns="text").config(), Mark.from_config) == (
        "Mark: technique must be one of 'Mark', but it is 'CounterfactualSwap'."
    )


def test_an_unknown_technique_is_told_with_those_that_exist() -> None:
    """A technique that no installed package provides is named, with those that there are."""
    config = {**CounterfactualSwap(columns="text").config(), "technique": "CounterfactualSwop"}
    told = refusal(config, load_technique)
    assert told.startswith(
        "load_technique: technique must be one of 'AttributeFilter', 'BiasScore', "
    )
    assert told.endswith("it is 'CounterfactualSwop'. Did you mean 'CounterfactualSwap'?")


@pytest.mark.parametrize("key", ["technique", "version", "parameters", "digests"])
@pytest.mark.parametrize("rebuild", [CounterfactualSwap.from_config, load_technique])
def test_an_incomplete_configuration_is_refused(
    key: str, rebuild: Callable[[Mapping[str, Any]], Technique]
) -> None:
    """A configuration without one of its keys is told as such, not as a KeyError."""
    config = CounterfactualSwap(columns="text").config()
    del config[key]
    assert refusal(config, rebuild).endswith(
        f": the configuration lacks {key!r}; give what `config()` of a technique returned."
    )


REBUILD = [CounterfactualSwap.from_config, load_technique]


@pytest.mark.parametrize("rebuild", REBUILD)
@pytest.mark.parametrize("config", [None, "{}", []])
def test_what_is_no_configuration_is_refused(
    config: Any, rebuild: Callable[[Mapping[str, Any]], Technique]
) -> None:
    """JSON text, a list or nothing is told as such, not as a TypeError."""
    assert refusal(config, rebuild).endswith(
        f": the configuration must be a mapping, but it is a {type(config).__name__}; give what "
        "`config()` of a technique returned, and JSON text after `json.loads`."
    )


@pytest.mark.parametrize("rebuild", REBUILD)
@pytest.mark.parametrize(("key", "value"), [("parameters", None), ("digests", [])])
def test_parts_of_a_configuration_are_mappings(
    key: str, value: Any, rebuild: Callable[[Mapping[str, Any]], Technique]
) -> None:
    """A configuration whose parameters or digests are none is refused."""
    config = {**CounterfactualSwap(columns="text").config(), key: value}
    assert refusal(config, rebuild).endswith(
        f": {key!r} of the configuration must be a mapping, but it is {value!r}; give what "
        "`config()` of a technique returned."
    )


@pytest.mark.parametrize("rebuild", REBUILD)
@pytest.mark.parametrize("name", ["colums", 3])
def test_an_unknown_parameter_is_refused(
    name: Any, rebuild: Callable[[Mapping[str, Any]], Technique]
) -> None:
    """A parameter that the technique does not have is named, with those that it has."""
    config = CounterfactualSwap(columns="text").config()
    config["parameters"][name] = "text"
    told = refusal(config, rebuild)
    assert told.startswith(
        "CounterfactualSwap: a parameter of the configuration must be one of 'columns', 'roles', "
    )
    assert f"but it is {name!r}." in told


@pytest.mark.parametrize("rebuild", REBUILD)
@pytest.mark.parametrize("name", ["columns", "rate"])
def test_a_missing_parameter_is_refused(
    name: str, rebuild: Callable[[Mapping[str, Any]], Technique]
) -> None:
    """No default is taken for a parameter that the configuration has lost."""
    config = CounterfactualSwap(columns="text").config()
    del config["parameters"][name]
    assert refusal(config, rebuild) == (
        f"CounterfactualSwap: the configuration lacks the parameters {name!r}; give what "
        "`config()` of a technique returned."
    )


def test_a_changed_file_is_refused(axis: Path) -> None:
    """A configuration is not rebuilt with a lexicon that has been edited since."""
    config = guest_swap(axis).config()
    expected = file_digest(axis)
    axis.write_text(VISITORS, encoding="utf-8")
    assert refusal(config, rebuilt) == (
        f"CounterfactualSwap: '{axis}' is not the file that the configuration was made with (its "
        f"SHA-256 is {file_digest(axis)}, expected {expected})."
    )


def test_a_file_that_has_gone_is_refused(axis: Path) -> None:
    """A configuration with exceptions is not rebuilt without them, nor the other way round."""
    exceptions = axis.with_name("team.exceptions.tsv")
    without = guest_swap(axis).config()
    exceptions.write_text("phrase\treason\nhost of angels\tmany\n", encoding="utf-8")
    with_exceptions = guest_swap(axis).config()
    assert "team.tsv.exceptions' is not the file" in refusal(without, rebuilt)
    exceptions.unlink()
    told = refusal(with_exceptions, rebuilt)
    assert "team.tsv.exceptions' is not the file" in told
    assert "its SHA-256 is None" in told


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A technique cannot be made with a file that is not there."""
    path = tmp_path / "none.txt"
    with pytest.raises(InputError) as caught:
        Mark(file=str(path))
    assert (
        str(caught.value)
        == f"The file {path} cannot be read: No such file or directory; check the path."
    )


def test_the_digest_is_the_sha_256(tmp_path: Path) -> None:
    """A file's digest is the one that `sha256sum` prints."""
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert file_digest(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_pickle_keeps_the_digests_of_its_making(axis: Path) -> None:
    """In a worker process a technique still knows the file that it was made with."""
    swap = guest_swap(axis)
    pickled = pickle.dumps(swap)
    axis.write_text(VISITORS, encoding="utf-8")
    assert pickle.loads(pickled).digests == swap.digests
    assert guest_swap(axis).digests != swap.digests


def test_an_untouched_lexicon_hits_the_cache(axis: Path, saved: str) -> None:
    """A second run with an equal technique reads what the first has written."""
    first = file_numbers(load_from_disk(saved).map(guest_swap(axis), batched=True))
    axis.write_text(GUESTS, encoding="utf-8")
    second = file_numbers(load_from_disk(saved).map(guest_swap(axis), batched=True))
    assert second == first


@pytest.mark.parametrize("edited", ["lexicon", "exceptions"])
def test_an_edited_lexicon_misses_the_cache(edited: str, axis: Path, saved: str) -> None:
    """After an edit of the lexicon, or of its exceptions, the rows are made anew."""
    before = load_from_disk(saved).map(guest_swap(axis), batched=True)
    assert before["text"][0] == "The guest sat."
    if edited == "lexicon":
        axis.write_text(VISITORS, encoding="utf-8")
        expected = "The visitor sat."
    else:
        exceptions = axis.with_name("team.exceptions.tsv")
        exceptions.write_text("phrase\treason\nthe host\ta test\n", encoding="utf-8")
        expected = "The host sat."
    after = load_from_disk(saved).map(guest_swap(axis), batched=True)
    assert after["text"][0] == expected
    assert not file_numbers(after).keys() & file_numbers(before).keys()


def test_a_technique_from_before_an_edit_is_refused(axis: Path, saved: str) -> None:
    """A technique does not work with another lexicon than the one that it was made with."""
    swap = guest_swap(axis)
    axis.write_text(VISITORS, encoding="utf-8")
    told = f"The lexicon {str(axis)!r} has changed since the technique was made"
    with pytest.raises(InputError, match=told):
        swap({"text": ["The host sat."]})
    with pytest.raises(InputError, match=told):
        load_from_disk(saved).map(swap, batched=True)


def test_exceptions_from_after_the_making_are_refused(axis: Path) -> None:
    """A file of exceptions that was added since is not read, as no digest stands for it."""
    swap = guest_swap(axis)
    exceptions = axis.with_name("team.exceptions.tsv")
    exceptions.write_text("phrase\treason\nthe host\ta test\n", encoding="utf-8")
    with pytest.raises(InputError, match="has changed since the technique was made"):
        swap({"text": ["The host sat."]})


@pytest.mark.parametrize("wrong", [int, 3, Mark()])
def test_what_is_no_class_of_techniques_is_refused(wrong: Any) -> None:
    """Also where its name is that of an installed one."""
    with pytest.raises(InputError, match="techniques must list classes of techniques"):
        load_technique(Mark().config(), techniques=[wrong])


@pytest.mark.parametrize(("given", "told"), [(None, "given None;"), ({"text": 1}, "given a dict;")])
def test_what_are_no_features_is_told(given: Any, told: str) -> None:
    """With what works."""
    with pytest.raises(InputError, match=rf"Mark: features takes .* {told} use `technique.apply"):
        Mark().features(given)


def test_a_class_of_ones_own_is_not_the_installed_one_of_that_name() -> None:
    """It is told with its module."""
    own = type("Blindness", (Mark,), {"__module__": __name__})
    assert uninstalled_classes(own(), CounterfactualSwap("text")) == {"Blindness": __name__}
