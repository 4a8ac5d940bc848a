"""The published schedule: stochastic gradient descent whose rate follows the validation accuracy.

The first weights follow from the seed, and the order of an epoch from the seed and its number, so
that weights and these few figures are all that it takes to go on.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.bilstm.config import SentenceEncoderConfig
from fair_datasets.scores.bilstm.pairs import Pairs, accuracy_of, pair_tokens
from fair_datasets.scores.bilstm.tokens import tokenizer_of, vocabulary
from fair_datasets.scores.probes.rows import TrainingRows
from fair_datasets.scores.resuming import write_file
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require
from fair_datasets.system.steps import Steps
from fair_datasets.vectors.word_vectors import WordVectors

require("models", owner="train_sentence_encoder")

import torch  # noqa: E402

from fair_datasets.scores.bilstm.network import BiLSTMEncoder  # noqa: E402

STATE_FILE = "state.safetensors"
# After how many steps within an epoch the state is kept.
STEPS = 500


@dataclass
class Progress:
    """How far a training is.

    Attributes:
        learning_rate: The learning rate.
        epoch: The number of the epoch, counted from 1.
        step: How many of its steps are done.
        loss: The sum of the losses of its pairs so far.
        best: The best validation accuracy so far.
        best_epoch: After which epoch that was; 0 for none.
        history: For each whole epoch its learning rate, mean loss and validation accuracy.
    """

    learning_rate: float
    epoch: int = 1
    step: int = 0
    loss: float = 0.0
    best: float = -1.0
    best_epoch: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


@dataclass
class Training:
    """A training of an encoder, which keeps its state in a folder.

    Attributes:
        config: The settings.
        encoder: The encoder.
        progress: How far it is.
        provenance: What the encoder is to say of its training.
    """

    config: SentenceEncoderConfig
    encoder: BiLSTMEncoder
    progress: Progress
    provenance: dict[str, Any]

    @classmethod
    def begin(
        cls,
        config: SentenceEncoderConfig,
        vectors: WordVectors,
        texts: Iterable[str],
        labels: list[str],
        provenance: dict[str, Any],
    ) -> Self:
        """Make a new encoder, or take up the state that is kept.

        Args:
            config: The settings.
            vectors: The word vectors.
            texts: The texts whose words it knows.
            labels: The names of the classes.
            provenance: What the encoder is to say of its training.

        Returns:
            The training.
        """
        known = vocabulary(vectors, texts, config.frequent_words)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            encoder = BiLSTMEncoder(
                words=len(known.vectors),
                width=vectors.width,
                tokens=len(known.tokens),
                units=config.units,
                classifier_units=config.classifier_units,
                labels=labels,
                tokenizer=tokenizer_of(
                    known.tokens, is_lower=known.is_lower, markers=config.markers
                ),
            )
        encoder.vectors.copy_(torch.from_numpy(known.vectors))
        encoder.rows.copy_(torch.from_numpy(known.rows))
        encoder.to("cuda" if torch.cuda.is_available() else "cpu")
        training = cls(config, encoder, Progress(config.learning_rate), provenance)
        if (training.folder / STATE_FILE).is_file():
            training.progress = Progress(**training._load(STATE_FILE))
        return training

    @property
    def folder(self) -> Path:
        """Where the state is kept."""
        return Path(self.config.out)

    @property
    def is_over(self) -> bool:
        """Whether the last epoch is done, or the learning rate is too small to go on."""
        is_small = self.progress.learning_rate < self.config.least_learning_rate
        return self.progress.epoch > self.config.epochs or is_small

    def run(self, train: TrainingRows, validation: TrainingRows) -> None:
        """Train to the end, and take the weights of the best epoch.

        Args:
            train: The pairs to train on.
            validation: The pairs that the schedule follows.

        Raises:
            InputError: Training diverges, or there is a part without a pair that can be read.
        """
        pairs, held = (
            pair_tokens(self.encoder, rows, self.config.max_length) for rows in (train, validation)
        )
        batches = -(-len(pairs.labels) // self.config.batch_size)
        with Steps(
            "Training the encoder", self.config.epochs * batches, unit="batch", work=self.folder,
            done=(self.progress.epoch - 1) * batches + self.progress.step,
        ) as steps:  # fmt: skip
            while not self.is_over:
                self._epoch(pairs, steps)
                self._judge(held, len(pairs.labels))
                self._save(STATE_FILE)
        self._load(self._best_file)
        counts = {
            "read_pairs": len(pairs.labels),
            "validation_read_pairs": len(held.labels),
            "accuracy": self.progress.best,
            "best_epoch": self.progress.best_epoch,
            "epochs_trained": self.progress.history,
        }
        self.encoder.tell({**self.provenance, **counts})

    def save(self, folder: Path) -> None:
        """Save the encoder, with its tokenizer and a card.

        Args:
            folder: Where it is saved.
        """
        self.encoder.save_pretrained(folder)

    def clear(self) -> None:
        """Remove the state, once the encoder is saved."""
        for path in [self.folder / STATE_FILE, *self.folder.glob("best-*.safetensors")]:
            path.unlink(missing_ok=True)

    @property
    def _best_file(self) -> str:
        """The file of the best weights."""
        return f"best-{self.progress.best_epoch}.safetensors"

    def _epoch(self, pairs: Pairs, steps: Steps) -> None:
        """Run the steps of an epoch that are left."""
        config, progress = self.config, self.progress
        if progress.epoch > 1 and not progress.step:
            progress.learning_rate *= config.decay
        order = np.random.default_rng([config.seed, progress.epoch]).permutation(len(pairs.labels))
        starts = range(0, len(order), config.batch_size)
        optimizer = torch.optim.SGD(self.encoder.parameters(), lr=progress.learning_rate)
        self.encoder.train()
        for start in starts[progress.step :]:
            if progress.step and progress.step % STEPS == 0:
                self._save(STATE_FILE)
            batch = order[start : start + config.batch_size]
            progress.loss += self._step(optimizer, pairs, batch) * len(batch)
            progress.step += 1
            steps.step(progress.loss / (start + len(batch)))

    def _step(
        self, optimizer: torch.optim.Optimizer, pairs: Pairs, batch: NDArray[np.intp]
    ) -> float:
        """Move the weights once, and return the mean loss of the batch before that."""
        rows = [side[row] for side in (pairs.first, pairs.second) for row in batch]
        logits = self.encoder.pairs(*self.encoder.sentences(rows).chunk(2))
        targets = torch.from_numpy(pairs.labels[batch]).to(logits.device)
        loss = torch.nn.functional.cross_entropy(logits, targets)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), self.config.largest_gradient)
        optimizer.step()
        return float(loss.detach())

    def _judge(self, held: Pairs, count: int) -> None:
        """Measure the accuracy after an epoch; keep the best weights, or lower the rate."""
        progress = self.progress
        self.encoder.eval()
        accuracy = accuracy_of(self.encoder, held)
        progress.history.append(
            {
                "learning_rate": progress.learning_rate,
                "loss": progress.loss / count,
                "accuracy": accuracy,
            }
        )
        if accuracy > progress.best:
            progress.best, progress.best_epoch = accuracy, progress.epoch
            self._save(self._best_file)
        else:
            progress.learning_rate /= self.config.shrink
        progress.epoch, progress.step, progress.loss = progress.epoch + 1, 0, 0.0

    def _save(self, name: str) -> None:
        """Keep the weights, and how far the training is."""
        from safetensors.torch import save

        weights = {
            name: weight.detach().cpu().contiguous()
            for name, weight in self.encoder.named_parameters()
        }
        # One entry, as the order of several differs from run to run.
        write_file(
            self.folder / name,
            save(weights, metadata={"progress": json.dumps(asdict(self.progress))}),
        )

    def _load(self, name: str) -> dict[str, Any]:
        """Take the weights of a file, and return how far the training was."""
        from safetensors import SafetensorError, safe_open

        path = self.folder / name
        try:
            with safe_open(path, framework="pt") as file, torch.no_grad():
                for weight_name, weight in self.encoder.named_parameters():
                    weight.copy_(file.get_tensor(weight_name))
                found: dict[str, Any] = json.loads(file.metadata()["progress"])
        except (OSError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise InputError(
                f"train_sentence_encoder: {path} cannot be read ({error}); remove the folder "
                f"{self.folder} and train anew."
            ) from error
        return found
