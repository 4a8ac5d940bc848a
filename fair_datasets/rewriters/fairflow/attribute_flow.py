"""A trained flow with the two attributes that its first factor tells apart, as one model."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.cards.model import flow_card
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.files import indented, temporary_folder, write_file
from fair_datasets.system.pretrained import refuse_no_numbers
from fair_datasets.version import __version__

if TYPE_CHECKING:
    import torch

    from fair_datasets.hub.repositories import Upload

    Tensors = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class FlowShape:
    """What a flow is made of.

    Attributes:
        width: How many numbers a state has; an even number.
        factors: How many of the numbers that come out belong to each factor; the first is the
            attribute's.
        hidden_layers: How many layers of that width each has beside its first.
    """

    width: int
    factors: tuple[int, ...]
    blocks: int = 6
    hidden_units: int = 100
    hidden_layers: int = 2

    def __post_init__(self) -> None:
        """Check what was given."""
        if self.width % 2 or self.width < 2:
            raise invalid(
                f"a coupling halves each state, but the encoder's have {self.width} "
                "numbers, which is odd; choose an encoder of even width."
            )
        if sum(self.factors) != self.width or min(self.factors) < 1:
            raise invalid(
                f"the factors {self.factors} must be at least 1 each and {self.width} "
                "in sum, because a state has so many numbers."
            )


def chunk_sizes(width: int, chunks: int) -> tuple[int, ...]:
    """Cut a width into chunks of one size, of which the last may be smaller, as `torch.chunk` does.

    Example:
        >>> chunk_sizes(768, 10)
        (77, 77, 77, 77, 77, 77, 77, 77, 77, 75)
    """
    size = -(-width // chunks)
    return tuple(min(size, width - start) for start in range(0, width, size))


def estimated_sizes(first: "torch.Tensor", second: "torch.Tensor") -> tuple[int, ...]:
    """Estimate how wide the attribute's factor should be; all else is a second factor.

    Its score is the covariance of the members of pairs that share the attribute, as a share of the
    variance of all; the score of what is left is 1. The widths are the shares of a softmax.

    Args:
        first: A state of each pair. Shape (N, d).
        second: Another one of the same attribute. Shape (N, d).

    Source:
        Esser et al. (2020), A Disentangling Invertible Interpretation Network.
    """
    import torch

    both = torch.cat([first, second]).double()
    mean = both.mean(dim=0)
    covariance = ((first.double() - mean) * (second.double() - mean)).mean(dim=0).sum()
    score = covariance / both.var(dim=0, correction=0).sum()
    share = torch.softmax(torch.stack([score, torch.ones_like(score)]), dim=0)[0]
    width = both.shape[1]
    attribute = min(max(1, int(share * width)), width - 1)
    return attribute, width - attribute


CONFIG_FILE, WEIGHTS_FILE = "config.json", "model.safetensors"
CARD = "README.md"
_MEANS = "means"
_CHUNK_SIZE = 1024

Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class AttributeFlow:
    """An invertible network that exchanges the attribute in the vector of a word.

    Attributes:
        means: The mean of the attribute's factor over the states of each attribute. Shape (2, k).
    """

    shape: FlowShape
    tensors: "Mapping[str, torch.Tensor]"
    means: "torch.Tensor"
    attributes: tuple[str, str]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def exchanged(self, states: Singles, sides: NDArray[np.int64]) -> Singles:
        """Give states the other attribute: its mean in the attribute's factor, and all else kept.

        Returns:
            The states of their counterparts. Shape (N, d).
        """
        import torch

        counterparts = np.empty_like(states)
        width = self.shape.factors[0]
        with torch.inference_mode():
            for start in range(0, len(states), _CHUNK_SIZE):
                some = slice(start, start + _CHUNK_SIZE)
                factors, _ = forward(self.shape, self.tensors, torch.from_numpy(states[some]))
                factors[:, :width] = self.means[torch.from_numpy(1 - sides[some])]
                counterparts[some] = inverse(self.shape, self.tensors, factors).numpy()
        return counterparts

    def inverse_error(self, states: Singles) -> float:
        """Return by how much states differ at most when they were sent through and back."""
        import torch

        with torch.inference_mode():
            given = torch.from_numpy(states)
            out, _ = forward(self.shape, self.tensors, given)
            return float((inverse(self.shape, self.tensors, out) - given).abs().max())

    def save_pretrained(self, folder: str | PathLike[str]) -> None:
        """Save the flow into a folder, with a card; a card that lies in it stays.

        Raises:
            InputError: The folder cannot be written.
        """
        from safetensors.torch import save_file

        place = Path(folder)
        data = {**asdict(self.shape), "attributes": self.attributes}
        data |= {"provenance": dict(self.provenance), "fair_datasets_version": __version__}
        tensors = {name: tensor.detach().contiguous() for name, tensor in self.tensors.items()}
        try:
            place.mkdir(parents=True, exist_ok=True)
            if not (place / CARD).exists():
                write_file(place / CARD, self.card(place.absolute().name).encode())
            write_file(place / CONFIG_FILE, indented(data, ensure_ascii=False).encode())
            save_file({**tensors, _MEANS: self.means.contiguous()}, place / WEIGHTS_FILE)
        except OSError as error:
            raise InputError(
                f"The flow cannot be saved in {place} ({error.strerror}); choose another folder."
            ) from error

    def card(self, name: str) -> str:
        """Write the flow's card."""
        return flow_card(self.attributes, asdict(self.shape), self.provenance, name=name)

    def push_to_hub(self, repo_id: str, **options: Any) -> "Upload":
        """Publish the flow as a model repository of the Hub, with its card.

        Args:
            **options: What `fair_datasets.hub.push_model` takes, such as `private` and `dry_run`.

        Raises:
            InputError: The Hub refused.
        """
        from fair_datasets.hub.folders import push_model

        options = {"commit_message": "Upload flow with fair_datasets", **options}
        with temporary_folder() as folder:
            self.save_pretrained(folder)
            card = self.card(repo_id.removeprefix("hf://"))
            return push_model(folder, repo_id, **{"card": card, **options})

    @classmethod
    def from_pretrained(cls, name: str | PathLike[str]) -> "AttributeFlow":
        """Load a flow from a folder or the Hub.

        Args:
            name: The folder that `save_pretrained` wrote, or "user/name" of the Hub.

        Raises:
            InputError: There is none.
        """
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        from fair_datasets.hub.folders import pull_model

        folder = Path(name) if Path(name).is_dir() else pull_model(str(name))
        try:
            data = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
            tensors = load_file(folder / WEIGHTS_FILE)
            refuse_no_numbers(tensors, str(folder / WEIGHTS_FILE))
            names = ("width", "blocks", "hidden_units", "hidden_layers")
            shape = FlowShape(factors=tuple(data["factors"]), **{key: data[key] for key in names})
            first, second = data["attributes"]
            means = tensors.pop(_MEANS)
            return cls(shape, tensors, means, (first, second), data["provenance"])
        except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{str(name)!r} holds no flow that can be read ({type(error).__name__}: {error}); "
                "give a folder that AttributeFlow.save_pretrained wrote."
            ) from error


# What is added to a standard deviation before it divides.
_SMALLEST = 1e-6
_READY = "initialised"


def new_tensors(shape: FlowShape, seed: int) -> "dict[str, torch.Tensor]":
    """Draw the tensors of a flow that has learnt nothing; see `forward`."""
    import torch

    draws = torch.Generator().manual_seed(seed)
    half = shape.width // 2
    sizes = [half, *[shape.hidden_units] * (shape.hidden_layers + 1), half]
    tensors = {_READY: torch.zeros(1, dtype=torch.uint8)}
    for block in range(shape.blocks):
        tensors[f"{block}.loc"] = torch.zeros(shape.width)
        tensors[f"{block}.scale"] = torch.ones(shape.width)
        for step in range(2):
            for layer in range(len(sizes) - 1):
                bound = sizes[layer] ** -0.5
                # One network for the scale and one for the shift, side by side.
                weight = torch.rand(2, sizes[layer], sizes[layer + 1], generator=draws)
                bias = torch.rand(2, 1, sizes[layer + 1], generator=draws)
                # The last layer begins at 0, and each coupling as the identity.
                bound *= layer < len(sizes) - 2
                tensors[f"{block}.{step}.{layer}.weight"] = (2 * weight - 1) * bound
                tensors[f"{block}.{step}.{layer}.bias"] = (2 * bias - 1) * bound
        tensors[f"{block}.permutation"] = torch.randperm(shape.width, generator=draws)
    return tensors


def trained_names(tensors: "Tensors") -> list[str]:
    """Name the tensors that training moves: all but the permutations and what is noted."""
    return [name for name, tensor in tensors.items() if tensor.is_floating_point()]


def forward(
    shape: FlowShape, tensors: "Tensors", states: "torch.Tensor"
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Send states through the flow.

    Returns:
        What comes out (N, d), and the logarithm of the determinant (N,).
    """
    import torch

    logdet = torch.zeros(len(states), dtype=states.dtype)
    for block in range(shape.blocks):
        scale = tensors[f"{block}.scale"]
        states = scale * (states + tensors[f"{block}.loc"])
        logdet = logdet + scale.abs().log().sum()
        for step in range(2):
            fixed, moved = _halves(states, step)
            log_scale, shift = _coupling(shape, tensors, f"{block}.{step}", fixed)
            states = torch.cat([fixed, moved * log_scale.exp() + shift], dim=1)
            logdet = logdet + log_scale.sum(dim=1)
        states = states[:, tensors[f"{block}.permutation"]]
    return states, logdet


def inverse(shape: FlowShape, tensors: "Tensors", factors: "torch.Tensor") -> "torch.Tensor":
    """Send what came out of the flow back. Shape (N, d)."""
    import torch

    states = factors
    for block in reversed(range(shape.blocks)):
        states = states[:, tensors[f"{block}.permutation"].argsort()]
        for step in (1, 0):
            fixed, moved = states.chunk(2, dim=1)
            log_scale, shift = _coupling(shape, tensors, f"{block}.{step}", fixed)
            halves = [fixed, (moved - shift) * (-log_scale).exp()]
            states = torch.cat(halves[::-1] if step else halves, dim=1)
        states = states / tensors[f"{block}.scale"] - tensors[f"{block}.loc"]
    return states


def initialise(shape: FlowShape, tensors: "Tensors", states: "torch.Tensor") -> None:
    """Set the activation norms by the first batch, block by block, unless that was done before.

    Behind each norm the batch has the mean 0 and the standard deviation 1. A number that does not
    vary in the batch, as none does in a batch of one, is only moved.
    """
    import torch

    if tensors[_READY].any():
        return
    with torch.no_grad():
        for block in range(shape.blocks):
            deviation = states.std(dim=0) if len(states) > 1 else torch.zeros(shape.width)
            scale = torch.where(deviation > _SMALLEST, 1 / (deviation + _SMALLEST), 1.0)
            tensors[f"{block}.loc"].copy_(-states.mean(dim=0))
            tensors[f"{block}.scale"].copy_(scale)
            one = FlowShape(shape.width, shape.factors, 1, shape.hidden_units, shape.hidden_layers)
            states, _ = forward(one, _of_block(tensors, block), states)
        tensors[_READY].fill_(True)


def _halves(states: "torch.Tensor", step: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """Return the half that conditions and the half that is moved, in the order of the step."""
    first, second = states.chunk(2, dim=1)
    return (second, first) if step else (first, second)


def _coupling(
    shape: FlowShape, tensors: "Tensors", name: str, fixed: "torch.Tensor"
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Return the logarithm of the scale, and the shift, of the half that is moved."""
    import torch

    hidden = fixed.expand(2, *fixed.shape)
    for layer in range(shape.hidden_layers + 2):
        if layer:
            hidden = torch.nn.functional.leaky_relu(hidden)
        weight, bias = tensors[f"{name}.{layer}.weight"], tensors[f"{name}.{layer}.bias"]
        hidden = torch.baddbmm(bias, hidden, weight)
    return hidden[0].tanh(), hidden[1]


def _of_block(tensors: "Tensors", block: int) -> "dict[str, torch.Tensor]":
    """Return the tensors of one block as those of a flow that has no other."""
    start = f"{block}."
    return {
        f"0.{name.removeprefix(start)}": tensor
        for name, tensor in tensors.items()
        if name.startswith(start)
    }
