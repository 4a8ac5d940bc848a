"""What is written for rows, with small BARTs and T5s."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.rewriters.generation import decoding as rows_module
from fair_datasets.rewriters.generation.decoding import NO_MEMORY, Decoding, decode
from fair_datasets.scores.models import ScoringModel
from fair_datasets.system.checks import InputError

VOCABULARY = 24
TOKENS = st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=12)
ROWS = st.lists(st.tuples(TOKENS, TOKENS, st.integers(1, 16)), min_size=1, max_size=6)
# What generation settings may demand, one at a time and together.
DEMANDS: list[dict[str, Any]] = [
    {}, {"no_repeat_ngram_size": 2}, {"min_length": 5}, {"min_new_tokens": 3},
    {"min_length": 8, "min_new_tokens": 3}, {"min_length": 5, "min_new_tokens": 0},
    {"suppress_tokens": [4, 5], "begin_suppress_tokens": [6, 7, 8]},
    {"forced_eos_token_id": None, "bad_words_ids": [[4], [5], [1]]},
    {"forced_bos_token_id": 9, "begin_suppress_tokens": [6, 7], "no_repeat_ngram_size": 3},
    {"repetition_penalty": 3.0, "bad_words_ids": [[3], [3, 4]], "sequence_bias": [[[3], 5.0]]},
    {"encoder_repetition_penalty": 3.0, "exponential_decay_length_penalty": (2, 1.5)},
]  # fmt: skip


@pytest.fixture(scope="module", params=["bart", "bart with a first token", "t5", "t5 untied"])
def model(request: pytest.FixtureRequest, random_models: dict[str, ScoringModel]) -> ScoringModel:
    """Give each random model in turn."""
    return random_models[request.param]


def expected(loaded: ScoringModel, source: list[int], limit: int) -> tuple[list[int], bool]:
    """Return what greedy `generate` writes for a row alone, and whether the model ended it."""
    ids = torch.tensor([source], device=loaded.model.device)
    written = loaded.model.generate(
        input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=limit,
        do_sample=False, num_beams=1,
    )[0].tolist()[1:]  # fmt: skip
    end = loaded.model.generation_config.eos_token_id
    place = written.index(end) if end in written else None
    return written[:place], place is not None and len(written) < limit


@pytest.mark.filterwarnings("ignore:Unfeasible length constraints")
@settings(max_examples=6)
@given(st.sampled_from(DEMANDS), ROWS, st.sampled_from([1, 12, 1024]), st.integers(1, 4))
def test_a_row_is_written_as_greedy_decoding_of_it_alone_writes_it(
    model: ScoringModel, demand: dict[str, Any], rows: Any, places: int, batch_size: int
) -> None:
    """Token for token, whatever the draft, the batch and the generation settings."""
    config = model.model.generation_config
    sources, drafts, limits = zip(*rows, strict=True)
    asked = Decoding(places=places, batch_size=batch_size)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in demand.items():
            patch.setattr(config, name, value)
        found = decode(model, sources, drafts=drafts, limits=limits, settings=asked)
        for decoded, source, limit in zip(found, sources, limits, strict=True):
            assert (decoded.ids, decoded.fault == "") == expected(model, source, limit)


def test_a_good_draft_saves_nearly_all_passes(perturber: ScoringModel) -> None:
    """The source takes few passes, the swap's output one, and no draft one a token."""
    text = "The boy knew that his pilot slept."
    given_ids = perturber.tokenizer([f"boy, woman <PERT_SEP> {text}"])["input_ids"]
    options: dict[str, Any] = {"limits": [30], "settings": Decoding(precision="float32")}
    drafts = perturber.tokenizer([text, "The girl knew that her pilot slept."])["input_ids"]
    (source,) = decode(perturber, given_ids, drafts=drafts[:1], **options)
    (swap,) = decode(perturber, given_ids, drafts=drafts[1:], **options)
    (nothing,) = decode(perturber, given_ids, drafts=[[]], **options)
    assert source.ids == swap.ids == nothing.ids
    assert swap.passes == 1
    assert source.passes <= 3
    assert nothing.passes == len(nothing.ids) + 1


def test_a_batch_that_does_not_fit_into_memory_is_halved(
    random_models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch of seven fails, then that of three; a row that does not fit alone has a fault."""
    model, batches, room = random_models["bart"], [], [2]
    sources = [[3 + row, 5, 9, 4] for row in range(7)]
    whole = decode(model, sources, limits=[8] * 7)
    forward = model.model.forward

    def little(*args: Any, **options: Any) -> Any:
        batches.append(len(options["decoder_input_ids"]))
        if batches[-1] > room[0]:
            raise torch.cuda.OutOfMemoryError
        return forward(*args, **options)

    monkeypatch.setattr(model.model, "forward", little)
    found = decode(model, sources, limits=[8] * 7)
    assert [row.ids for row in found] == [row.ids for row in whole]
    assert batches[:3] == [7, 3, 1]
    room[0] = 0
    found = decode(model, [[3, 4], [5, 6]], limits=[8, 8])
    assert [row.fault for row in found] == [NO_MEMORY] * 2


def test_the_layer_of_the_vocabulary_sees_the_places_of_choices_alone(
    random_models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither padding nor what is decided is multiplied with it; no hook is left behind."""
    model = random_models["bart"]
    seen: list[int] = []
    hook = model.model.lm_head.register_forward_hook(
        lambda _layer, _inputs, output: seen.append(output.shape[:-1].numel())
    )
    (row,) = decode(model, [[3, 4, 5]], limits=[9], settings=Decoding(places=2))
    hook.remove()
    assert len(seen) == row.passes
    assert max(seen) <= 5
    assert not model.model.lm_head._forward_pre_hooks


@pytest.mark.parametrize(
    "settings_", [Decoding(beams=3), Decoding(temperature=1.5)], ids=["beams", "draws"]
)
def test_beams_and_draws_depend_on_the_row_and_its_seed_alone(
    random_models: Any, settings_: Decoding
) -> None:
    """Other rows, their order and the global state of torch have no say, nor are they changed."""
    model = random_models["bart"]
    sources = [[3 + row, 5, 9, 4] for row in range(5)]
    options: dict[str, Any] = {"settings": settings_}
    torch.manual_seed(1)
    found = decode(model, sources, limits=[8] * 5, seeds=range(5), **options)
    state = torch.random.get_rng_state()
    for row in reversed(range(5)):
        assert decode(model, [sources[row]], limits=[8], seeds=[row], **options) == [found[row]]
    assert torch.equal(torch.random.get_rng_state(), state)


def test_beams_write_what_generate_writes(random_models: Any) -> None:
    """They are left to transformers."""
    model = random_models["t5"]
    ids = torch.tensor([[3, 5, 9, 4]])
    written = model.model.generate(input_ids=ids, num_beams=3, max_new_tokens=8, do_sample=False)
    (row,) = decode(model, ids.tolist(), limits=[8], settings=Decoding(beams=3))
    tokens = written[0].tolist()[1:]
    assert row.ids == (tokens[: tokens.index(1)] if 1 in tokens else tokens)


def test_a_model_without_a_start_token_is_refused(
    random_models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a T5 whose configuration was written by hand."""
    config = random_models["t5"].model.generation_config
    monkeypatch.setattr(config, "decoder_start_token_id", None)
    with pytest.raises(InputError, match="does not say with which token its decoder starts"):
        decode(random_models["t5"], [[3, 4]], limits=[4])


def test_long_rows_share_a_batch_with_fewer(
    random_models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches hold so many tokens, not only so many rows."""
    sizes: list[int] = []
    run = rows_module.decode_greedily

    def count(loaded: Any, sources: Any, *rest: Any, **options: Any) -> Any:
        sizes.append(len(sources))
        return run(loaded, sources, *rest, **options)

    monkeypatch.setattr(rows_module, "decode_greedily", count)
    monkeypatch.setattr("fair_datasets.scores.models.MAXIMUM_TOKENS", 40)
    sources = [[5] * 20, [5] * 4, [5] * 18, [5] * 3]
    decode(random_models["bart"], sources, limits=[2] * 4)
    assert sizes == [2, 2]
