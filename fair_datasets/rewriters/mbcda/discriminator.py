"""The discriminator: it reads which attribute a text is of from the logits of its writer.

Source: Tokpo and Calders (2023), section on the generator; the widths, the second head and the
second pooling are those of their code.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from fair_datasets.rewriters.mbcda.config import check_shape
from fair_datasets.system.checks import InputError, positive_whole_number, whole_number
from fair_datasets.system.extras import require
from fair_datasets.system.unreadable import first_line, refuse_no_numbers

require("models", owner="LogitDiscriminator")

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402

SETTINGS, WEIGHTS = "discriminator.json", "discriminator.safetensors"

# The widths of the code, and the vocabulary that they are of.
_WIDTHS, _VOCABULARY = (3265, 1265, 768), 50_265
_NARROWEST = 64


class LogitDiscriminator(nn.Module):
    """A classifier of the attribute of texts, whose input are the logits of their tokens.

    Each token's logits go through three layers (dropout, linear, ReLU; dropout, linear, ReLU;
    linear); the mean over a text's tokens is brought to length 1, and one layer reads the class
    from it. It never takes the likeliest token or a softmax, so that its gradient reaches the model
    that the logits are from.

    Args:
        vocabulary: How many logits a token has (V).
        widths: How many outputs each layer has; none for those of the code (3,265, 1,265 and 768
            for a vocabulary of 50,265), in proportion to the vocabulary, and 64 at least.
        classes: How many attributes there are (C).
        dropout: The share of its inputs that a layer leaves out in training, in [0, 1).
        head: `linear` for one layer behind the mean (the paper); `bart` for two with a tanh between
            them and dropout before each (the code).
        pooling: `mean` over the tokens of a text, without its padding; `sum` over all of a batch's
            places, padding among them (the code), with which a result depends on the padding.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> LogitDiscriminator(50_265).widths, LogitDiscriminator(500, widths=[32, 8]).widths
        ((3265, 1265, 768), (32, 8))
    """

    def __init__(
        self,
        vocabulary: int,
        *,
        widths: Sequence[int] = (),
        classes: int = 2,
        dropout: float = 0.2,
        head: str = "linear",
        pooling: str = "mean",
    ) -> None:
        """Make one with random weights."""
        super().__init__()
        owner = type(self).__name__
        check_shape(widths, dropout, head, pooling, owner=owner)
        positive_whole_number(vocabulary, owner=owner, parameter="vocabulary")
        whole_number(classes, owner=owner, parameter="classes", least=2)
        self.vocabulary = vocabulary
        self.widths = tuple(widths) or tuple(
            max(_NARROWEST, vocabulary * width // _VOCABULARY) for width in _WIDTHS
        )
        self.classes = classes
        self.dropout = dropout
        self.head = head
        self.pooling = pooling
        layers: list[nn.Module] = []
        inputs = vocabulary
        for number, width in enumerate(self.widths):
            layers += [nn.ReLU()] if number else []
            # Before the first two of three alone, as in the code.
            layers += [nn.Dropout(dropout)] if number < 2 else []
            layers.append(nn.Linear(inputs, width))
            inputs = width
        self.layers = nn.Sequential(*layers)
        self.reader: nn.Module = nn.Linear(inputs, classes)
        if head == "bart":
            self.reader = nn.Sequential(
                nn.Dropout(dropout), nn.Linear(inputs, inputs), nn.Tanh(),
                nn.Dropout(dropout), nn.Linear(inputs, classes),
            )  # fmt: skip

    def forward(self, logits: Tensor, mask: Tensor) -> Tensor:
        """Read the class of texts.

        Args:
            logits: The logits of each token. Shape (B, T, V).
            mask: True where there is a token, False for padding. Shape (B, T).

        Returns:
            The logits of the classes. Shape (B, C).
        """
        states = self.layers(logits)
        if self.pooling == "mean":
            kept = mask.unsqueeze(-1)
            # A mean, up to a length that goes in the next line; what padding holds never counts.
            states = states.masked_fill(~kept, 0.0)
        pooled = nn.functional.normalize(states.sum(1), dim=-1)
        found: Tensor = self.reader(pooled)
        return found

    def freeze(self) -> Self:
        """Fix the weights, and leave out no more inputs.

        Returns:
            Itself.
        """
        self.requires_grad_(False)
        return self.eval()

    def settings(self) -> dict[str, Any]:
        """Return what makes another of the same shape, as JSON data."""
        return {
            "vocabulary": self.vocabulary, "widths": list(self.widths), "classes": self.classes,
            "dropout": self.dropout, "head": self.head, "pooling": self.pooling,
        }  # fmt: skip

    def save(self, folder: Path) -> None:
        """Write the discriminator into a folder that exists, its weights as safetensors."""
        from safetensors.torch import save_file

        (folder / SETTINGS).write_text(json.dumps(self.settings(), indent=2), encoding="utf-8")
        save_file(self.state_dict(), folder / WEIGHTS)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a discriminator that `save` wrote, with its weights fixed.

        Raises:
            InputError: There is none, or it is broken.
        """
        from safetensors.torch import load_file

        place = Path(folder)
        try:
            settings = json.loads((place / SETTINGS).read_text("utf-8"))
            found = cls(settings.pop("vocabulary"), **settings)
            weights = load_file(place / WEIGHTS)
            found.load_state_dict(weights)
            refuse_no_numbers(weights, str(place / WEIGHTS), owner=cls.__name__)
        except InputError:
            raise
        # Anything can be wrong in a folder that somebody else wrote.
        except Exception as error:
            raise InputError(
                f"{cls.__name__}: {str(place)!r} holds no discriminator ({first_line(error)}); "
                "name another folder, or train it anew."
            ) from error
        return found.freeze()

    def refuse_vocabulary(self, model: Any, *, owner: str) -> None:
        """Raise unless a model writes as many logits as the discriminator reads.

        Args:
            owner: The class or function that needs both, for errors.

        Raises:
            InputError: It writes more or fewer.
        """
        written = int(model.get_output_embeddings().weight.shape[0])
        if written != self.vocabulary:
            raise InputError(
                f"{owner}: the discriminator reads {self.vocabulary:,} logits for each token, but "
                f"the generator's vocabulary has {written:,}; train it on the logits of the model "
                "that the generator starts from."
            )


def flipped_loss(discriminator: LogitDiscriminator, logits: Tensor, mask: Tensor,
                 asked: Tensor) -> Tensor:  # fmt: skip
    """Return how far logits are from being read as the attribute that is asked for (L_disc).

    Args:
        logits: The logits of each token that a model writes. Shape (B, T, V).
        mask: True where there is a token, False for padding. Shape (B, T).
        asked: The class that each text is to be read as, 1 - g; below 0 where it has none, whose
            row does not count. Shape (B,).

    Returns:
        The mean cross-entropy of the rows that have a class; 0 where none has.

    Example:
        >>> from torch import full, ones, tensor
        >>> reads = LogitDiscriminator(4, widths=[3]).freeze()
        >>> float(flipped_loss(reads, ones(2, 5, 4), full((2, 5), True), tensor([-100, -100])))
        0.0
    """
    counts = asked >= 0
    losses = nn.functional.cross_entropy(
        discriminator(logits, mask), asked.clamp(min=0), reduction="none"
    )
    return torch.where(counts, losses, 0.0).sum() / counts.sum().clamp(min=1)
