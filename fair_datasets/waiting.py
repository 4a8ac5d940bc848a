"""How long the Hub is waited for; huggingface_hub itself waits for ever, or minutes for a file."""

import logging
import time
from functools import lru_cache
from typing import Any

from fair_datasets.checks import InputError

_READ, _WRITTEN, _LOOKED = 30.0, 120.0, 10.0
"""How many seconds may pass without a byte of what is read, of the answer to what is written, and
until it is known whether the Hub answers at all."""
_ASKED = 300
"""How many seconds are waited at most where the Hub asks for it; it counts requests for so long."""
_TOLD = 10
"""From how many seconds on it is told that they are waited."""
_KNOWN = 60
"""How many seconds it stays known whether the Hub answers."""

_log = logging.getLogger(__name__)


def limit_waiting() -> None:
    """Let no request to the Hub wait for ever, unless the user has chosen a client of one's own."""
    from huggingface_hub import set_client_factory
    from huggingface_hub.utils import _http

    if _http._GLOBAL_CLIENT_FACTORY is _http.default_client_factory:
        set_client_factory(_client)


def hub_answers() -> bool:
    """Tell whether the Hub answers, so that not each file is waited for in vain.

    Returns:
        Whether it does, as of the last minute. Where HF_HUB_OFFLINE is set, it is not asked.
    """
    from huggingface_hub import constants

    return constants.HF_HUB_OFFLINE or _answers(constants.ENDPOINT, time.monotonic() // _KNOWN)


@lru_cache(maxsize=1)
def _answers(endpoint: str, minute: float) -> bool:
    """Ask for the page at the top; whatever the answer is, it is one."""
    from huggingface_hub import get_session

    try:
        get_session().head(endpoint, timeout=_LOOKED)
    except Exception as error:
        # httpx is the client below huggingface_hub 1, httpx2 below 2.
        if any(kind.__name__ == "TransportError" for kind in type(error).__mro__):
            return False
        raise
    return True


def _client() -> Any:
    """Return the client of huggingface_hub, with limits."""
    from huggingface_hub.utils import _http

    client = _http.default_client_factory()
    hooks = client.event_hooks
    client.event_hooks = {
        "request": [*hooks["request"], _limit],
        "response": [*hooks["response"], _refuse_long_wait],
    }
    return client


def _limit(request: Any) -> None:
    """Set the limits that a request has not."""
    longest = _READ if request.method in ("GET", "HEAD") else _WRITTEN
    limits = {"connect": _LOOKED, "read": longest, "write": longest}
    asked = request.extensions.get("timeout", {})
    request.extensions["timeout"] = {
        **asked, **{part: limit for part, limit in limits.items() if asked.get(part) is None}
    }  # fmt: skip


def _refuse_long_wait(response: Any) -> None:
    """Tell that the Hub asks to wait, or raise where that is long."""
    seconds = asked_to_wait(response)
    if seconds > _ASKED:
        raise InputError(
            f"The Hub asks to wait {seconds:,} s ({response.status_code}); run the same again then."
        )
    if seconds >= _TOLD:
        _log.warning("The Hub asks to wait %s s.", seconds)


def asked_to_wait(response: Any) -> int:
    """Return how many seconds the Hub asks to wait.

    Args:
        response: Its answer.

    Returns:
        The number; 0 if it does not ask.
    """
    from huggingface_hub.utils._http import parse_ratelimit_headers

    if response.status_code not in (429, 503):
        return 0
    limit = parse_ratelimit_headers(response.headers)
    if response.status_code == 429 and limit is not None and not limit.remaining:
        return int(limit.reset_in_seconds)
    after = response.headers.get("Retry-After", "").strip()
    return int(after) if after.isdecimal() else 0
