"""The contract of DESIGN, checked on every technique that ships with the package."""

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from fair_datasets.models import load_word_vectors
from fair_datasets.scores import ProbeConfig, train_probes
from fair_datasets.technique.contract import ENTRY_POINT_GROUP, Technique
from fair_datasets.testing import check_another_process, check_technique, from_disk, same
from tests.small_models import save_person_model, small_model, word_tokenizer

# The small model writes at random, so that of few rows all fall back, which is told.
pytestmark = pytest.mark.filterwarnings("ignore:ModelRewrite. nothing that:UserWarning")

SHIPPED = {
    point.name: point
    for point in entry_points(group=ENTRY_POINT_GROUP)
    if point.value.startswith("fair_datasets.")
}

# Stand-ins for paths that exist only while a test runs: of the user's own axis, a classifier, word
# vectors, and models that write, find words that were replaced, fill masks, and tell persons apart.
AXIS, PROBE, VECTORS = "AXIS", "PROBE", "VECTORS"
LARGE = WRITER, DETECTOR, INFILLER, PERSONS = "WRITER", "DETECTOR", "INFILLER", "PERSONS"
LEXICON = """\
christian\tmuslim\tjew\tkind
church\tmosque\tsynagogue\tplace
priest|pastor\timam\trabbi\tperson
bible\tquran|koran\ttorah\tbook
"""

EXAMPLES: Mapping[str, list[dict[str, Any]]] = {
    "AttributeFilter": [
        {"columns": "text", "counterfactual_columns": "reply", "model": PROBE, "threshold": 0.45,
         "neutral": "copy"},
    ],
    "BiasScore": [{"columns": "text", "vectors": VECTORS},
     {"columns": ["text", "reply"], "vectors": VECTORS, "centred": True, "explain": True}],
    "Blindness": [
        {"columns": "text"},
        {"columns": ["text", "reply"], "mode": "neutralise", "names": False},
        {"columns": "text", "axis": AXIS},
    ],
    "CounterfactualSwap": [
        {"columns": "text"},
        {"columns": ["text", "reply"], "provenance": True, "id_column": "id"},
        {"columns": ("reply", "text"), "keep_unchanged": True, "names": False},
        {"columns": "text", "mode": "substitute", "provenance": True, "rate": 0.6, "seed": 5},
        {"columns": "text", "mode": "substitute", "id_column": "id"},
        {"columns": ["text", "reply"], "mode": "pair"},
        {"columns": "text", "mode": "replace", "source": "man", "target": "non-binary"},
        {"columns": "text", "mode": "augment", "target": "woman", "names": False},
        {"columns": ["text", "reply"], "axis": AXIS, "provenance": True},
        {"columns": "text", "axis": AXIS, "mode": "replace", "id_column": "id"},
        {"columns": "text", "axis": AXIS, "mode": "substitute", "source": "jew", "rate": 1},
    ],
    "EL2N": [{"logits": "logits"}],
    "Forgetting": [{"logits": "epochs"}, {"logits": "epochs", "never_learned": "inf"}],
    "EquityScore": [
        {"columns": "text", "counterfactual_columns": "reply", "logits": "logits",
         "counterfactual_logits": "swapped"},
    ],
    "GraNd": [{"columns": "text", "models": PROBE}],
    "Infill": [{"columns": ["text", "reply"], "model": INFILLER, "mask": "him"}],
    "KeepAbove": [{"column": "points", "threshold": 0.5}],
    "KeepBelow": [{"column": "points", "threshold": 1},
     {"column": "score", "threshold": 0, "missing": "keep"}],
    "KeepLabelled": [{"column": "label"}],
    "KeepWordsBelow": [{"column": "points", "threshold": 0.5, "word_threshold": 0.2}],
    "MaskErratic": [
        {"columns": ["text", "reply"], "model": DETECTOR, "never_mask": "terms", "max_length": 8}
    ],
    "MentionedAttribute": [
        {"columns": "text"},
        {"columns": ["text", "reply"], "names": False, "output_column": "gender"},
        {"columns": "reply", "axis": AXIS},
    ],
    "ModelRewrite": [{"columns": ["text", "reply"], "model": WRITER, "max_length": 64},
     {"columns": "text", "model": WRITER, "verified": False, "mode": "replace"}],
    "PersonSwap": [
        {"columns": ["text", "reply"], "model": PERSONS, "person": "word", "target": "becomes"},
        {"columns": "text", "model": PERSONS, "person": "word", "target": "becomes",
         "mode": "pair"},
    ],
    "Perturbability": [{"columns": "text"},
     {"columns": ["text", "reply"], "axis": AXIS, "candidates": "lexicon", "unique": True}],
    "PerturbationAugmentation": [
        {"columns": "text", "axis": "gender"},
        {"columns": ["text", "reply"], "provenance": True, "id_column": "id", "seed": 2},
        {"columns": "text", "mode": "pair", "candidates": "lexicon", "snippet_words": 4},
        {"columns": "reply", "axis": ("gender", AXIS), "weights": "inverse_axis_frequency",
         "axis_snippets": (("gender", 3), ("religion", 1)), "mode": "substitute", "rate": 0.9},
        {"columns": ["text", "reply"], "axis": "gender", "model": WRITER, "max_length": 32,
         "verified": False, "provenance": True, "snippet_words": 5},
    ],
    "PreferenceTwins": [
        {"columns": ["text", "reply"]},
        {"columns": ["text", "reply"], "mode": "replace", "provenance": True, "id_column": "id"},
        {"columns": ("reply", "text"), "axis": AXIS, "mode": "substitute", "rate": 0.7},
    ],
    "RandomScore": [{"columns": ["text", "reply"]},
     {"id_column": "id", "columns": "text", "seed": 3}],
    "SwapAbove": [
        {"columns": "text", "score_column": "points", "threshold": 0},
        {"columns": ["text", "reply"], "score_column": "score", "threshold": -1, "mode": "replace",
         "provenance": True, "id_column": "id"},
    ],
}  # fmt: skip
CONFIGURATIONS = [
    pytest.param(name, parameters, id=f"{name}-{number}")
    for name, several in EXAMPLES.items()
    for number, parameters in enumerate(several)
]
# At first it is checked of one configuration of each technique without a large model.
CHECKED = [
    item
    if item.id.endswith("-0") and item.values[1].get("model") not in LARGE
    else pytest.param(*item.values, id=item.id, marks=pytest.mark.slow)
    for item in CONFIGURATIONS
]

BATCH: dict[str, list[Any]] = {
    "id": [11, 12, 13, 14, 15, 16],
    "text": ["He told Mary that the priest left the church.",
             "Her father read the Bible; his MOTHER did not.", None, "It rains.",
             "The waitress’s brother saw him — Zoë’s rabbi 🙂", "Mr. Smith is a king. So is John."],
    "reply": ["She nodded.", None, "The imam smiled at her.", "", "It rains.", "Yes, sir!"],
    "word": ["He", "father", None, None, "waitress", "king"],
    "becomes": ["woman", "woman", "woman", None, "man", "man"],
    "label": [0, 1, 2, 0, None, 1],
    "meta": [{"source": "a", "year": 2001}, None, *[{"source": None, "year": 5}] * 4],
    "tags": [["x", "he"], [], None, ["y"], [None], ["z"]],
    "score": [0.5, float("nan"), None, 1.5, -2.0, 0.0],
    "points": [0.5, 1.0, 2.0, -1.5, 0.75, 0.0],
    "points_words": [[{"product": part}, {"product": -0.25}] for part in (0.1, 0.4, 0.0)]
    + [None, [], [{"product": 0.2}]],
    "logits": [[1.0, 0.0, 0.5], [0.0, 1.0, 0.0], None, *[[0.5, 0.0, 2.0]] * 3],
    "swapped": [[0.0, 0.0, 0.5], [3.0, 1.0, 0.0], None, *[[0.0, 1.0, 2.0]] * 3],
    "epochs": [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], *[[[0.0, 1.0, 0.0]] * 2] * 4, None],
}  # fmt: skip
WORDS = {word for text in [*BATCH["text"], *BATCH["reply"]] if text for word in text.split()}
NUMBERS = List(Value("float64"))
FEATURES = Features({
    "id": Value("int64"),
    **dict.fromkeys(("text", "reply", "word", "becomes"), Value("string")),
    "label": ClassLabel(names=["negative", "neutral", "positive"]),
    "meta": {"source": Value("string"), "year": Value("int32")},
    "tags": List(Value("string")), "score": Value("float32"), "points": Value("float64"),
    "points_words": List({"product": Value("float64")}),
    "logits": NUMBERS, "swapped": NUMBERS, "epochs": List(NUMBERS),
})  # fmt: skip


def trained(folder: Path) -> str:
    """Train a probe of three classes, and return its folder."""
    texts = ["bad day", "some day", "good day"] * 3
    rows = Dataset.from_dict({"text": texts, "label": [0, 1, 2] * 3})
    config = ProbeConfig(out=folder / "probes", columns="text", seeds=1, epochs=1)
    return train_probes(config, rows)[0][0]


def word_vectors(folder: Path) -> str:
    """Write vectors of words that the batch has, and return their file."""
    words = sorted({word.lower() for word in WORDS} | {"he", "she", "man", "woman"})
    vectors = np.random.default_rng(0).normal(size=(len(words), 4))
    load_word_vectors(dict(zip(words, vectors, strict=True))).save(folder / "vectors.npz")
    return str(folder / "vectors.npz")


def model(folder: Path, kind: str) -> str:
    """Save a small BART or ELECTRA with random weights, and return its folder.

    Of the texts of the batch the one that writes ends some, of some writes nothing, and some it
    never ends; what it ends says something else, and so is kept only where nobody verifies it.
    """
    roles = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    roles |= {} if kind == WRITER else {"mask_token": "<mask>"}
    signs = ["<PERT_SEP>", "<SEP>"]
    tokenizer = word_tokenizer(
        sorted(WORDS), [*roles.values(), *signs], **roles, additional_special_tokens=signs,
        frame=None if kind == WRITER else ("<s>", "</s>"),
    )  # fmt: skip
    name, sizes = "BartForConditionalGeneration", {"init_std": 0.5}
    if kind == DETECTOR:
        name, sizes = "ElectraForPreTraining", {"embedding_size": 8, "initializer_range": 0.5}
    network = small_model(name, len(tokenizer), max_position_embeddings=64, **sizes)
    if kind == WRITER:
        network.final_logits_bias[0, tokenizer.eos_token_id] = 3
    for part in (tokenizer, network):
        part.save_pretrained(folder / kind)
    return str(folder / kind)


def made(name: str, parameters: Mapping[str, Any], folder: Path) -> Technique:
    """Make a shipped technique; its axis and its models may be a user's own."""
    axis = folder / "religion.tsv"
    axis.write_text(LEXICON, encoding="utf-8")
    own = {AXIS: lambda: str(axis), PROBE: lambda: trained(folder),
           VECTORS: lambda: word_vectors(folder),
           **{kind: partial(model, folder, kind) for kind in (WRITER, DETECTOR, INFILLER)},
           PERSONS: lambda: save_person_model(folder / "persons", WORDS)}  # fmt: skip

    def given(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(given, value))
        return own[value]() if isinstance(value, str) and value in own else value

    technique: Technique = SHIPPED[name].load()(
        **{key: given(value) for key, value in parameters.items()}
    )
    return technique


def test_every_shipped_technique_has_examples() -> None:
    """A technique that is published without an example here is not checked, so it fails."""
    assert EXAMPLES.keys() == SHIPPED.keys()
    assert all(EXAMPLES.values())


def test_the_columns_alone_may_be_given_without_their_name() -> None:
    """`CounterfactualSwap("text")` works, as does the same of every technique."""
    for point in SHIPPED.values():
        given = [item.name for item in fields(point.load()) if not item.kw_only]
        assert given in (["columns"], ["column"]), point.name


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(("name", "parameters"), CHECKED)
def test_the_contract_is_kept(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    """By every shipped technique."""
    check_technique(made(name, parameters, tmp_path), BATCH, FEATURES)


@pytest.mark.slow
def test_another_process_gives_the_same(tmp_path: Path) -> None:
    """With another hash seed, for every configuration; one process takes them all."""
    path = str(tmp_path / "rows")
    Dataset.from_dict(BATCH, features=FEATURES).save_to_disk(path)
    rows = from_disk(path)[:]
    cases = []
    for number, item in enumerate(CONFIGURATIONS):
        folder = tmp_path / str(number)
        folder.mkdir()
        technique = made(*item.values, folder)
        cases.append((technique, path, technique(rows)))
    check_another_process(*cases)


# Values that Python or `datasets` does not know stand beside the others.
BESIDE = {
    "hash": pa.array([2**64 - 1] * 6, pa.uint64()),
    "taken": pa.array([1] * 6, pa.timestamp("ns", "Europe/Berlin")),
    "map": pa.array([[("a", 1)]] * 6, pa.map_(pa.string(), pa.int64())),
    "view": pa.array(["x"] * 6, pa.string_view()),
}


@pytest.mark.parametrize(
    ("name", "parameters"), [item for item in CONFIGURATIONS if item.id.endswith("-0")]
)
def test_tables_are_read(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    """An Arrow table, as Ray or `with_format("arrow")` gives it, becomes one with its types."""
    technique = made(name, parameters, tmp_path)
    table = Dataset.from_dict(BATCH, features=FEATURES).with_format("arrow")[:]
    expected = technique(table.to_pydict())
    assert expected != table.to_pydict(), "so that the contract is not idly kept"
    for beside, column in BESIDE.items():
        table = table.append_column(beside, column)
    found, batch = technique(table), technique(table.combine_chunks().to_batches()[0])
    if isinstance(expected, list):
        assert found == batch == expected
    else:
        kept, several = found.drop_columns([*BESIDE]), len(expected["id"])
        assert same(kept.to_pydict(), expected)
        assert found.schema.types[: len(FEATURES)] == table.schema.types[: len(FEATURES)]
        for beside, column in BESIDE.items():
            assert found[beside].to_pylist() == column[:1].to_pylist() * several
            assert found[beside].type == column.type
        assert batch.schema == found.schema
        assert same(batch.to_pydict(), found.to_pydict())
    frame = table.select([*BATCH]).to_pandas().set_axis([5, 3, 9, 1, 0, 2])
    read = technique(frame)
    if isinstance(read, dict) and isinstance(expected, dict):
        # pandas has no integers beside a null, and arrays for lists.
        compared = ("id", "text", "reply", *(expected.keys() - BATCH.keys()))
        read, expected = ({name: rows[name] for name in compared} for rows in (read, expected))
    assert same(read, expected)


# Beside a null a number is a float in pandas and NumPy, and the null NaN; of NumPy `datasets` takes
# back no lists with nulls. Polars is large: what is asked of it is in tests/rows/test_columns.py.
FORMATS = {
    "arrow": tuple(BATCH),
    "pandas": tuple(name for name in BATCH if name not in ("label", "score")),
    "numpy": ("id", "text", "reply", "points"),
}


@pytest.mark.parametrize("name", ["CounterfactualSwap", "KeepAbove", "RandomScore"])
@pytest.mark.parametrize("kind", FORMATS)
def test_a_format_changes_nothing(name: str, kind: str, tmp_path: Path) -> None:
    """Whatever `with_format` gives to a map or a filter, the rows are those of a plain one."""
    technique = made(name, {**EXAMPLES[name][0]}, tmp_path)
    rows = Dataset.from_dict(BATCH, features=FEATURES).select_columns(list(FORMATS[kind]))
    expected = technique.apply(rows)
    formatted = rows.with_format(kind)
    if technique.method == "filter":
        found = formatted.filter(technique, batched=True, batch_size=4)
    else:
        features = technique.features(rows.features)
        found = formatted.map(technique, batched=True, batch_size=4, features=features)
    assert found.features == expected.features
    assert same(found.with_format(None)[:], expected[:])


# What follows is about texts inside lists and objects.
TEXTS = ("text", "reply")
NAMES = ("columns", "counterfactual_columns", "originals")
# Preferences have conversations of their own, which tests/swap/test_preferences.py tries.
READING = [
    item
    for item in CONFIGURATIONS
    if NAMES[0] in item.values[1] and item.values[0] != "PreferenceTwins"
]
TALK = List({"role": Value("string"), "content": Value("string"), "n": Value("int64")})
TALKS = Features({**FEATURES, "text": TALK, "reply": TALK})


def inside(columns: Any) -> Any:
    """Put the texts of a batch, or of a result, into conversations; also where edits name them."""
    if isinstance(columns, list):
        return columns
    found = {
        name: [[{"role": "user", "content": value, "n": 3}] for value in values]
        if name.removesuffix("_counterfactual") in TEXTS else values
        for name, values in columns.items()
    }  # fmt: skip
    for told in found.keys() & {"bias_score_words", "bias_score_centred_words", "edits",
                                "erratic_spans", "infill_fills"}:  # fmt: skip
        found[told] = [
            each and [{**one, "column": f"{one['column']}[0].content"} for one in each]
            for each in found[told]
        ]
    return found


def with_paths(parameters: dict[str, Any]) -> dict[str, Any]:
    """Name the texts inside the conversations."""

    def path(name: Any) -> Any:
        if not isinstance(name, str):
            return [*map(path, name)]
        return f"{name}[].content" if name in TEXTS else name

    return {key: path(value) if key in NAMES else value for key, value in parameters.items()}


def test_of_what_the_writer_writes_some_is_kept(tmp_path: Path) -> None:
    """So the contract is kept for what a model writes as well as for what rows fall back to."""
    technique = made("ModelRewrite", EXAMPLES["ModelRewrite"][1], tmp_path)
    statuses = technique(BATCH)["rewrite_status"]
    assert {*statuses} == {"model", "swap", None}


def test_most_techniques_read_texts() -> None:
    """Those that do not go by columns of texts are few."""
    assert {item.values[0] for item in CONFIGURATIONS} - {item.values[0] for item in READING} == {
        "EL2N", "Forgetting", "KeepAbove", "KeepBelow", "KeepLabelled", "KeepWordsBelow",
        "PreferenceTwins",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parameters"), [item for item in READING if item.id.endswith(("-0", "-1"))]
)
def test_texts_inside_are_read_alike(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    """A conversation of one message gives what a column of its text gives."""
    expected = made(name, parameters, tmp_path)(BATCH)
    technique = made(name, with_paths(parameters), tmp_path)
    assert same(technique(inside(BATCH)), inside(expected))


# What is not checked inside as well: a draw by the texts, and what loads models in each process.
ONCE = {"RandomScore", "AttributeFilter", "Infill", "MaskErratic"}


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("name", sorted({item.values[0] for item in READING} - ONCE))
def test_the_contract_is_kept_inside(name: str, tmp_path: Path) -> None:
    """The contract holds for texts inside lists and objects."""
    first = next(item.values[1] for item in READING if item.values[0] == name)
    technique = made(name, {**with_paths(first), "roles": ("user",)}, tmp_path)
    check_technique(technique, inside(BATCH), TALKS)
