"""A trained flow with the two attributes that its first factor tells apart, as one model."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.cards.flow import flow_card
from fair_datasets.rewriters.fairflow.flow import forward, inverse
from fair_datasets.rewriters.fairflow.flow_shape import FlowShape
from fair_datasets.scores.resuming import write_file
from fair_datasets.system.checks import InputError
from fair_datasets.system.temporary import temporary_folder
from fair_datasets.system.unreadable import refuse_no_numbers
from fair_datasets.version import __version__

if TYPE_CHECKING:
    import torch

    from fair_datasets.hub.uploads import Upload

CONFIG_FILE, WEIGHTS_FILE = "config.json", "model.safetensors"
_CARD = "README.md"
_MEANS = "means"
_TOGETHER = 1024

Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class AttributeFlow:
    """A flow that exchanges the attribute of a state.

    Attributes:
        shape: What the flow is made of.
        tensors: Its tensors.
        means: The mean of the attribute's factor over the states of each attribute. Shape (2, k).
        attributes: The two attributes.
        provenance: What it was trained on and how, as JSON data.
    """

    shape: FlowShape
    tensors: "Mapping[str, torch.Tensor]"
    means: "torch.Tensor"
    attributes: tuple[str, str]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def exchanged(self, states: Singles, sides: NDArray[np.int64]) -> Singles:
        """Give states the other attribute: its mean in the attribute's factor, and all else kept.

        Args:
            states: The states of words in the encoder's last layer. Shape (N, d).
            sides: The number of the attribute of each. Shape (N,).

        Returns:
            The states of their counterparts. Shape (N, d).
        """
        import torch

        found = np.empty_like(states)
        width = self.shape.factors[0]
        with torch.inference_mode():
            for start in range(0, len(states), _TOGETHER):
                some = slice(start, start + _TOGETHER)
                factors, _ = forward(self.shape, self.tensors, torch.from_numpy(states[some]))
                factors[:, :width] = self.means[torch.from_numpy(1 - sides[some])]
                found[some] = inverse(self.shape, self.tensors, factors).numpy()
        return found

    def inverse_error(self, states: Singles) -> float:
        """Return by how much states differ at most when they were sent through and back.

        Args:
            states: The states. Shape (N, d).

        Returns:
            The largest difference of a number.
        """
        import torch

        with torch.inference_mode():
            given = torch.from_numpy(states)
            out, _ = forward(self.shape, self.tensors, given)
            return float((inverse(self.shape, self.tensors, out) - given).abs().max())

    def save_pretrained(self, folder: str | PathLike[str]) -> None:
        """Save the flow into a folder, with a card; a card that lies in it stays.

        Args:
            folder: The folder; it is made if it is not there.

        Raises:
            InputError: The folder cannot be written.
        """
        from safetensors.torch import save_file

        place = Path(folder)
        told = {**asdict(self.shape), "attributes": self.attributes}
        told |= {"provenance": dict(self.provenance), "fair_datasets_version": __version__}
        tensors = {name: tensor.detach().contiguous() for name, tensor in self.tensors.items()}
        try:
            place.mkdir(parents=True, exist_ok=True)
            if not (place / _CARD).exists():
                write_file(place / _CARD, self.card(place.absolute().name).encode())
            write_file(place / CONFIG_FILE, json.dumps(told, indent=2, ensure_ascii=False).encode())
            save_file({**tensors, _MEANS: self.means.contiguous()}, place / WEIGHTS_FILE)
        except OSError as error:
            raise InputError(
                f"The flow cannot be saved in {place} ({error.strerror}); choose another folder."
            ) from error

    def card(self, name: str) -> str:
        """Write the flow's card.

        Args:
            name: Its folder, or its name on the Hub.

        Returns:
            The Markdown text.
        """
        return flow_card(self.attributes, asdict(self.shape), self.provenance, name=name)

    def push_to_hub(self, repo_id: str, **options: Any) -> "Upload":
        """Publish the flow as a model repository of the Hub, with its card.

        Args:
            repo_id: "user/name"; created if it is not there.
            **options: What `fair_datasets.hub.push_model` takes, such as `private` and `dry_run`.

        Returns:
            The page and the files.

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

        Returns:
            The flow.

        Raises:
            InputError: There is none.
        """
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        from fair_datasets.hub.folders import pull_model

        folder = Path(name) if Path(name).is_dir() else pull_model(str(name))
        try:
            told = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
            tensors = load_file(folder / WEIGHTS_FILE)
            refuse_no_numbers(tensors, str(folder / WEIGHTS_FILE), owner=cls.__name__)
            names = ("width", "blocks", "hidden_units", "hidden_layers")
            shape = FlowShape(factors=tuple(told["factors"]), **{key: told[key] for key in names})
            first, second = told["attributes"]
            means = tensors.pop(_MEANS)
            return cls(shape, tensors, means, (first, second), told["provenance"])
        except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{str(name)!r} holds no flow that can be read ({type(error).__name__}: {error}); "
                "give a folder that AttributeFlow.save_pretrained wrote."
            ) from error
