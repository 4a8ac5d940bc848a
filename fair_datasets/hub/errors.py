"""What goes wrong between here and the Hub, told in sentences that hold no token."""

from collections.abc import Iterator
from contextlib import contextmanager

from fair_datasets.hub.ids import HubId
from fair_datasets.system.checks import InputError, chain
from fair_datasets.system.waiting import answer_of, asked_to_wait

_TOKENS = "https://huggingface.co/settings/tokens"


@contextmanager
def told(target: HubId, *, writes: bool = False, hint: str = "") -> Iterator[None]:
    """Raise the failures of the Hub and of the network as an `InputError`."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        for cause in chain(error):
            if isinstance(cause, InputError):
                raise cause from error
            if sentence := _sentence(cause, target, writes, hint):
                raise InputError(sentence) from error
        raise


def not_accepted(said: str) -> str:
    """Say that the Hub does not accept the metadata of a card.

    Example:
        >>> not_accepted('"license" must be one of [mit]')
        'The Hub does not accept the metadata of the card ("license" must be one of [mit]); state
        the licence by its id (--licence), or repair the card.'
    """
    return (
        f"The Hub does not accept the metadata of the card ({' '.join(said.split())[:200]}); state "
        "the licence by its id (--licence), or repair the card."
    )


def require_token() -> None:
    """Raise unless huggingface_hub has a token that can be sent."""
    from huggingface_hub import get_token

    if not get_token():
        raise InputError(
            "You are not logged in to the Hub; run `hf auth login`, or set HF_TOKEN to a token "
            f"that may write (make one at {_TOKENS})."
        )
    refuse_broken_token()


def refuse_broken_token() -> None:
    """Raise if huggingface_hub has a token that cannot be sent."""
    from huggingface_hub import get_token

    token = get_token() or ""
    # A header that cannot be sent is quoted in the error of the library that sends it.
    if not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(
            "The token of the Hub holds characters that no token has; run `hf auth login` again, "
            "or set HF_TOKEN again."
        )


def _sentence(cause: BaseException, target: HubId, writes: bool, hint: str) -> str:
    """Say what an exception means; nothing if it is not about the Hub."""
    from huggingface_hub import constants, errors, get_token

    where, answer = f"{target.kind} {target.name}", answer_of(cause)
    answered = f" ({answer})" if answer else ""
    rest = ": what is stored already is not sent again." if writes else "."
    hint = f" {hint}" if hint else ""
    if isinstance(cause, errors.GatedRepoError):
        return (
            f"The {where} is gated; accept its terms on its page on the Hub, and log in with "
            f"`hf auth login`{answered}."
        )
    if isinstance(cause, errors.RepositoryNotFoundError):
        access = (
            "your token may not read it (see `hf auth whoami`)"
            if get_token()
            else "you are not logged in (run `hf auth login`, or set HF_TOKEN)"
        )
        return f"There is no {where} on the Hub, or it is private and {access}{answered}."
    if isinstance(cause, errors.RevisionNotFoundError):
        return (
            f"The {where} has no revision {target.revision or 'main'!r}; name a branch, a tag or "
            f"a commit that it has{answered}."
        )
    if isinstance(cause, errors.HfHubHTTPError):
        return _status_sentence(cause, where, answered, writes=writes, rest=rest)
    if isinstance(cause, ValueError) and str(cause).startswith("Invalid metadata in README.md"):
        return not_accepted(str(cause))
    # huggingface_hub writes no file whose name leads out of the folder that it is to lie in.
    if isinstance(cause, ValueError) and str(cause).startswith("Invalid filename"):
        return (
            f"The {where} holds a file whose name leads out of it, and is not downloaded; tell "
            "its owner."
        )
    if isinstance(cause, errors.OfflineModeIsEnabled):
        return (
            f"HF_HUB_OFFLINE is set, so the {where} cannot be reached; unset it to go online.{hint}"
        )
    # httpx is the client below huggingface_hub 1, httpx2 below 2.
    is_missing = isinstance(cause, errors.LocalEntryNotFoundError) and cause.__cause__ is None
    if (
        is_missing
        or isinstance(cause, ConnectionError)
        or any(parent.__name__ == "TransportError" for parent in type(cause).__mro__)
    ):
        at = constants.ENDPOINT if is_missing else answer
        return (
            "The Hub could not be reached, or the connection broke off "
            f"({type(cause).__name__}{f' at {at}' if at else ''}); check the network and run the "
            f"same again{rest}{hint}"
        )
    return ""


def _status_sentence(
    error: "Exception", where: str, answered: str, *, writes: bool, rest: str
) -> str:
    """Say what the status of an answer of the Hub means."""
    response = getattr(error, "response", None)
    match getattr(response, "status_code", None):
        case 401:
            return (
                f"The Hub does not accept your token{answered}; run `hf auth login` again, or set "
                f"HF_TOKEN to one of {_TOKENS}."
            )
        case 403 if writes:
            return (
                f"Your token may not write to the {where}{answered}; use one that may write, and "
                "a name of your own or of an organisation that you belong to."
            )
        case 403:
            return (
                f"You may not read the {where}{answered}; log in as somebody who may (see `hf auth "
                "whoami`)."
            )
        case 404:
            return (
                f"The Hub does not find what was asked for of the {where}{answered}; check the "
                "names, and HF_ENDPOINT if it is set."
            )
        case 409 | 412:
            return (
                f"The {where} was changed by someone else meanwhile{answered}; run the same again."
            )
        case 429:
            seconds = asked_to_wait(response)
            then = f" {seconds:,} s: too many requests{answered}; run the same again then."
            later = f": too many requests{answered}; run the same again later."
            return f"The Hub asks to wait{then if seconds else later}"
        case _:
            return (
                f"The Hub answered with an error{answered} for the {where}; run the same again "
                f"later{rest}"
            )
