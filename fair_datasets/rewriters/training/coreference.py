"""Training the model that tells whose a pronoun is, and measuring it on pages it never read."""

import csv
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.cards.model import model_card
from fair_datasets.cards.report.tables import markdown_table
from fair_datasets.cards.statements import Measured
from fair_datasets.reader.coreference import (
    HEAD,
    CoreferenceModel,
    Scene,
    likeliest,
    new_head,
    pair_logits,
    people_of,
    person_named,
    unread_names,
)
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.training.rows import share
from fair_datasets.rewriters.training.config import CoreferenceConfig, TrainingConfig
from fair_datasets.rewriters.training.work import fixed_seed
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting.counterfactuals import Edit, apply_edits
from fair_datasets.system.checks import InputError, invalid, require
from fair_datasets.system.portable import strip_folders
from fair_datasets.system.pretrained import read_pretrained
from fair_datasets.system.resume import claim_folder

require("training", owner="The training of a person model")

import torch  # noqa: E402

from fair_datasets.rewriters.training.trainer import KeyedTrainer  # noqa: E402

GAP = "coreference/gap_development.tsv"
"""The file of pronouns with two names, in the folder of the shared data."""
HELD_BACK = 0.2
"""The share of the pages of GAP that no training reads."""
_OTHER = {"man": "woman", "woman": "man"}
_SWAPPED = {("gender", gender): other for gender, other in _OTHER.items()}


class Example(NamedTuple):
    """A pronoun and a person.

    Attributes:
        key: The page of which the text is.
        scene: The text, with one pronoun; the person is the first of its people.
    """

    key: str
    scene: Scene
    answer: bool


class _Question(NamedTuple):
    """A row of GAP: the pronoun's offset, and of each name the offset and whether it is meant."""

    text: str
    page: str
    pronoun: int
    names: tuple[tuple[int, int, bool], ...]

    def swapped(self, edits: Sequence[Edit], text: str) -> "_Question":
        """Return the same about a text in which genders are swapped."""
        names = tuple(
            (_moved(start, edits), _moved(end, edits), meant) for start, end, meant in self.names
        )
        return self._replace(text=text, pronoun=_moved(self.pronoun, edits), names=names)


def gender_table() -> TermTable:
    """Return the terms of gender, names among them."""
    return find_table("gender")


def gap_examples(folder: Path, *, swapped: bool = False) -> Iterator[Example]:
    """Read the questions of GAP, one for each of the two names."""
    questions, table = list(_questions(folder)), gender_table()
    if swapped:
        questions = list(_swapped(questions, table, lambda annotation, _: annotation.mentions))
    return _examples(questions, table)


def other_gender_examples(folder: Path) -> Iterator[Example]:
    """Read the questions of GAP about the name that is meant, the other name of a gender else."""
    questions, table = list(_questions(folder)), gender_table()
    questions = [each for each in questions if sum(meant for *_, meant in each.names) == 1]
    questions = list(_swapped(questions, table, _mentions_of_other))
    meant = [
        each._replace(names=tuple(name for name in each.names if name[2])) for each in questions
    ]
    return _examples(meant, table)


def _mentions_of_other(annotation: Annotation, question: _Question) -> list[Mention]:
    """Return the mentions of the name that is not meant."""
    (other,) = (name for name in question.names if not name[2])
    words = {
        annotation.tokens.lower[m.first]
        for m in annotation.mentions
        if m.term.is_name and other[0] <= annotation.tokens.starts[m.first] < other[1]
    }
    return [m for m in annotation.mentions if annotation.tokens.lower[m.first] in words]


def _questions(folder: Path) -> Iterator[_Question]:
    """Read the rows of GAP."""
    path = folder / GAP
    if not path.exists():
        raise InputError(f"train person: {folder} has no file {GAP}; check --data.")
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            names = []
            for name in "AB":
                start = int(row[f"{name}-offset"])
                meant = row[f"{name}-coref"].upper() == "TRUE"
                names.append((start, start + len(row[name]), meant))
            offset = int(row["Pronoun-offset"])
            yield _Question(row["Text"], row["URL"], offset, tuple(names))


def _swapped(
    questions: Sequence[_Question],
    table: TermTable,
    mentions: Callable[[Annotation, _Question], Sequence[Mention]],
) -> Iterator[_Question]:
    """Swap the genders of some mentions of texts; yield the questions about what comes of them."""
    for number, annotation in _annotated_texts([each.text for each in questions], table):
        question = questions[number]
        own = annotation._replace(mentions=list(mentions(annotation, question)))
        (edits,) = swap_row([own], _SWAPPED)
        if edits:
            yield question.swapped(edits, apply_edits(question.text, edits))


def _examples(questions: Sequence[_Question], table: TermTable) -> Iterator[Example]:
    """Ask of each name of a question whether the pronoun is theirs."""
    for number, annotation in _annotated_texts([each.text for each in questions], table):
        question = questions[number]
        several = (_example(annotation, question, name) for name in question.names)
        yield from (example for example in several if example is not None)


def _example(
    annotation: Annotation, question: _Question, name: tuple[int, int, bool]
) -> Example | None:
    """Ask of a name whether the pronoun is theirs; None where the reader finds no pronoun."""
    starts, (start, end, meant) = annotation.tokens.starts, name
    words = [k for k, place in enumerate(starts) if start <= place < end]
    asked = [
        number
        for number, each in enumerate(annotation.mentions)
        if starts[each.first] == question.pronoun and each.term.entry.kind == "pronoun"
    ]
    if not words or not asked:
        return None
    person = person_named(annotation, words[0], words[-1])
    attribute = annotation.mentions[asked[0]].term.attribute
    known = {annotation.tokens.lower[k] for k in [*person.places, *words]}
    others = [
        other
        for other in [*people_of(annotation, attribute), *unread_names(annotation)]
        if not any(annotation.tokens.lower[k] in known for k in other.places)
    ]
    return Example(question.page, Scene(annotation, [person, *others], asked), meant)


def _annotated_texts(texts: Sequence[str], table: TermTable) -> Iterator[tuple[int, Annotation]]:
    """Read texts; give the number of each in which something is found."""
    for number, (reading,) in mentions_in_rows([(text,) for text in texts], [table]):
        if reading is not None:
            yield number, reading


def _moved(offset: int, edits: Sequence[Edit]) -> int:
    """Return where a place of a text is after edits."""
    return offset + sum(len(e.after) - len(e.before) for e in edits if e.end <= offset)


REPORT = "report.json"
# So many words has a text at most that is trained on: long ones take time and teach no more.
_LONGEST = 80
# Word vectors and the first layers stay: they take time, and know words alone.
_STAYS = re.compile(r"embeddings|\blayer\.[01]\.")
_BATCH, _WARM_UP, _LEAST = 16, 20, 0.03
STEPS = 25
"""After how many steps the state is kept."""
_RATE, _HEAD_RATE = 1.5e-4, 1e-3
_LIMITS = [
    "- With two people of one gender, it gives some pronouns to the wrong one: see above how many.",
    "- It knows English, and women and men: on other axes it uses what it learnt from these.",
]


def train_coreference(
    config: CoreferenceConfig, work: Path, out: Path, command: str = ""
) -> dict[str, Any]:
    """Train the model, and write it with its card and its figures.

    Args:
        work: The folder in which it keeps what it takes to go on.

    Returns:
        The figures that are written as `report.json`.

    Raises:
        InputError: The texts are missing, or the work folder is of other settings or texts.
    """
    from safetensors.torch import save_file

    gap = [list(gap_examples(config.data, swapped=swapped)) for swapped in (False, True)]
    held_out = list(other_gender_examples(config.data))
    read = [_by_text([each for each in several if _is_read(each)]) for several in gap]
    if not read[0]:
        raise invalid(f"{config.data} has no texts to train on; check --data.")
    network, tokenizer = read_pretrained(config.base, "AutoModel", what="encoder")
    began = time.process_time()
    settings = {**config._asdict(), "data": _digest(read)}
    batches = [
        batch
        for epoch in range(config.epochs)
        for batch in _batches(read[epoch % len(read)], [config.seed, epoch])
    ]
    with (
        fixed_seed(config.seed),
        claim_folder(work / "settings.json", settings, what="a person model"),
    ):
        head = new_head(network)
        CoreferenceTrainer(network, head, tokenizer, batches, config.seed, work).resume()
    seconds = time.process_time() - began
    model = CoreferenceModel(network, head, tokenizer)
    report = {
        "settings": {**config._asdict(), "data": "", "base": strip_folders(config.base)},
        "rows": sum(map(len, read)),
        "seconds": round(seconds),
        "figures": [
            figures("two of one gender", model, _held_back(gap[0])),
            figures("the other of another gender", model, _held_back(held_out)),
        ],
    }
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)
    weights = {name: each.contiguous() for name, each in head.state_dict().items()}
    save_file(weights, out / HEAD, {"format": "pt"})
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    (out / "README.md").write_text(_card(out, config, report, command), "utf-8")
    return report


def figures(texts: str, model: CoreferenceModel, examples: Sequence[Example]) -> dict[str, Any]:
    """Judge a model, beside two baselines.

    Returns:
        How many decisions there are, the share that is right, that of taking every pronoun for the
        person's and that of taking those to whom the person is nearest, and how many texts are
        read in a second.
    """
    began = time.perf_counter()
    shares = model.shares([each.scene for each in examples])
    seconds = time.perf_counter() - began
    chosen = np.array([likeliest(own)[0] == 0 for own in shares], np.bool_)
    answers = np.array([each.answer for each in examples], np.bool_)
    nearest = np.array([_is_nearest(each.scene) for each in examples], np.bool_)
    right = {"right": chosen == answers, "all are": answers, "the nearest is": nearest == answers}
    return {
        "texts": texts,
        "decisions": len(examples),
        **{
            name: round(float(held.mean()), 3) if examples else None for name, held in right.items()
        },
        "rows/s": round(len(examples) / seconds) if examples else None,
    }


def _is_nearest(scene: Scene) -> bool:
    """Whether the first person of a text is the nearest before its pronoun."""
    place = scene.reading.mentions[scene.pronouns[0]].first
    last = [max((k for k in each.places if k < place), default=-1) for each in scene.people]
    return last[0] == max(last)


def _held_back(examples: Sequence[Example]) -> list[Example]:
    """Return the examples that no training reads: those of some pages."""
    return [each for each in examples if share(each.key) < HELD_BACK]


def _is_read(example: Example) -> bool:
    """Whether a training reads an example."""
    is_short = len(example.scene.reading.tokens.starts) <= _LONGEST
    return is_short and len(example.scene.people) > 1 and share(example.key) >= HELD_BACK


def _by_text(examples: Sequence[Example]) -> list[list[Example]]:
    """Put the examples of a text together, which the encoder reads once."""
    groups: dict[tuple[str, int], list[Example]] = {}
    for each in examples:
        key = each.scene.reading.tokens.text, each.scene.pronouns[0]
        groups.setdefault(key, []).append(each)
    return list(groups.values())


class CoreferenceTrainer(KeyedTrainer):
    """Trains an encoder and a head on batches that are put together already.

    Without dropout it takes half the time, and sees no text often enough to need any.
    """

    def __init__(
        self, network: Any, head: Any, tokenizer: Any, batches: Sequence[Sequence[Example]],
        seed: int, work: Path,
    ) -> None:  # fmt: skip
        """Make the Trainer."""
        model = torch.nn.ModuleDict({"network": network, "head": head})
        model.to("cuda" if torch.cuda.is_available() else "cpu")
        for name, each in network.named_parameters():
            each.requires_grad_(_STAYS.search(name) is None)
        for module in network.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        groups: list[dict[str, Any]] = [
            {"params": [each for each in network.parameters() if each.requires_grad]},
            {"params": list(head.parameters()), "lr": _HEAD_RATE},
        ]
        optimizer = torch.optim.AdamW(groups, _RATE, weight_decay=0.01, fused=True)
        count = len(batches)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda k: min(1, (k + 1) / _WARM_UP) * max(_LEAST, 1 - k / count)
        )
        super().__init__(
            TrainingConfig(out=work, epochs=1, batch_size=1, rows_at_once=1, seed=seed),
            model=model, train=range(count), work=work, title="Training the person model",
            optimizers=(optimizer, schedule),
            data_collator=lambda numbers: {"number": numbers[0]},
            arguments={"save_steps": STEPS, "remove_unused_columns": False, "bf16": False},
        )  # fmt: skip
        self._tokenizer, self._batches = tokenizer, batches

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        """Return the order of the batches, which is theirs."""
        return range(len(self._batches))

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return how far what is said of each pronoun is from whether it is the first person's."""
        batch = self._batches[inputs["number"]]
        scenes = [each.scene for each in batch]
        odds = torch.stack(
            [
                own[0, 0] - torch.nn.functional.pad(own[0, 1:], (1, 0)).logsumexp(0)
                for own in pair_logits(model["network"], model["head"], self._tokenizer, scenes)
            ]
        )
        answers = torch.tensor([float(each.answer) for each in batch], device=odds.device)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, answers)
        return (loss, odds) if return_outputs else loss


def _digest(read: Sequence[Sequence[list[Example]]]) -> str:
    """Return a digest of the texts that are trained on, and of the answers."""
    digest = blake2b(digest_size=16)
    for each in chain.from_iterable(chain.from_iterable(read)):
        scene = each.scene
        people = [list(person.places) for person in scene.people]
        digest.update(repr((scene.reading.tokens.text, people, each.answer)).encode())
    return digest.hexdigest()


def _batches(texts: Sequence[list[Example]], seed: Sequence[int]) -> Iterator[list[Example]]:
    """Yield the texts of an epoch in an order of its own; those of a batch are about as long."""
    draws = np.random.default_rng(seed)
    order = draws.permutation(len(texts))
    lengths = np.array([len(each[0].scene.reading.tokens.starts) for each in texts])
    chunks: list[Any] = []
    for begin in range(0, len(order), 10 * _BATCH):
        part = order[begin : begin + 10 * _BATCH]
        part = part[np.argsort(lengths[part], kind="stable")]
        chunks += [part[k : k + _BATCH] for k in range(0, len(part), _BATCH)]
    for number in draws.permutation(len(chunks)):
        yield [each for k in chunks[number] for each in texts[k]]


def _card(out: Path, config: CoreferenceConfig, report: Mapping[str, Any], command: str) -> str:
    measured = [
        Measured(f"decisions right, {each['texts']}", each["right"], each["all are"],
                 "GAP, pages held back", "before: all pronouns are the person's")
        for each in report["figures"] if each["decisions"]
    ]  # fmt: skip
    return model_card(
        title=out.absolute().name,
        base_model=config.base,
        training_data="GAP (development), and the same with women for men",
        command=command,
        task="feature-extraction",
        metadata={"language": ["en"], "tags": ["coreference"]},
        measured=measured,
        sections={
            "Use": [
                "It says of each pronoun of a text whose it is: "
                "`PersonSwap(columns=\"text\", model=...)`.",
            ],
            "Evaluation": [markdown_table(report["figures"])],
            "What it gets wrong": _LIMITS,
        },
    )  # fmt: skip
