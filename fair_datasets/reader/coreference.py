"""Whose is a pronoun? An encoder reads the text once; a small network judges each pair.

A pair is a pronoun and a person whom the text names, or calls by a noun. What is judged are the
encoder's vectors of the pronoun, of the person's nearest mention and of the nearest of anybody else
who is asked about, and where they stand. Where a text has one person whose pronoun it can be,
nothing is judged: it is theirs.
"""

from collections.abc import Iterator, Sequence, Set
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.encoder import Encoded, encoded, padded, precision
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.system.checks import caller_name, invalid, require
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import (
    folder_files,
    is_folder,
    on_gpu,
    positions_of,
    pretrained_file,
    read_pretrained,
    refuse_lost_gpu,
)

HEAD = "person_head.safetensors"
"""The file with the weights of the small network, beside those of the encoder."""
_MOST, _AT_ONCE, _WIDTH, _FEATURES = 512, 32, 96, 16
# What stands between the parts of a name: "Mary Ann", "Mrs. Hale".
_JOINS = frozenset({" ", ". "})
_MOST_READ = 2
_read: dict[tuple[Any, ...], "CoreferenceModel"] = {}


class Person(NamedTuple):
    """A person of a text.

    Attributes:
        mentions: The numbers of the mentions that name them, or call them by a noun.
        places: The first words of all that names them, surnames among it, in order.
    """

    mentions: Sequence[int]
    places: Sequence[int]


class Scene(NamedTuple):
    """A text, and what is asked of it: whose each of some pronouns is.

    Attributes:
        reading: The text with its mentions along one axis.
        people: The people whose they can be.
        pronouns: The numbers of the mentions that are asked about.
    """

    reading: Annotation
    people: Sequence[Person]
    pronouns: Sequence[int]


def person_named(annotation: Annotation, first: int, last: int) -> Person:
    """Return the person whom some words of a text name: all of the same name or noun is theirs.

    Returns:
        The person, with where they are called by their surname.

    Example:
        >>> from fair_datasets.reader.matching.find import find_table
        >>> from fair_datasets.reader.matching.rows import annotate_text
        >>> text = "Mary Hale saw Ann with her dog. Hale left her there."
        >>> person_named(annotate_text(text, find_table("gender")), 0, 0)
        Person(mentions=[0], places=[0, 7])
    """
    tokens = annotation.tokens
    here = [each for each in annotation.mentions if each.first <= last and first <= each.last]
    called = [_called(tokens, each) for each in here] or [last]
    names = {tokens.lower[k] for k in range(first, last + 1) if tokens.is_capitalised(k)}
    names -= {tokens.lower[each.last] for each in here}
    names |= {tokens.lower[k] for k in called}
    mentions, begins = [], [(first, last)]
    for number, each in enumerate(annotation.mentions):
        is_called = tokens.lower[_called(tokens, each)] in names
        if each in here or (each.term.entry.kind != "pronoun" and is_called):
            mentions.append(number)
            begins.append((each.first, each.last))
    taken = {k for each in annotation.mentions for k in range(each.first, each.last + 1)}
    inner, surnames = set(), set()
    for begin, end in begins:
        behind = _end_of_name(tokens, end, taken)
        inner |= {*range(begin + 1, behind + 1)}
        surnames |= {tokens.lower[behind]} if behind > end else set()
    places = {begin for begin, _ in begins}
    for place, word in enumerate(tokens.lower):
        if word in (surnames or names) and _stands_alone(tokens, place, taken):
            places.add(place)
    return Person(mentions, sorted(places - inner))


def people_of(annotation: Annotation, attribute: str) -> list[Person]:
    """Return the people of an attribute whom a text names, or calls by a noun, in order."""
    people: list[Person] = []
    for number, each in enumerate(annotation.mentions):
        entry = each.term.entry
        is_other = each.term.attribute != attribute or entry.kind == "pronoun" or entry.is_plural
        if is_other or entry.inflection == "adjective":
            continue
        if not any(number in person.mentions for person in people):
            people.append(person_named(annotation, each.first, each.last))
    return people


def unread_names(annotation: Annotation) -> list[Person]:
    """Return what may name others of whom the reader says nothing: other capitalised words.

    Each last word of a run of them is a person; none is what begins a sentence alone, nor the
    surname of somebody who is mentioned.
    """
    tokens = annotation.tokens
    taken = {k for each in annotation.mentions for k in range(each.first, each.last + 1)}
    runs: list[list[int]] = []
    for place in range(len(tokens.starts)):
        if not tokens.is_capitalised(place) or tokens.lower[place].split("'")[0] == "i":
            continue
        if runs and runs[-1][-1] == place - 1 and _end_of_name(tokens, place - 1) >= place:
            runs[-1].append(place)
        else:
            runs.append([place])
    known = {tokens.lower[k] for run in runs if not taken.isdisjoint(run) for k in run}
    names: dict[str, list[int]] = {}
    for run in runs:
        word = tokens.lower[run[-1]]
        if not tokens.opens_sentence(run[-1]) and word not in known:
            names.setdefault(word, []).append(run[-1])
    return [Person([], places) for places in names.values()]


def pronouns_of(annotation: Annotation, attribute: str) -> list[int]:
    """Return the numbers of the mentions of a text that are pronouns of an attribute."""
    return [
        number
        for number, each in enumerate(annotation.mentions)
        if each.term.attribute == attribute and each.term.entry.kind == "pronoun"
    ]


def _called(tokens: Tokens, mention: Mention) -> int:
    """Return the word that says who is mentioned: behind a title that of the name."""
    last = mention.last
    is_title = tokens.is_capitalised(last) and not mention.term.is_name
    return last + 1 if is_title and _end_of_name(tokens, last) > last else last


def _end_of_name(tokens: Tokens, last: int, taken: Set[int] = frozenset()) -> int:
    """Return the last word of a name that begins or goes on with a word."""
    end = last
    while (
        end + 1 < len(tokens.starts)
        and end + 1 not in taken
        and tokens.gap(end + 1) in _JOINS
        and tokens.is_capitalised(end + 1)
        and (tokens.gap(end + 1) == " " or len(tokens.lower[end]) <= len("mrs"))
    ):
        end += 1
    return end


def _stands_alone(tokens: Tokens, place: int, taken: Set[int]) -> bool:
    """Whether a surname is written without another name before it: no "John Hale"."""
    if place in taken or not tokens.is_capitalised(place):
        return False
    before = place - 1
    if before < 0 or not tokens.is_capitalised(before) or _end_of_name(tokens, before) == before:
        return True
    return before not in taken and tokens.opens_sentence(before)


def new_head(network: Any) -> Any:
    """Return a small network with random weights that judges pairs by the vectors of an encoder."""
    from torch import nn

    size = 10 * network.config.hidden_size + _FEATURES
    return nn.Sequential(nn.Linear(size, _WIDTH), nn.GELU(), nn.Linear(_WIDTH, 1))


def pair_logits(network: Any, head: Any, tokenizer: Any, scenes: Sequence[Scene]) -> list[Any]:
    """Judge the pairs of some texts, which the encoder reads together.

    Returns:
        For each text a tensor of logits, of which 0 is that of nobody. Shape (pronouns, people).
    """
    import torch

    vectors, where = _vectors(network, tokenizer, [scene.reading.tokens for scene in scenes])
    pairs = [
        (id(scene.reading.tokens), *_pair(scene, number, person))
        for scene in scenes
        for number in scene.pronouns
        for person in range(len(scene.people))
    ]
    places = [
        [where.get((text, word), where[text, -1]) for text, words, _ in pairs for word in words]
    ]
    rows, pieces = np.array(places).reshape(len(pairs), 3, 2).transpose(2, 1, 0)
    it, person, other = vectors[torch.from_numpy(rows), torch.from_numpy(pieces)]
    features = vectors.new_tensor([pair[2] for pair in pairs])
    logits = head(torch.cat([it, person, it * person, other, it * other, features], -1))[:, 0]
    shapes = [(len(scene.pronouns), len(scene.people)) for scene in scenes]
    parts = logits.split([one * other for one, other in shapes])
    return [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]


def _vectors(
    network: Any, tokenizer: Any, texts: Sequence[Tokens]
) -> tuple[Any, dict[tuple[int, int], tuple[int, int]]]:
    """Return an encoder's vectors, and where those of a text's word are; -1 for a word not read."""
    import torch

    longest = min(_MOST, positions_of(network) or _MOST)
    windows: list[Encoded] = []
    where: dict[tuple[int, int], tuple[int, int]] = {}
    own = {id(tokens): tokens for tokens in texts}
    for text, several in zip(own, encoded(tokenizer, list(own.values()), longest), strict=True):
        where[text, -1] = len(windows), 0
        for each in several:
            firsts = zip(each.words.tolist(), each.firsts.tolist(), strict=True)
            where |= {(text, word): (len(windows), first) for word, first in firsts}
            windows.append(each)
    inputs = padded(windows, int(tokenizer.pad_token_id or 0))
    del inputs["token_type_ids"]
    device = network.device
    with precision(device.type):
        states = network(
            **{name: each.to(device) for name, each in inputs.items()}, output_hidden_states=True
        ).hidden_states
    return torch.cat([states[2 * (len(states) - 1) // 3], states[-1]], -1).float(), where


def _pair(scene: Scene, number: int, person: int) -> tuple[tuple[int, int, int], list[float]]:
    """Return the words that a pair is judged by, and where they stand, as numbers of about 1."""
    tokens, it = scene.reading.tokens, scene.reading.mentions[number]
    place, own = it.first, scene.people[person].places
    before = [k for k in own if k < place]
    nearest = before[-1] if before else own[0]
    rivals = sorted(k for n, p in enumerate(scene.people) if n != person for k in p.places)
    earlier = [k for k in rivals if k < place]
    other = earlier[-1] if earlier else nearest
    low, high = sorted((nearest, place))
    sentences = sum(tokens.opens_sentence(k) for k in range(low + 1, high + 1))
    case = it.term.entry.inflection
    return (place, nearest, other), [
        np.log1p(high - low) / 3 * (1 if before else -1), float(bool(before)),
        min(sentences, 4) / 2, float(sentences == 0), len(before) / 2, len(own) / 2,
        float(bool(earlier) and other > nearest), sum(k < nearest for k in earlier) / 2,
        len(earlier) / 4, float(case == "subject"), float(case == "object"),
        float(case == "determiner"), float(nearest == 0 or tokens.opens_sentence(nearest)),
        float(tokens.opens_sentence(place)), len(rivals) / 4,
        float(own[0] < min(rivals, default=0)),
    ]  # fmt: skip


class CoreferenceQuery(NamedTuple):
    """A person of a row.

    Attributes:
        readings: The texts of the row with their mentions; None for one that is not read.
        place: In which of them the person is mentioned.
        mention: The mention.
    """

    readings: Sequence[Annotation | None]
    place: int
    mention: Mention

    def by_text(self) -> Iterator[tuple[Annotation | None, Mention | None]]:
        """Give the texts, with a mention of the person in each: that by the same word, if any."""
        own = self.readings[self.place]
        word = own.tokens.lower[self.mention.last] if own else ""
        is_pronoun = self.mention.term.entry.kind == "pronoun"
        for number, other in enumerate(self.readings):
            head = self.mention if number == self.place else None
            if other is not None and head is None and not is_pronoun:
                tokens = other.tokens
                head = next((m for m in other.mentions if tokens.lower[m.last] == word), None)
            yield other, head


class CoreferenceModel:
    """A model of whose the pronouns of a text are.

    Args:
        network: An encoder.
        head: The small network that judges pairs, as `new_head` makes it.
        tokenizer: The tokenizer of the encoder.
    """

    def __init__(self, network: Any, head: Any, tokenizer: Any) -> None:
        """Hold the networks."""
        self.network, self.head, self.tokenizer = network.eval(), head.eval(), tokenizer

    @classmethod
    def load(cls, name: str, *, revision: str | None = None) -> "CoreferenceModel":
        """Read a model, once per process unless its files change.

        Args:
            name: A folder or a Hub id, the id perhaps with a branch, tag or commit (`ada/who@v1`).
            revision: The branch, tag or commit on the Hub.

        Returns:
            The model, on a GPU if there is one.

        Raises:
            InputError: It cannot be found or read, has no safetensors, or is another model.
            MissingExtraError: torch or transformers is not installed.

        Example:
            >>> CoreferenceModel.load("./no-such-folder")
            Traceback (most recent call last):
            ...
            fair_datasets.InputError: CoreferenceModel: there is no folder './no-such-folder';
            check the path.
        """
        if not is_folder(name) and revision is None:
            name, _, branch = name.partition("@")
            revision = branch or None
        key = name, revision, file_digests(folder_files(name))
        model = _read.get(key)
        if model is None:
            require("models", owner=f"{caller_name()}: {name!r}")
            network, tokenizer = read_pretrained(
                name, "AutoModel", what="encoder", revision=revision
            )
            head = _read_head(name, network, tokenizer, revision)
            if len(_read) >= _MOST_READ:
                _read.clear()
            network = on_gpu(network, name)
            model = cls(network, head.to(network.device), tokenizer)
            _read[key] = model
        return model

    def shares(self, scenes: Sequence[Scene]) -> list[NDArray[np.float64]]:
        """Return how likely it is that pronouns are people's.

        Args:
            scenes: The texts. One with a single person is not read.

        Returns:
            For each text the probabilities; what is missing to 1 is nobody's of them. Shape
            (pronouns, people).
        """
        import torch

        if self.network.device.type == "cuda":
            refuse_lost_gpu()
        probabilities = [np.ones((len(each.pronouns), len(each.people))) for each in scenes]
        read = [k for k, each in enumerate(scenes) if each.pronouns and len(each.people) > 1]
        read.sort(key=lambda k: len(scenes[k].reading.tokens.text))
        for begin in range(0, len(read), _AT_ONCE):
            part = read[begin : begin + _AT_ONCE]
            with torch.inference_mode():
                several = pair_logits(
                    self.network, self.head, self.tokenizer, [scenes[k] for k in part]
                )
                for number, logits in zip(part, several, strict=True):
                    shares = torch.nn.functional.pad(logits, (1, 0)).softmax(-1)[:, 1:]
                    probabilities[number] = shares.cpu().numpy().astype(np.float64)
        return probabilities

    def mentions(self, asks: Sequence[tuple[Annotation, Mention]]) -> list[list[Mention]]:
        """Return for each text with a mention all mentions of the same person, in order."""
        scenes = [_scene(*each) for each in asks]
        return [
            _mentions(scene, shares, asked)
            for scene, shares, (_, asked) in zip(scenes, self.shares(scenes), asks, strict=True)
        ]

    def same(self, asks: Sequence[tuple[Annotation, Mention]]) -> list[dict[int, float]]:
        """Return for each text with a mention how likely each pronoun is of the same person.

        Pronouns are told by the numbers of their mentions: those of the attribute of the mention.
        None are told of where nobody named is likely to be the person.
        """
        scenes, answers = [_scene(*each) for each in asks], []
        for scene, shares, (annotation, asked) in zip(
            scenes, self.shares(scenes), asks, strict=True
        ):
            person = _whose(scene, shares).get(annotation.mentions.index(asked), -1)
            chances = shares[:, person].tolist() if person >= 0 else []
            answers.append(dict(zip(scene.pronouns, chances, strict=False)))
        return answers

    def mentions_in_rows(self, asks: Sequence[CoreferenceQuery]) -> list[list[list[Mention]]]:
        """Return for each row the mentions of its person in each of its texts.

        In the texts beside that of the mention, it is the same name or noun that is asked about.
        """
        texts = [list(each.by_text()) for each in asks]
        read = [(reading, head) for own in texts for reading, head in own if reading and head]
        mentions = iter(self.mentions(read))
        return [
            [next(mentions) if reading and head else [] for reading, head in own] for own in texts
        ]


def likeliest(shares: NDArray[np.float64]) -> list[int]:
    """Return whose pronouns most likely are.

    Args:
        shares: The probabilities of people, as of `PersonReader.shares`. Shape (pronouns, people).

    Returns:
        The number of a person for each pronoun; -1 for nobody of them.

    Example:
        >>> likeliest(np.array([[0.4, 0.35], [0.2, 0.1]]))
        [0, -1]
    """
    nobody = 1 - shares.sum(axis=1, keepdims=True)
    return [int(k) - 1 for k in np.concatenate([nobody, shares], axis=1).argmax(axis=1)]


def _scene(annotation: Annotation, asked: Mention) -> Scene:
    """Return what is asked of a text about a mention: of all pronouns of its attribute."""
    attribute = asked.term.attribute
    people = [*people_of(annotation, attribute), *unread_names(annotation)]
    return Scene(annotation, people, pronouns_of(annotation, attribute))


def _whose(scene: Scene, shares: NDArray[np.float64]) -> dict[int, int]:
    """Return the person of each mention, by the numbers of both; -1 for nobody of them."""
    own = {number: k for k, person in enumerate(scene.people) for number in person.mentions}
    return {**dict(zip(scene.pronouns, likeliest(shares), strict=True)), **own}


def _mentions(scene: Scene, shares: NDArray[np.float64], asked: Mention) -> list[Mention]:
    """Return the mentions of the person of a mention; of somebody unnamed, what is nobody's."""
    whose, mentions = _whose(scene, shares), scene.reading.mentions
    person = whose.get(mentions.index(asked), -1)
    return [
        each
        for number, each in enumerate(mentions)
        if each is asked
        or (whose.get(number) == person and each.term.attribute == asked.term.attribute)
    ]


def checked_coreference_model(value: Any, *, parameter: str = "model") -> str:
    """Return the name of a model as a string, or raise; nothing is loaded.

    Raises:
        InputError: It is no name, or there is no such folder.
    """
    if not isinstance(value, str | PathLike) or not str(value):
        raise invalid(
            f"{parameter} must be the folder or Hub id of a model that `fair-datasets "
            f"train person` wrote, but it is {value!r}."
        )
    folder_files(str(value), has_owner=True)
    return str(value)


def load_coreference_model(
    name: str, digests: tuple[tuple[str, str], ...], *, revision: str | None = None
) -> CoreferenceModel:
    """Read a model whose files are as they were when a technique took their digests; or raise.

    Raises:
        InputError: A file has changed, or `PersonReader.load` refuses.
    """
    if not set(file_digests(folder_files(name))) <= set(digests):
        raise invalid(
            f"a file of {name!r} has changed since the technique was made; make a new one."
        )
    return CoreferenceModel.load(name, revision=revision)


def _read_head(name: str, network: Any, tokenizer: Any, revision: str | None) -> Any:
    """Read the small network of a model, or raise if it has none that fits."""
    from safetensors.torch import load_file

    path, head = pretrained_file(name, HEAD, revision), new_head(network)
    try:
        if path is None or not tokenizer.is_fast:
            raise ValueError("there is none")
        head.load_state_dict(load_file(path))
    except (ValueError, RuntimeError) as error:
        raise invalid(
            f"{name!r} does not say whom a mention is about; train a model that does "
            "with `fair-datasets train person`."
        ) from error
    return head
