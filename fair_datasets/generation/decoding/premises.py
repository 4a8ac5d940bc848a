"""Whether a model can be decoded from a draft at all.

Two things have to be true of it: what it says of a token is decided by the tokens before it,
however many follow, and its decoder takes the encoder's states as the encoder gives them. Of a few
architectures, as they are written in transformers, one of them is not.
"""

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from fair_datasets.scores.scoring_model import ScoringModel

if TYPE_CHECKING:
    import torch

# Logits that differ by more are not the same but for rounding.
_TOLERANCE = 1e-2
_KNOWN: "WeakKeyDictionary[torch.nn.Module, bool]" = WeakKeyDictionary()


def takes_a_draft(loaded: ScoringModel, start: int) -> bool:
    """Tell whether a model can be decoded from a draft, by trying it on a few tokens.

    Args:
        loaded: The model.
        start: The token that its decoder starts with.

    Returns:
        Whether it can; it is tried once.
    """
    if loaded.model not in _KNOWN:
        _KNOWN[loaded.model] = _tried(loaded, start)
    return _KNOWN[loaded.model]


def _tried(loaded: ScoringModel, start: int) -> bool:
    """Compare what a model says of the first tokens, from the text and from its states."""
    import torch

    # Any tokens will do, but those that may be padding.
    last = loaded.model.get_input_embeddings().num_embeddings - 1
    tokens = [max(0, last - number) for number in range(4)]
    with loaded.scoring():
        ids = torch.tensor([tokens], device=loaded.model.device)
        options: dict[str, Any] = {"attention_mask": torch.ones_like(ids), "use_cache": False}
        states = loaded.model.get_encoder()(input_ids=ids, attention_mask=torch.ones_like(ids))
        given = type(states)(last_hidden_state=states.last_hidden_state)
        draft = torch.tensor([[start, *tokens]], device=loaded.model.device)
        few = loaded.model(input_ids=ids, decoder_input_ids=draft[:, :2], **options).logits
        many = loaded.model(encoder_outputs=given, decoder_input_ids=draft, **options).logits
        difference = (few - many[:, :2]).abs().max().item()
        return bool(difference <= _TOLERANCE * max(1.0, few.abs().max().item()))
