"""Tests of making a lexicon: its steps, a kill in between, and what is refused."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from datasets import Dataset
from numpy.typing import NDArray
from safetensors.torch import load_file

from fair_datasets import InputError
from fair_datasets.rewriters.fairflow import (
    AttributeFlow,
    FairFlowConfig,
    build,
    build_lexicon,
    training,
)
from fair_datasets.rewriters.fairflow.build import HeadDecoder
from fair_datasets.rewriters.fairflow.config import DECODERS
from fair_datasets.rewriters.fairflow.states import (
    Corpus,
    find_occurrences,
    load_encoder,
    read_corpus,
)
from fair_datasets.rewriters.fairflow.training import train_flow
from tests.small_models import SPECIAL, small_model

PIECES = ["she", "he", "queen", "king", "rules", "sleeps", "the", "and", "##ess", "princ", ".", "'",
          "s", "don", "t", "Mary", "##s", "9"]  # fmt: skip
TEXTS = ["she rules and the queen sleeps .", "he rules and the king sleeps ."] * 12


def saved(
    folder: Path, kind: str = "BertForMaskedLM", width: int = 16, heads: int = 2,
    words: Sequence[str] = PIECES,
) -> str:  # fmt: skip
    """Save a small model with random weights and its tokenizer of word pieces."""
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join([*SPECIAL, *words]))
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False)
    sizes = {"intermediate_size": 16, "max_position_embeddings": 32}
    small_model(kind, len(tokenizer), width, heads=heads, **sizes).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a masked language model."""
    return saved(tmp_path_factory.mktemp("models") / "masked")


@pytest.fixture
def config(masked: str, tmp_path: Path) -> FairFlowConfig:
    """Return settings that find something in little."""
    return FairFlowConfig(
        work=tmp_path / "work", columns="text", pairs=("she", "he"), model=masked, fewest=5,
        threshold=0.05, classifier_rate=1e-2, classifier_epochs=3, flow_epochs=3, hidden_units=8,
        blocks=2, mutual=False, candidates="opposite",
    )  # fmt: skip


def rows(texts: list[str] = TEXTS) -> Dataset:
    """Return texts as a dataset."""
    return Dataset.from_dict({"text": texts, "label": [1] * len(texts)})


def test_words_are_covered_whole(masked: str) -> None:
    """By one token or several; neither pieces, clitics, markers, unknown words nor digits count."""
    encoder = load_encoder(masked, "head").states
    text = "She's the princess . Mary don't , kings 9 sheep"
    found = find_occurrences([text], encoder, max_length=99, most_pieces=1)
    assert found.words == ["the", "mary"]
    found = find_occurrences([text], encoder, max_length=99, most_pieces=2)
    spans = [text[start:end] for start, end in zip(found.start, found.end, strict=True)]
    assert spans == ["the", "princess", "Mary", "kings"]
    assert found.pieces.tolist() == [1, 2, 1, 2]


def test_a_word_of_more_than_letters_in_lower_case_is_none(tmp_path: Path) -> None:
    """In lower case the Turkish capital is a letter and a mark, which no lexicon may hold."""
    encoder = load_encoder(saved(tmp_path / "model", "BertModel", words=["İl", "il"]), "nearest")
    found = find_occurrences(["İl il"], encoder.states, max_length=9, most_pieces=1)
    assert found.words == ["il"]


def test_states_are_those_of_the_encoder(config: FairFlowConfig) -> None:
    """The mean over the pieces, whatever shares a batch; mapped from the disk."""
    texts = [*TEXTS, *["the princess sleeps and she rules and the queen sleeps"] * 6]
    encoder = load_encoder(str(config.model), "nearest")
    corpus = read_corpus(config, texts, encoder)
    assert isinstance(corpus.states, np.memmap)
    row = next(
        row for row, word in enumerate(corpus.places.word)
        if corpus.places.words[word] == "princess"
    )  # fmt: skip
    text = texts[corpus.places.text[row]]
    with torch.inference_mode():
        tokens = encoder.states.tokenizer(text, return_tensors="pt")
        model = encoder.states.model.eval()
        hidden = model(**tokens.to(model.device)).last_hidden_state[0].cpu()
    np.testing.assert_allclose(corpus.states[row], hidden[2:4].mean(dim=0), atol=2e-3)


def test_the_head_is_the_models_own(masked: str, config: FairFlowConfig) -> None:
    """States of the last layer get the logits that the whole model gives."""
    encoder = load_encoder(masked, "auto")
    assert encoder.head is not None
    decoder = HeadDecoder.of(encoder.head, read_corpus(config, TEXTS, encoder).places)
    tokens = encoder.head.tokenizer(TEXTS[0], return_tensors="pt")
    with torch.inference_mode():
        model = encoder.head.model.eval()
        output = model(**tokens.to(model.device), output_hidden_states=True)
    found = decoder.logits(output.hidden_states[-1][0].cpu().numpy())
    np.testing.assert_allclose(found, output.logits[0].cpu().numpy(), atol=1e-5)


def selected(config: FairFlowConfig) -> tuple[np.ndarray, np.ndarray]:
    """Return some states with their sides."""
    draws = np.random.default_rng(0)
    sides = np.arange(90) % 2
    return (draws.normal(size=(90, 16)) + 3 * sides[:, None]).astype(np.float32), sides


def test_a_killed_training_ends_at_the_same_weights(
    config: FairFlowConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit, whenever it was killed; no pickle is left."""
    states, sides = selected(config)
    whole, _ = train_flow(config, states, sides, Path(config.work) / "whole", {})
    broken = Path(config.work) / "broken"
    train = training._train_epoch

    def killed(*arguments: Any) -> None:
        train(*arguments)
        if arguments[-1] == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "_train_epoch", killed)
    with pytest.raises(KeyboardInterrupt):
        train_flow(config, states, sides, broken, {})
    assert [path.name for path in broken.iterdir()] == ["epoch-1"]
    monkeypatch.setattr(training, "_train_epoch", train)
    again, last = train_flow(config, states, sides, broken, {})
    assert [path.name for path in broken.iterdir()] == [last.name] == ["epoch-3"]
    for name, tensor in whole.tensors.items():
        assert torch.equal(tensor, again.tensors[name])
    assert torch.equal(whole.means, again.means)
    endings = {path.suffix for path in broken.rglob("*") if path.is_file()}
    assert endings == {".safetensors", ".json", ".md"}
    assert len(list(broken.rglob("training_state.safetensors"))) == 0


def test_the_inverse_holds_after_training(config: FairFlowConfig) -> None:
    """In single precision, and for one state alone."""
    states, sides = selected(config)
    flow, _ = train_flow(replace(config, flow_epochs=8), states, sides, Path(config.work), {})
    assert flow.inverse_error(states) < 1e-4
    assert flow.inverse_error(states[:1]) < 1e-4
    alone = np.concatenate([flow.exchanged(states[k : k + 1], sides[k : k + 1]) for k in range(5)])
    np.testing.assert_allclose(alone, flow.exchanged(states[:5], sides[:5]), atol=1e-4)


def test_a_small_corpus_is_seen_more_often(
    config: FairFlowConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no number of epochs is given: by the batches that an epoch has, up to a limit."""
    states, sides = selected(config)
    config = replace(config, flow_epochs=None, batch_size=22)
    monkeypatch.setattr(training, "_BATCHES", 6)
    flow, last = train_flow(config, states, sides, Path(config.work) / "two", {})
    assert last.name == "epoch-3"  # 44 pairs are 2 batches.
    assert flow.provenance["flow_epochs"] == 3
    monkeypatch.setattr(training, "_MOST_EPOCHS", 2)
    _, last = train_flow(config, states, sides, Path(config.work) / "less", {})
    assert last.name == "epoch-2"


def test_steps_are_used_again(config: FairFlowConfig) -> None:
    """The same call gives the same; another threshold needs neither states nor classifier anew."""
    first = build_lexicon(config, rows())
    made = {path.name for path in Path(config.work).iterdir()}
    before = {path: path.stat().st_mtime_ns for path in Path(config.work).rglob("*.safetensors")}
    again = build_lexicon(config, rows())
    assert again.lexicon == first.lexicon
    assert again.figures == first.figures
    assert {path: path.stat().st_mtime_ns for path in before} == before
    build_lexicon(replace(config, threshold=1e-6), rows())
    new = {path.name for path in Path(config.work).iterdir()} - made
    assert {name.partition("-")[0] for name in new} == {"flow"}


def test_words_are_spelt_as_they_are_in_the_texts(config: FairFlowConfig, tmp_path: Path) -> None:
    """As German nouns have capitals."""
    model = saved(tmp_path / "german", words=[*PIECES, "Königin", "König"])
    texts = [text.replace("queen", "Königin").replace("king", "König") for text in TEXTS]
    found = build_lexicon(replace(config, model=model), rows(texts)).lexicon
    assert found.spellings == {"könig": "König", "königin": "Königin"}


def test_a_flow_is_saved_as_a_model(config: FairFlowConfig, tmp_path: Path) -> None:
    """With a card; it comes back, and would be pushed with nothing else."""
    flow = build_lexicon(config, rows()).flow
    flow.save_pretrained(tmp_path / "flow")
    again = AttributeFlow.from_pretrained(tmp_path / "flow")
    assert again.shape == flow.shape
    assert again.attributes == ("she", "he")
    states, sides = selected(config)
    np.testing.assert_array_equal(again.exchanged(states, sides), flow.exchanged(states, sides))
    for file in ("README.md", "config.json"):
        assert str(Path(config.model).parent) not in (tmp_path / "flow" / file).read_text()
    files = [file.path for file in flow.push_to_hub("ada/flow", dry_run=True).files]
    assert files == ["README.md", "config.json", "model.safetensors"]
    assert str(config.work) not in (tmp_path / "flow" / "README.md").read_text()
    assert "means" in load_file(tmp_path / "flow" / "model.safetensors")
    (tmp_path / "flow" / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"holds no flow that can be read .* give a folder that"):
        AttributeFlow.from_pretrained(tmp_path / "flow")


@pytest.mark.parametrize(("rate", "rule"), [(1e-2, "quantile"), (1e-1, "usual")])
def test_the_usual_threshold_is_reached(config: FairFlowConfig, rate: float, rule: str) -> None:
    """Where the classifier is not so sure of the pair, by a quantile of what it says of it."""
    config = replace(config, threshold=None, classifier_rate=rate)
    built = build_lexicon(config, rows())
    assert f"# {built.folder.parent.name}\n" in (built.folder / "README.md").read_text("utf-8")
    if rule == "usual":
        assert (built.figures["threshold"], built.figures["threshold from"]) == (3, "the usual one")
    else:
        assert 0 < built.figures["threshold"] < 3
        told = "the 0.1 quantile of the pairs' own logits, as few pass 3"
        assert built.figures["threshold from"] == told
        assert build_lexicon(replace(config, quantile=0.1), rows()).lexicon == built.lexicon


def test_a_later_round_that_finds_nothing_loses_nothing(
    config: FairFlowConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pairs of the rounds before stand."""
    first = build_lexicon(config, rows(TEXTS))
    found, rounds = build._decoded, list[int]()

    def nothing_later(*arguments: Any) -> NDArray[np.int64]:
        rounds.append(len(rounds))
        words = found(*arguments)
        return words if len(rounds) == 1 else np.full_like(words, -1)

    monkeypatch.setattr(build, "_decoded", nothing_later)
    monkeypatch.setattr(build, "surest", lambda pairs: [("queen", "king")])
    both = build_lexicon(replace(config, rounds=3), rows(TEXTS))
    assert rounds == [0, 1]
    assert both.lexicon.pairs == first.lexicon.pairs


REFUSED: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "pieces": (
        {"pairs": ("princess", "king")}, TEXTS,
        r"'princess' has 2 tokens in .* \(princ ##ess\), but its head predicts words of one token;",
    ),
    "absent": (
        {"pairs": ("she", "don")}, TEXTS,
        "'don' stands 0 times in the 24 texts of 'text', but at least 5 are needed; check",
    ),
    "rare": ({"fewest": 13}, TEXTS, "'she' stands 12 times in the 24 texts of 'text', but at"),
    "no texts": ({}, [""], "'she' stands 0 times in the 1 text of"),
    "column": ({"columns": "txet"}, TEXTS, "there is no column 'txet'; the columns are"),
    "threshold": (
        {"threshold": 99.0}, TEXTS,
        r"no two places pass the threshold 99 towards 'she' \(the furthest logit is .*\); lower it",
    ),
    "no pairs": (
        {"share": 1.0, "candidates": "all", "decoder": "nearest", "flow_rate": 1e-9,
         "threshold": 1e-6},
        TEXTS, "no pairs were found among . words; give more texts, lower",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str, config: FairFlowConfig) -> None:
    """In one sentence that says what to do."""
    changed, texts, told = REFUSED[name]
    with pytest.raises(InputError, match=told) as caught:
        build_lexicon(replace(config, attributes=(), **changed), rows(texts))
    assert "\n" not in str(caught.value)


def test_encoders_are_refused(config: FairFlowConfig, tmp_path: Path) -> None:
    """One of odd width, and one without the head that is asked for."""
    odd = saved(tmp_path / "odd", width=15, heads=3)
    with pytest.raises(InputError, match="have 15 numbers, which is odd, but the flow halves them"):
        build_lexicon(replace(config, model=odd), rows())
    bare = saved(tmp_path / "bare", kind="BertModel")
    with pytest.raises(InputError, match="which a masked model needs; they would be random"):
        build_lexicon(replace(config, model=bare, decoder="head"), rows())
    assert load_encoder(bare, "auto").head is None
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"an encoder model: it has no config\.json; name the"):
        load_encoder(str(tmp_path / "empty"), "nearest")


@pytest.mark.parametrize("decoder", DECODERS)
def test_a_hub_that_does_not_answer_is_asked_once(
    decoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As each question is asked again for half a minute."""
    asked = []

    def unreachable(*arguments: Any, **options: Any) -> None:
        asked.append(arguments)
        raise OSError("We couldn't connect to 'https://huggingface.co'")

    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", unreachable)
    monkeypatch.setattr("fair_datasets.rewriters.fairflow.states.load_model", unreachable)
    with pytest.raises(
        InputError, match="neither a folder with a model on this machine nor a model that the"
    ):
        load_encoder("bert-base-uncased", decoder)
    assert len(asked) == 1


def test_reading_goes_on_where_it_stopped(
    config: FairFlowConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a kill between two parts of the texts; the states are the same."""
    from fair_datasets.rewriters.fairflow import states

    monkeypatch.setattr(states, "_CHUNK_SIZE", 10)
    encoder = load_encoder(str(config.model), "head")
    whole = read_corpus(replace(config, work=f"{config.work}-whole"), TEXTS, encoder)
    read_some: Callable[..., None] = states._read_some
    calls = []

    def killed(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        read_some(*arguments)

    monkeypatch.setattr(states, "_read_some", killed)
    with pytest.raises(KeyboardInterrupt):
        read_corpus(config, TEXTS, encoder)
    corpus: Corpus = read_corpus(config, TEXTS, encoder)
    assert len(calls) == 4  # one was done, one was killed, and the last two parts of three
    np.testing.assert_array_equal(corpus.states, whole.states)


def test_states_that_were_cut_are_computed_anew(config: FairFlowConfig) -> None:
    """Where they were mapped to be written, the disk would be filled up with zeros."""
    loaded = load_encoder(str(config.model), "head")
    whole = np.array(read_corpus(config, TEXTS, loaded).states)
    (file,) = Path(config.work).rglob("states.npy")
    os.truncate(file, file.stat().st_size // 2)
    with pytest.warns(UserWarning, match="states.npy' are incomplete; they are computed again"):
        again = read_corpus(config, TEXTS, loaded).states
    np.testing.assert_array_equal(again, whole)
