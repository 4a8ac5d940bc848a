"""The published schedule: stochastic gradient descent whose rate follows the validation accuracy.

The first weights follow from the seed, and the order of an epoch from the seed and its number, so
that weights and these few figures are all that it takes to go on.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.word_vectors import WORD, WordVectors
from fair_datasets.scores.bilstm.train import Pairs, SentenceEncoderConfig, accuracy_of, pair_tokens
from fair_datasets.scores.probes.probe import TrainingRows
from fair_datasets.system.checks import InputError, invalid, require
from fair_datasets.system.files import write_file
from fair_datasets.system.resume import ProgressTracker

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
    """A training of an encoder, which keeps its state in a folder."""

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
        """Make a new encoder, or take up the state that is kept."""
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
        """Train to the end, and take the weights of the best epoch."""
        pairs, held = (
            pair_tokens(self.encoder, rows, self.config.max_length) for rows in (train, validation)
        )
        batches = -(-len(pairs.labels) // self.config.batch_size)
        with ProgressTracker(
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
        self.encoder.set_provenance({**self.provenance, **counts})

    def save(self, folder: Path) -> None:
        """Save the encoder, with its tokenizer and a card."""
        self.encoder.save_pretrained(folder)

    def clear(self) -> None:
        """Remove the state, once the encoder is saved."""
        for path in [self.folder / STATE_FILE, *self.folder.glob("best-*.safetensors")]:
            path.unlink(missing_ok=True)

    @property
    def _best_file(self) -> str:
        """The file of the best weights."""
        return f"best-{self.progress.best_epoch}.safetensors"

    def _epoch(self, pairs: Pairs, steps: ProgressTracker) -> None:
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
                progress: dict[str, Any] = json.loads(file.metadata()["progress"])
        except (OSError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise invalid(
                f"{path} cannot be read ({error}); remove the folder {self.folder} and train again."
            ) from error
        return progress


PADDING, START, END = SPECIAL = ("<pad>", "<s>", "</s>")
_PATTERN = rf"{WORD}|\.{{2,}}|-{{2,}}|[^\w\s]|_"
# In front of each word, so that no letter of an unknown word is taken for a word.
_MARK = "▁"
# Over how many words it is seen whether vectors tell capitals apart, and from which share on.
_LOOKED_AT, _FEW = 10_000, 0.01


class Vocabulary(NamedTuple):
    """What an encoder knows of the words of its vectors.

    Attributes:
        rows: The row of each token's vector; several ways to write a word share one. Shape (T,).
        vectors: The vectors; the first is zero. Shape (V, d).
        is_lower: Whether texts are read in lower case, as the vectors have no capitals.
    """

    tokens: list[str]
    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]
    is_lower: bool


def vocabulary(vectors: WordVectors, texts: Iterable[str], frequent_words: int) -> Vocabulary:
    """Choose the words that an encoder knows: those of texts, and the first ones of a file.

    A word is looked up as it is written, then in lower case. Where the vectors tell capitals apart,
    each word is also known with a capital and in capitals.
    """
    first = vectors.words(range(min(max(frequent_words, _LOOKED_AT), len(vectors))))
    is_lower = bool(np.mean([word != word.lower() for word in first]) < _FEW)
    splitter = tokenizer_of(SPECIAL, is_lower=is_lower, markers=False).backend_tokenizer
    in_texts = _words(splitter, texts)
    if not (vectors.find(sorted(in_texts)) >= 0).any():
        raise InputError(
            f"The word vectors {vectors.name!r} have a vector for none of the texts' words; give "
            "vectors of the texts' language."
        )
    known = in_texts | _words(splitter, first[:frequent_words])
    if not is_lower:
        known.update({*map(str.capitalize, known), *map(str.upper, known)})
    forms = sorted(known)
    indices = vectors.find(forms)
    selected = np.flatnonzero(indices >= 0)
    of_file = np.concatenate([[-1], vectors.index.find([START, END]), indices[selected]])
    distinct = np.unique(of_file[of_file >= 0])
    rows = np.where(of_file < 0, 0, np.searchsorted(distinct, of_file) + 1)
    table = np.zeros((len(distinct) + 1, vectors.width), np.float32)
    table[1:] = vectors.matrix[distinct]
    tokens = [*SPECIAL, *(forms[place] for place in selected.tolist())]
    return Vocabulary(tokens, rows.astype(np.int64), table, is_lower)


def tokenizer_of(tokens: Sequence[str], *, is_lower: bool, markers: bool) -> Any:
    """Build the tokenizer of an encoder, which transformers reads anew without any code of ours."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    count = len(SPECIAL)
    marked = [*tokens[:count], *(f"{_MARK}{token}" for token in tokens[count:])]
    numbers = {token: number for number, token in enumerate(marked)}
    # Whole words alone, as there is nothing to merge; this model drops what it does not know.
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=[], ignore_merges=True))
    straight = normalizers.Replace("’", "'")
    tokenizer.normalizer = normalizers.Sequence(
        [straight, *([normalizers.Lowercase()] if is_lower else [])]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PATTERN), "removed", invert=True),
            pre_tokenizers.Metaspace(_MARK, prepend_scheme="always", split=False),
        ]
    )
    if markers:
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{START} $A {END}",
            special_tokens=[(token, numbers[token]) for token in (START, END)],
        )
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        pad_token=PADDING,
        bos_token=START,
        eos_token=END,
        # A text that holds "<s>" holds signs and a letter, and no marker.
        split_special_tokens=True,
    )


def _words(splitter: Any, texts: Iterable[str]) -> set[str]:
    """Return the words of texts, as a tokenizer divides them."""
    divided = (
        splitter.pre_tokenizer.pre_tokenize_str(splitter.normalizer.normalize_str(text))
        for text in texts
    )
    return {word.removeprefix(_MARK) for word, _ in chain.from_iterable(divided)} - set(SPECIAL)
