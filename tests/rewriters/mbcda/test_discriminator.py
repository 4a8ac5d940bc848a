"""The discriminator: its shapes, what padding is to it, and how it is kept."""

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from fair_datasets import InputError
from fair_datasets.rewriters.mbcda.discriminator import LogitDiscriminator, flipped_loss


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
        paper = LogitDiscriminator(50_265)
        code = LogitDiscriminator(50_265, head="bart", pooling="sum")
    layers = ["Dropout", "50265-3265", "ReLU", "Dropout", "3265-1265", "ReLU", "1265-768"]
    assert shape_of(paper) == [*layers, "768-2"]
    assert shape_of(code) == [*layers, "Dropout", "768-768", "Tanh", "Dropout", "768-2"]
    assert LogitDiscriminator(300).widths == (64, 64, 64)
    assert shape_of(LogitDiscriminator(9, widths=[4], classes=3)) == ["Dropout", "9-4", "4-3"]


@settings(max_examples=30)
@given(st.integers(1, 5), st.integers(0, 6), st.integers(0, 2**31), st.booleans())
def test_padding_never_counts(tokens: int, padding: int, seed: int, bart: bool) -> None:
    """Whatever stands there, however much of it, on either side; by the code's pooling it does."""
    draws = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    reads = LogitDiscriminator(7, widths=[5, 4, 3], head="bart" if bart else "linear").freeze()
    text = torch.randn(2, tokens, 7, generator=draws)
    other = 1e3 * torch.randn(2, padding, 7, generator=draws)
    other[:, ::2] = torch.inf
    mask = torch.ones(2, tokens + padding, dtype=torch.bool)
    asked = torch.tensor([0, 1])
    alone = reads(text, mask[:, :tokens])
    loss = flipped_loss(reads, text, mask[:, :tokens], asked)
    behind, before = mask.clone(), mask.clone()
    behind[:, tokens:] = False
    before[:, :padding] = False
    for logits, kept in (
        (torch.cat([text, other], 1), behind), (torch.cat([other, text], 1), before),
    ):  # fmt: skip
        assert torch.allclose(reads(logits, kept), alone, atol=1e-6)
        assert torch.allclose(flipped_loss(reads, logits, kept, asked), loss, atol=1e-6)


def test_the_loss_is_that_of_the_class_that_is_asked() -> None:
    """Of each row, and of the rows that have one their mean."""
    torch.manual_seed(0)
    reads = LogitDiscriminator(7, widths=[5], classes=3).freeze()
    logits, mask = torch.randn(4, 3, 7), torch.ones(4, 3, dtype=torch.bool)
    asked = torch.tensor([0, 2, -1, 1])
    scores = reads(logits, mask).log_softmax(dim=1)
    expected = -(scores[0, 0] + scores[1, 2] + scores[3, 1]) / 3
    assert torch.allclose(flipped_loss(reads, logits, mask, asked), expected)


def test_by_the_pooling_of_the_code_padding_takes_part() -> None:
    """And without padding both poolings agree."""
    torch.manual_seed(0)
    mean = LogitDiscriminator(7, widths=[5]).freeze()
    added = LogitDiscriminator(7, widths=[5], pooling="sum").freeze()
    added.load_state_dict(mean.state_dict())
    logits = torch.randn(1, 4, 7)
    mask = torch.tensor([[True, True, True, False]])
    assert torch.allclose(mean(logits[:, :3], mask[:, :3]), added(logits[:, :3], mask[:, :3]))
    assert not torch.allclose(mean(logits, mask), added(logits, mask))


def test_rows_without_an_attribute_do_not_count() -> None:
    """The mean is of the others; without any it is 0, and so is the gradient."""
    torch.manual_seed(0)
    reads = LogitDiscriminator(7, widths=[5]).freeze()
    logits = torch.randn(3, 4, 7, requires_grad=True)
    mask = torch.ones(3, 4, dtype=torch.bool)
    some = flipped_loss(reads, logits, mask, torch.tensor([1, -100, 0]))
    both = flipped_loss(reads, logits[[0, 2]], mask[:2], torch.tensor([1, 0]))
    assert torch.allclose(some, both)
    none = flipped_loss(reads, logits, mask, torch.tensor([-100] * 3))
    none.backward()
    assert none == 0
    assert torch.equal(logits.grad, torch.zeros_like(logits))  # type: ignore[arg-type]


def test_it_is_kept_as_safetensors(tmp_path: Path) -> None:
    """And comes back as it was, with its weights fixed."""
    torch.manual_seed(0)
    reads = LogitDiscriminator(7, widths=[5, 3], head="bart", dropout=0.5)
    reads.save(tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".safetensors"}
    found = LogitDiscriminator.load(tmp_path)
    assert found.settings() == reads.settings()
    assert not found.training
    assert not any(each.requires_grad for each in found.parameters())
    logits, mask = torch.randn(2, 3, 7), torch.ones(2, 3, dtype=torch.bool)
    assert torch.equal(found(logits, mask), reads.eval()(logits, mask))
    (tmp_path / "discriminator.safetensors").write_bytes(b"x")
    with pytest.raises(InputError, match="holds no discriminator"):
        LogitDiscriminator.load(tmp_path)
    with pytest.raises(InputError, match="holds no discriminator"):
        LogitDiscriminator.load(tmp_path / "none")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"vocabulary": 0}, "vocabulary must be at least 1, but it is 0"),
        ({"classes": 1}, "classes must be at least 2, but it is 1"),
        ({"widths": [0]}, "each of widths must be at least 1, but it is 0"),
        ({"widths": 64}, "widths must be whole numbers, one for each layer, but it is 64"),
        ({"dropout": 1.0}, "dropout must be below 1"),
        ({"head": "linaer"}, "head must be one of 'linear', 'bart'"),
        ({"pooling": "max"}, "pooling must be one of 'mean', 'sum'"),
    ],
)
def test_wrong_shapes(changes: dict[str, object], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError) as raised:
        LogitDiscriminator(**{"vocabulary": 9} | changes)  # type: ignore[arg-type]
    assert sentence in str(raised.value)
