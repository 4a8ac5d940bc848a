"""The discriminator: its shapes, what padding is to it, and how it is kept."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from torch import nn

from fair_datasets import InputError
from fair_datasets.rewriters.mbcda import discriminator as module
from fair_datasets.rewriters.mbcda.discriminator import LogitDiscriminator
from fair_datasets.rewriters.mbcda.train import DiscriminatorConfig, discriminator_of
from fair_datasets.rewriters.training.network import pairs_within
from fair_datasets.rewriters.training.parallel import ATTRIBUTE
from fair_datasets.rewriters.training.trainer import GeneratorTrainer
from fair_datasets.rewriters.training.work import fixed_seed
from fair_datasets.system.resume import progress_lines
from tests.rewriters.mbcda.sentences import numbered


def made(vocabulary: int, **shape: Any) -> LogitDiscriminator:
    """Make a discriminator of a shape."""
    return LogitDiscriminator(vocabulary, DiscriminatorConfig(**shape))


def shape_of(discriminator: LogitDiscriminator) -> list[str]:
    """Return the layers of a discriminator."""
    layers = [*discriminator.layers, *(
        discriminator.reader if isinstance(discriminator.reader, nn.Sequential)
        else [discriminator.reader]
    )]  # fmt: skip
    return [
        f"{each.in_features}-{each.out_features}" if isinstance(each, nn.Linear)
        else type(each).__name__
        for each in layers
    ]  # fmt: skip


def test_the_layers_are_those_of_the_paper_and_of_the_code() -> None:
    """Widths of a vocabulary of 50,265, and a head of one layer or of two."""
    with torch.device("meta"):
        paper = made(50_265)
        code = made(50_265, head="bart", pooling="sum")
    layers = ["Dropout", "50265-3265", "ReLU", "Dropout", "3265-1265", "ReLU", "1265-768"]
    assert shape_of(paper) == [*layers, "768-2"]
    assert shape_of(code) == [*layers, "Dropout", "768-768", "Tanh", "Dropout", "768-2"]
    narrow = ["Dropout", "300-64", "ReLU", "Dropout", "64-64", "ReLU", "64-64", "64-2"]
    assert shape_of(made(300)) == narrow
    assert shape_of(made(9, widths=[4])) == ["Dropout", "9-4", "4-2"]


@settings(max_examples=30)
@given(st.integers(1, 5), st.integers(0, 6), st.integers(0, 2**31), st.booleans())
def test_padding_never_counts(tokens: int, padding: int, seed: int, bart: bool) -> None:
    """Whatever stands there, however much of it, on either side; by the code's pooling it does."""
    draws = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    reads = made(7, widths=[5, 4, 3], head="bart" if bart else "linear").freeze()
    text = torch.randn(2, tokens, 7, generator=draws)
    other = 1e3 * torch.randn(2, padding, 7, generator=draws)
    other[:, ::2] = torch.inf
    mask = torch.ones(2, tokens + padding, dtype=torch.bool)
    asked = torch.tensor([0, 1])
    alone = reads(text, mask[:, :tokens])
    loss = module.flipped_loss(reads, text, mask[:, :tokens], asked)
    behind, before = mask.clone(), mask.clone()
    behind[:, tokens:] = False
    before[:, :padding] = False
    for logits, kept in (
        (torch.cat([text, other], 1), behind), (torch.cat([other, text], 1), before),
    ):  # fmt: skip
        assert torch.allclose(reads(logits, kept), alone, atol=1e-6)
        assert torch.allclose(module.flipped_loss(reads, logits, kept, asked), loss, atol=1e-6)


def test_the_loss_is_that_of_the_class_that_is_asked() -> None:
    """Of each row, and of the rows that have one their mean."""
    torch.manual_seed(0)
    reads = made(7, widths=[5]).freeze()
    logits, mask = torch.randn(4, 3, 7), torch.ones(4, 3, dtype=torch.bool)
    asked = torch.tensor([0, 1, -1, 1])
    scores = reads(logits, mask).log_softmax(dim=1)
    expected = -(scores[0, 0] + scores[1, 1] + scores[3, 1]) / 3
    assert torch.allclose(module.flipped_loss(reads, logits, mask, asked), expected)


def test_by_the_pooling_of_the_code_padding_takes_part() -> None:
    """And without padding both poolings agree."""
    torch.manual_seed(0)
    mean = made(7, widths=[5]).freeze()
    added = made(7, widths=[5], pooling="sum").freeze()
    added.load_state_dict(mean.state_dict())
    logits = torch.randn(1, 4, 7)
    mask = torch.tensor([[True, True, True, False]])
    assert torch.allclose(mean(logits[:, :3], mask[:, :3]), added(logits[:, :3], mask[:, :3]))
    assert not torch.allclose(mean(logits, mask), added(logits, mask))


def test_rows_without_an_attribute_do_not_count() -> None:
    """The mean is of the others; without any it is 0, and so is the gradient."""
    torch.manual_seed(0)
    reads = made(7, widths=[5]).freeze()
    logits = torch.randn(3, 4, 7, requires_grad=True)
    mask = torch.ones(3, 4, dtype=torch.bool)
    some = module.flipped_loss(reads, logits, mask, torch.tensor([1, -100, 0]))
    both = module.flipped_loss(reads, logits[[0, 2]], mask[:2], torch.tensor([1, 0]))
    assert torch.allclose(some, both)
    none = module.flipped_loss(reads, logits, mask, torch.tensor([-100] * 3))
    none.backward()
    assert none == 0
    assert torch.equal(logits.grad, torch.zeros_like(logits))  # type: ignore[arg-type]


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    """With its weights fixed."""
    torch.manual_seed(0)
    shape = DiscriminatorConfig(widths=(5, 3), head="bart", dropout=0.5)
    reads = LogitDiscriminator(7, shape)
    save_file(reads.state_dict(), tmp_path / "a.safetensors")
    found = LogitDiscriminator.load(tmp_path / "a.safetensors", shape)
    assert not found.training
    assert not any(each.requires_grad for each in found.parameters())
    logits, mask = torch.randn(2, 3, 7), torch.ones(2, 3, dtype=torch.bool)
    assert torch.equal(found(logits, mask), reads.eval()(logits, mask))


Given = Callable[..., GeneratorTrainer]


@pytest.fixture
def trainer(begun: Any, tmp_path: Path) -> Given:
    """Return a function that makes the Trainer of a generator."""

    def made(discriminator: Any = None, **changes: Any) -> Any:
        given = [each for each in begun.train if each.gender is not None][:24]
        model, tokenizer = begun.start.read()
        _, rows = pairs_within(
            [each.text for each in given], [each.other for each in given], tokenizer, 40
        )
        train = [{**row, ATTRIBUTE: 1 - each.gender} for row, each in zip(rows, given, strict=True)]
        settings = {"batch_size": 8, "rows_at_once": 8, "epochs": 1, "dropout": 0.0} | changes
        config = dataclasses.replace(begun.start.config, **settings)
        given = {"model": model, "tokenizer": tokenizer, "train": train, "work": tmp_path / "work"}
        if discriminator is None:
            return GeneratorTrainer(config, **given)
        return module.AdversarialTrainer(config, discriminator=discriminator, **given)

    return made


class Output(NamedTuple):
    """What a generator gives."""

    logits: Any


def loss_of(trainer: GeneratorTrainer, batch: Any) -> Any:
    """Return the loss of a batch."""
    return trainer.compute_loss(trainer.model.eval(), dict(batch))


def padded(batch: Any, more: int, padding: int) -> dict[str, Any]:
    """Return a batch with more padding."""
    fill = {"input_ids": padding, "attention_mask": 0, "labels": -100, "decoder_input_ids": padding}
    return {
        name: torch.nn.functional.pad(each, (0, more), value=fill[name]) if name in fill else each
        for name, each in batch.items()
    }


def test_a_training_that_diverges_ends_with_a_sentence(trainer: Given) -> None:
    """And what is left says how far it was."""
    diverging = trainer(learning_rate=1e30, warmup_steps=0)
    with pytest.raises(InputError, match=r"is not a finite number: .* use a smaller learning_rate"):
        diverging.resume()
    told, _ = progress_lines(diverging._work)
    assert "not running. Training the generator: step " in told


def test_every_token_of_a_text_is_read() -> None:
    """Whatever its number; padding is none."""
    inputs = {"labels": torch.tensor([[0, 5, -100]]), "input_ids": torch.ones(1, 3)}
    inputs[ATTRIBUTE] = torch.tensor([1])
    logits, mask = module.teacher_forced(lambda labels, input_ids: Output(labels), inputs)
    assert logits is inputs["labels"]
    assert mask.tolist() == [[True, True, False]]


def test_padding_never_influences_a_loss(begun: Any, trainer: Given) -> None:
    """Whether rows stand alone, together, or with more padding than they need."""
    both, plain = trainer(begun.discriminator), trainer()
    for made in (both, plain):
        batch = next(iter(made.get_train_dataloader()))
        assert len(set(batch["attention_mask"].sum(1).tolist())) > 1
        padding = made.processing_class.pad_token_id
        assert not (batch["labels"] == padding).any()
        loss = loss_of(made, batch)
        assert torch.allclose(loss_of(made, padded(batch, 2, padding)), loss, atol=1e-5)
    # Alone each row has no padding; the second loss is the mean of those of the rows.
    whole = next(iter(both.get_train_dataloader()))
    second = loss_of(both, whole) - loss_of(plain, whole)
    losses = []
    for place in range(len(whole["labels"])):
        length = int((whole["labels"][place] >= 0).sum())
        read = int(whole["attention_mask"][place].sum())
        cut = {"input_ids": read, "attention_mask": read, "labels": length,
               "decoder_input_ids": length}  # fmt: skip
        row = {name: each[place : place + 1, : cut[name]] if name in cut
               else each[place : place + 1] for name, each in whole.items()}  # fmt: skip
        losses.append(loss_of(both, row) - loss_of(plain, row))
    assert torch.allclose(torch.stack(losses).mean(), second, atol=1e-5)


def test_the_first_loss_is_the_mean_over_tokens(trainer: Given) -> None:
    """And is not of the padding."""
    made = trainer()
    batch = dict(next(iter(made.get_train_dataloader())))
    labels = batch["labels"]
    assert (labels == -100).any()
    with torch.no_grad():
        logits = made.model.eval()(**{k: v for k, v in batch.items() if k != ATTRIBUTE}).logits
    likelihoods = logits.log_softmax(-1)
    right = [
        -likelihoods[row, place, labels[row, place]]
        for row in range(len(labels)) for place in range(labels.shape[1])
        if labels[row, place] >= 0
    ]  # fmt: skip
    assert torch.allclose(loss_of(made, batch), torch.stack(right).mean(), atol=1e-5)


def test_the_gradient_of_the_discriminator_reaches_every_layer(begun: Any, trainer: Given) -> None:
    """Of the generator; its own weights have none, and stay as they are in training."""
    both = trainer(begun.discriminator)
    both.weights = (0.0, 1.0)
    before = {name: each.clone() for name, each in begun.discriminator.state_dict().items()}
    model = both.model.train()
    assert not begun.discriminator.training
    both.compute_loss(model, dict(next(iter(both.get_train_dataloader())))).backward()
    for name, each in model.named_parameters():
        # All softmaxes are the same whatever is added to each key.
        if "k_proj.bias" not in name and name != "final_logits_bias":
            assert each.grad is not None, name
            assert each.grad.abs().max() > 0, name
    assert all(each.grad is None for each in begun.discriminator.parameters())
    model.zero_grad()
    start = {name: each.clone() for name, each in model.state_dict().items()}
    with fixed_seed(0):
        both.resume()
    assert not begun.discriminator.training
    after = begun.discriminator.state_dict()
    assert all(torch.equal(before[name], each) for name, each in after.items())
    assert any(not torch.equal(start[name], each) for name, each in both.model.state_dict().items())


def test_the_discriminator_is_no_part_of_what_is_saved(
    begun: Any, trainer: Given, tmp_path: Path
) -> None:
    """Neither of the model nor of a checkpoint."""
    both = trainer(begun.discriminator)
    with fixed_seed(0):
        both.resume()
    (checkpoint,) = (tmp_path / "work").glob("checkpoint-*")
    saved = load_file(checkpoint / "model.safetensors")
    expected = load_file(begun.start.model / "model.safetensors")
    assert saved.keys() == expected.keys()


def test_rows_that_are_not_flipped_have_no_second_loss(begun: Any, trainer: Given) -> None:
    """A batch of them has the loss of the tokens alone, by its own weight."""
    both, plain = trainer(begun.discriminator), trainer()
    both.weights = (2.0, 3.0)
    batch = dict(next(iter(both.get_train_dataloader())))
    batch[ATTRIBUTE] = torch.full_like(batch[ATTRIBUTE], -100)
    assert torch.equal(loss_of(both, batch), 2 * loss_of(plain, batch))


def test_the_generator_stays_as_it_is_while_the_discriminator_learns(
    begun: Any, tmp_path: Path
) -> None:
    """It is read without dropout, and its weights have no gradient."""
    model, tokenizer = begun.start.read()
    texts = [each.text for each in begun.train[:16]]
    _, rows = pairs_within(texts, texts, tokenizer, 40)
    train = [{**row, ATTRIBUTE: place % 2} for place, row in enumerate(rows)]
    config = dataclasses.replace(begun.start.config, epochs=1, batch_size=8, rows_at_once=4)
    with fixed_seed(0):
        reads = made(len(tokenizer), widths=[8])
        before = {name: each.clone() for name, each in reads.state_dict().items()}
        trainer = module.DiscriminatorTrainer(
            config, model=reads, generator=model, tokenizer=tokenizer, train=train,
            work=tmp_path / "work",
        )  # fmt: skip
        trainer.resume()
    assert not model.training
    assert all(each.grad is None for each in model.parameters())
    kept = load_file(begun.start.model / "model.safetensors")
    state = model.state_dict()
    assert all(torch.equal(state[name].cpu(), each) for name, each in kept.items())
    assert any(not torch.equal(before[name], each) for name, each in reads.state_dict().items())


def test_what_was_drawn_before_moves_no_training(begun: Any, tmp_path: Path) -> None:
    """A step that goes on in a new process is what it would have been behind the others."""
    rows = numbered([each for each in begun.train if each.gender is not None][:40])
    config = dataclasses.replace(
        begun.start.config, batch_size=8, rows_at_once=8, dropout=0.1,
        discriminator=DiscriminatorConfig(widths=(8, 4), epochs=1),
    )  # fmt: skip
    found = []
    for seed in (1, 2):
        start = begun.start._replace(config=config, work=tmp_path / str(seed))
        torch.manual_seed(seed)
        discriminator, _ = discriminator_of(start, rows, rows)
        found.append(discriminator.state_dict())
    assert all(torch.equal(found[0][name], each) for name, each in found[1].items())
