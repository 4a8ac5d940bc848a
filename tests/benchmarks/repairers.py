"""Small detectors and infillers, trained in minutes on texts that are at hand.

These files lie in no package; `runpy.run_path("tests/benchmarks/repairers.py")` gives the
functions. All texts are taken as right, and what is wrong is made of them anew each time that one
is seen: words of closed classes (pronouns, articles, forms of "be", "have" and "do") change places
with others of their class, and some other words with words of the texts.
"""

import random
import re
import runpy
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken

from tests.small_models import small_model

Span = tuple[int, int]
Spoil = Callable[[str, random.Random], tuple[str, list[Span]]]
"""What spoils a text: the text and where draws come from, to the new text and its wrong words."""

CLASSES = (
    ("he", "she", "him", "her", "his", "hers"), ("himself", "herself", "themselves"), ("a", "an"),
    ("is", "are", "am"), ("was", "were"), ("has", "have"), ("does", "do"),
)  # fmt: skip
"""Words of which one stands for another where a swap goes wrong."""
OTHERS = {word: [other for other in words if other != word] for words in CLASSES for word in words}
_WORD = re.compile(r"[^\W_]+")
_ROLES = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
_COPYING = runpy.run_path(str(Path(__file__).with_name("copying_bart.py")))


def like(word: str, model: str) -> str:
    """Write a word in the case of another."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word.capitalize() if model[:1].isupper() else word


def rewritten(text: str, words: dict[Span, str]) -> tuple[str, list[Span]]:
    """Put other words in the place of some, and return where they stand then."""
    pieces: list[str] = []
    places: list[Span] = []
    position = length = 0
    for (start, end), word in sorted(words.items()):
        length += start - position
        pieces += text[position:start], word
        places.append((length, length + len(word)))
        length += len(word)
        position = end
    return "".join([*pieces, text[position:]]), places


def planted(text: str, draws: random.Random) -> tuple[str, Span, str] | None:
    """Plant one error of a closed class: the new text, where it is, and the right word.

    None where the text has no word of such a class.
    """
    found = [word for word in _WORD.finditer(text) if word.group().lower() in OTHERS]
    if not found:
        return None
    word = draws.choice(found)
    wrong = like(draws.choice(OTHERS[word.group().lower()]), word.group())
    new, (place,) = rewritten(text, {word.span(): wrong})
    return new, place, word.group()


def spoiler(texts: Sequence[str], *, closed: float = 0.2, other: float = 0.05) -> Spoil:
    """Return what spoils texts: each word of a closed class, or another one, with a probability."""
    counts = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    words = list(counts)
    weights = [count**0.75 for count in counts.values()]

    def spoil(text: str, draws: random.Random) -> tuple[str, list[Span]]:
        new: dict[Span, str] = {}
        for word in _WORD.finditer(text):
            lower = word.group().lower()
            if lower in OTHERS and draws.random() < closed:
                new[word.span()] = like(draws.choice(OTHERS[lower]), word.group())
            elif draws.random() < other:
                drawn = draws.choices(words, weights)[0]
                if drawn != lower:
                    new[word.span()] = like(drawn, word.group())
        return rewritten(text, new)

    return spoil


def gapped(text: str, draws: random.Random, mask: str, *, closed: float = 0.4) -> str:
    """Hide words of a text behind masks, as many as words or, now and then, more or fewer.

    A mask may also stand where nothing is missing, so that a model learns to leave it empty.
    """
    new: dict[Span, str] = {}
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        is_closed = words[at].group().lower() in OTHERS
        if draws.random() >= (closed if is_closed else 0.1):
            at += 1
            continue
        count = draws.choices((1, 2, 3), (8, 2, 1))[0]
        last = at
        while (
            last + 1 < min(at + count, len(words))
            and text[words[last].end() : words[last + 1].start()].isspace()
        ):
            last += 1
        masks = last - at + 1 if draws.random() < 0.9 else draws.randint(1, 3)
        hidden = " ".join([mask] * masks)
        if draws.random() < 0.1:  # Nothing is missing.
            hidden = f"{mask} {text[words[at].start() : words[last].end()]}"
        new[words[at].start(), words[last].end()] = hidden
        at = last + 2
    return rewritten(text, new)[0]


def wordpieces(texts: Sequence[str], size: int, *, lower: bool, positions: int) -> Any:
    """Make a tokenizer of letters and the most frequent words, with BERT's special tokens.

    A trainer of pieces would break ties by chance, and no model would be trained twice.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    normalizer = normalizers.BertNormalizer(lowercase=lower)
    divided = pre_tokenizers.BertPreTokenizer()
    normal = map(normalizer.normalize_str, texts)
    counts = Counter(word for text in normal for word, _ in divided.pre_tokenize_str(text))
    letters = sorted({letter for word in counts for letter in word})
    words = sorted(counts, key=lambda word: (-counts[word], word))
    names = list(_ROLES.values())
    pieces = dict.fromkeys([*names, *letters, *(f"##{letter}" for letter in letters), *words])
    vocabulary = {piece: number for number, piece in enumerate(list(pieces)[:size])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, divided
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(n, names.index(n)) for n in ("[CLS]", "[SEP]")]
    )
    roles = {f"{role}_token": name for role, name in _ROLES.items()}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=positions, **roles)


def _small(kind: str, tokenizer: Any, layers: int, width: int, positions: int, **more: Any) -> Any:
    """Build a model that drops nothing, whose weights are as large as such layers need."""
    return small_model(
        kind, len(tokenizer), width, layers, max(2, width // 64), intermediate_size=4 * width,
        max_position_embeddings=positions, pad_token_id=0, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, initializer_range=width**-0.5, **more,
    )  # fmt: skip


def _encoded(tokenizer: Any, texts: Sequence[str], max_length: int) -> tuple[Any, torch.Tensor]:
    """Return the tokens of texts, and where each begins and ends."""
    encoded = tokenizer(
        list(texts), padding=True, truncation=True, max_length=max_length,
        return_offsets_mapping=True, return_tensors="pt",
    )  # fmt: skip
    return encoded, encoded.pop("offset_mapping")


def train_detector(
    texts: Sequence[str], out: Path, *, layers: int, width: int, vocabulary: int, max_length: int,
    steps: int, batch_size: int, learning_rate: float,
) -> None:  # fmt: skip
    """Train a detector of replaced words, a new ELECTRA, for `MaskErratic(model=...)`.

    The loss is that of replaced-token detection: the binary cross-entropy of each token.
    """
    spoil = spoiler(texts)
    tokenizer = wordpieces(texts, vocabulary, lower=True, positions=max_length)
    model = _small(
        "ElectraForPreTraining", tokenizer, layers, width, max_length, embedding_size=width
    )

    def loss_of(batch: Sequence[str], draws: random.Random) -> torch.Tensor:
        spoilt = [spoil(text, draws) for text in batch]
        encoded, offsets = _encoded(tokenizer, [text for text, _ in spoilt], max_length)
        is_wrong = torch.zeros(offsets.shape[:2])
        for row, (_, spans) in enumerate(spoilt):
            for start, end in spans:
                is_wrong[row] += (offsets[row, :, 0] < end) & (offsets[row, :, 1] > start)
        counts = offsets[..., 1] > offsets[..., 0]
        logits = model(**encoded).logits.reshape(is_wrong.shape)
        return torch.nn.functional.binary_cross_entropy_with_logits(
            logits[counts], is_wrong.clamp(max=1)[counts]
        )

    _train(model, tokenizer, texts, loss_of, out, steps, batch_size, learning_rate)


def train_infiller(
    texts: Sequence[str], out: Path, *, kind: str, layers: int, width: int, vocabulary: int,
    max_length: int, steps: int, batch_size: int, learning_rate: float,
) -> None:  # fmt: skip
    """Train a model to fill masks, for `Infill(model=...)`.

    `seq2seq` is a new BART that begins by copying, and learns to write texts of which words are
    hidden: denoising, as BART is trained. `masked` is a new BERT: whole words are hidden, those of
    closed classes more often.
    """
    if kind == "masked":
        tokenizer = wordpieces(texts, vocabulary, lower=False, positions=max_length)
        model = _small("BertForMaskedLM", tokenizer, layers, width, max_length)
    else:
        tokenizer = _COPYING["byte_tokenizer"](texts, vocabulary, positions=max_length)
        mask = AddedToken("<mask>", lstrip=True, special=True)
        tokenizer.add_special_tokens({"mask_token": mask})
        model = _COPYING["copying_bart"](
            len(tokenizer), layers=layers, width=width, heads=max(2, width // 64),
            positions=max_length,
        )  # fmt: skip

    def loss_of(batch: Sequence[str], draws: random.Random) -> torch.Tensor:
        if kind == "seq2seq":
            gaps = [gapped(text, draws, tokenizer.mask_token) for text in batch]
            (given, _), (labels, _) = (
                _encoded(tokenizer, each, max_length) for each in (gaps, batch)
            )
            ids = labels["input_ids"].masked_fill(labels["attention_mask"] == 0, -100)
            return model(**given, labels=ids).loss
        encoded, offsets = _encoded(tokenizer, batch, max_length)
        ids = encoded["input_ids"]
        is_hidden = torch.zeros(ids.shape, dtype=torch.bool)
        for row, text in enumerate(batch):
            for word in _WORD.finditer(text):
                if draws.random() < (0.4 if word.group().lower() in OTHERS else 0.1):
                    begins, ends = offsets[row].T
                    is_hidden[row] |= (begins < word.end()) & (ends > word.start())
        is_hidden[:, 0] |= ~is_hidden.any()  # The loss of nothing is no number.
        encoded["input_ids"] = ids.masked_fill(is_hidden, tokenizer.mask_token_id)
        return model(**encoded, labels=ids.masked_fill(~is_hidden, -100)).loss

    _train(model, tokenizer, texts, loss_of, out, steps, batch_size, learning_rate)


def _train(
    model: Any, tokenizer: Any, texts: Sequence[str],
    loss_of: Callable[[Sequence[str], random.Random], torch.Tensor], out: Path, steps: int,
    batch_size: int, learning_rate: float,
) -> None:  # fmt: skip
    """Train a model by AdamW, texts of about one length in a batch, and save it."""
    model.train()
    rows, draws = sorted(texts, key=len), random.Random(0)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, weight_decay=0.01, fused=True
    )
    warmup = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warmup, max(0.02, (steps - step) / (steps - warmup + 1))),
    )
    for _ in range(steps):
        first = draws.randrange(max(1, len(rows) - batch_size))
        loss = loss_of(rows[first : first + batch_size], draws)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    for part in (model.eval(), tokenizer):
        part.save_pretrained(out)
