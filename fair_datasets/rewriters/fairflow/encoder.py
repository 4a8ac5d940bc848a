"""The encoder whose states are read, and its head if it has one that predicts words."""

from dataclasses import dataclass, replace

from fair_datasets.scores.models import load_model
from fair_datasets.scores.probes.load import probe_files
from fair_datasets.scores.probes.vectors import version_of
from fair_datasets.scores.scoring_model import ScoringModel
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import read_config
from fair_datasets.system.unreadable import told_if_unreadable
from fair_datasets.technique.digests import file_digests

OWNER = "FairFlow"


@dataclass(frozen=True)
class Encoder:
    """A frozen encoder.

    Attributes:
        states: The encoder with its tokenizer, which gives the states of the last layer.
        head: The same with the head of a masked language model; None without one.
        version: What tells it from others: the digests of its files, or its commit on the Hub.
    """

    states: ScoringModel
    head: ScoringModel | None
    version: str

    @property
    def width(self) -> int:
        """How many numbers a state has."""
        return int(self.states.model.config.get_text_config().hidden_size)


def load_encoder(model: str, decoder: str) -> Encoder:
    """Load an encoder.

    Args:
        model: Its Hub id or folder.
        decoder: `head` for a masked language model, `nearest` for any encoder, `auto` for the first
            where the model is one.

    Returns:
        The encoder.

    Raises:
        InputError: There is no such model, it has no head that is asked for, or a coupling cannot
            halve its states.

    Example:
        >>> load_encoder("./no-such-folder", "nearest")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: FairFlow: there is no folder './no-such-folder';
        check the path.
    """
    # The names of the files alone: a folder may be moved.
    files = probe_files(model, owner=OWNER)
    digests = file_digests({path.name: path for path in files.values()})
    head = None
    says_so = _says_it_has_a_head(model)
    if decoder == "head" or (decoder == "auto" and says_so):
        head = load_model(model, "masked", owner=OWNER)
        states = replace(head, model=head.model.base_model)
    else:
        states = load_model(model, "encoder", owner=OWNER)
    encoder = Encoder(states, head, version_of(model, digests))
    if encoder.width % 2:
        raise InputError(
            f"{OWNER}: the states of {model!r} have {encoder.width} numbers, which is odd, but the "
            "flow halves them; choose an encoder of even width."
        )
    return encoder


def _says_it_has_a_head(model: str) -> bool:
    """Tell whether a model's configuration says that it predicts masked tokens.

    Raises:
        InputError: It cannot be read; a Hub that does not answer is then asked for no more.
    """
    with told_if_unreadable(model, what="encoder", owner=OWNER):
        config = read_config(model)
    kinds = config.architectures or []
    return any(kind.endswith(("ForMaskedLM", "ForPreTraining")) for kind in kinds)
