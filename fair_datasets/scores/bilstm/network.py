"""The encoder: word vectors, an LSTM in both directions, and the maximum over the words."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError, one_of, require

require("models", owner="BiLSTMEncoder")

import torch  # noqa: E402
from huggingface_hub import PyTorchModelHubMixin  # noqa: E402
from torch import Tensor, nn  # noqa: E402

from fair_datasets.scores.models import batches_by_length, padded  # noqa: E402
from fair_datasets.system.pretrained import (  # noqa: E402
    BILSTM,
    pretrained_file,
    read_tokenizer,
    refuse_no_numbers,
)

if TYPE_CHECKING:
    from huggingface_hub import ModelCard

WEIGHTS = "model.safetensors"


class States(NamedTuple):
    """What the encoder gives, under the name that models of transformers use.

    Attributes:
        last_hidden_state: The state of each token, 0 for padding. Shape (B, T, 2 * units).
    """

    last_hidden_state: Tensor


class BiLSTMEncoder(nn.Module, PyTorchModelHubMixin, library_name="fair_datasets"):
    """A BiLSTM with max-pooling, and the classifier of pairs that it was trained with.

    It is saved, pushed and loaded as `PyTorchModelHubMixin` does it, with its tokenizer, as
    safetensors alone. `sentence_vectors` and `BiasScore` take its folder or Hub id.

    Args:
        classifier_units: The width of the two layers between a pair and its classes.

    Source:
        Conneau et al. (2017), section 3.2.3 and figure 1.
    """

    pooling = "max"
    vectors: Tensor
    rows: Tensor

    def __init__(
        self,
        *,
        words: int,
        width: int,
        tokens: int,
        units: int,
        classifier_units: int,
        labels: list[str],
        provenance: Mapping[str, Any] | None = None,
        architecture: str = BILSTM,
        tokenizer: Any = None,
    ) -> None:
        """Make an encoder whose weights are drawn and whose vectors are zero."""
        from transformers import PretrainedConfig

        one_of(architecture, [BILSTM], parameter="architecture")
        super().__init__()
        self.labels, self.provenance = list(labels), dict(provenance or {})
        self.tokenizer = tokenizer
        self.config: Any = PretrainedConfig.from_dict(
            {"hidden_size": 2 * units, "vocab_size": tokens}
        )
        self.register_buffer("vectors", torch.zeros(words, width))
        self.register_buffer("rows", torch.zeros(tokens, dtype=torch.int64))
        self.lstm = nn.LSTM(width, units, bidirectional=True, batch_first=True)
        # Without anything between them, as in the published script.
        self.classifier = nn.Sequential(
            nn.Linear(8 * units, classifier_units),
            nn.Linear(classifier_units, classifier_units),
            nn.Linear(classifier_units, len(labels)),
        )

    @property
    def device(self) -> torch.device:
        """Where it runs."""
        return self.vectors.device

    @property
    def base_model(self) -> Self:
        """What gives states: this one itself."""
        return self

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> States:
        """Return the state of each token.

        Args:
            input_ids: The tokens, padded at the end. Shape (B, T).
            attention_mask: 1 for tokens and 0 for padding; each row has a token. Shape (B, T).
        """
        read = self.vectors[self.rows[input_ids]]
        packed = nn.utils.rnn.pack_padded_sequence(
            read, attention_mask.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False
        )
        states, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=input_ids.shape[1]
        )
        return States(states)

    if TYPE_CHECKING:
        __call__ = forward

    def sentences(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return the vector of each sentence: the maximum of its states, padding aside.

        Returns:
            The vectors. Shape (N, 2 * units).
        """
        ids, mask = (table.to(self.device) for table in padded(rows, 0))
        states = self(ids, mask).last_hidden_state
        return states.masked_fill(mask[..., None] == 0, -torch.inf).amax(dim=1)

    def pairs(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the logits of pairs of sentence vectors.

        Returns:
            The logits of u, v, |u - v| and u * v. Shape (N, C).
        """
        features = torch.cat([first, second, (first - second).abs(), first * second], dim=1)
        logits: Tensor = self.classifier(features)
        return logits

    def classify(
        self, first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], *, batch_size: int
    ) -> NDArray[np.float64]:
        """Return the logits of pairs of sentences, in batches. Shape (N, C)."""
        rows = [*first, *second]
        vectors = torch.zeros(len(rows), self.config.hidden_size, device=self.device)
        with torch.inference_mode():
            for batch in batches_by_length([*map(len, rows)], batch_size, None):
                vectors[torch.from_numpy(batch)] = self.sentences([rows[row] for row in batch])
            logits: NDArray[np.float64] = self.pairs(*vectors.chunk(2)).double().cpu().numpy()
        return logits

    def set_provenance(self, provenance: Mapping[str, Any]) -> None:
        """Note what the encoder was trained on and how, to be saved with it."""
        self.provenance = dict(provenance)
        config: Any = self._hub_mixin_config
        self._hub_mixin_config = {**config, "provenance": self.provenance}

    def push_to_hub(self, repo_id: str, **options: Any) -> str:
        """Publish the encoder with its tokenizer and a card."""
        card = {"title": repo_id, **(options.pop("model_card_kwargs", None) or {})}
        return super().push_to_hub(repo_id, model_card_kwargs=card, **options)

    def generate_model_card(self, title: str = "sentence encoder", **_: Any) -> "ModelCard":
        """Write the card; see `fair_datasets.cards`."""
        from huggingface_hub import ModelCard

        from fair_datasets.cards.model import encoder_card

        return ModelCard(encoder_card(self.provenance, title=title))

    def _save_pretrained(self, save_directory: Path) -> None:
        """Save weights and tokenizer."""
        from safetensors.torch import save_file

        weights = {name: weight.contiguous().cpu() for name, weight in self.state_dict().items()}
        save_file(weights, save_directory / WEIGHTS)
        if self.tokenizer is not None:
            self.tokenizer.save_pretrained(save_directory)

    @classmethod
    def _from_pretrained(cls, *, model_id: str, revision: str | None, **options: Any) -> Self:
        """Load weights, as safetensors alone, and tokenizer."""
        from safetensors.torch import load_file

        of_hub = ("cache_dir", "force_download", "local_files_only", "token")
        reading = {"revision": revision, **{name: options.pop(name) for name in of_hub}}
        path = pretrained_file(model_id, WEIGHTS, **reading)
        if path is None:
            raise InputError(f"{model_id!r} has no file {WEIGHTS}; download it again")
        # What is drawn there takes neither time nor memory.
        with torch.device("meta"):
            model = cls(**options)
        try:
            model.load_state_dict(load_file(path), assign=True)
        except RuntimeError as error:
            raise InputError(
                f"the weights of {model_id!r} do not fit its config.json; download both again"
            ) from error
        refuse_no_numbers(model.state_dict(), model_id)
        model.tokenizer = read_tokenizer(model_id, **reading)
        return model.eval()
