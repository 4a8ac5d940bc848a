"""How long the Hub is waited for; huggingface_hub itself waits for ever, or minutes for a file."""

import logging
import re
import sys
import time
from collections.abc import Generator
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from math import ceil
from typing import Any

from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, one_line

_READ, _WRITTEN, _LOOKED = 30.0, 120.0, 10.0
"""How many seconds may pass without a byte of what is read, of the answer to what is written, and
until it is known whether the Hub answers at all."""
_ASKED = 300
"""How many seconds are waited at most where the Hub asks for it; it counts requests for so long."""
_LEAST_REPORTED = 10
"""From how many seconds on it is told that they are waited."""
_KNOWN = 60
"""How many seconds it stays known whether the Hub answers."""

_log = logging.getLogger(__name__)


class UnansweredError(InputError):
    """Whoever is asked gives no answer; later, the same may go well, so what is done is kept."""


class BusyHubError(UnansweredError):
    """The Hub asks to wait for longer than anybody waits here; later, the same may go well."""


def retry_hub_requests() -> None:
    """Let no request to the Hub wait for ever, and each wait where the Hub asks for it.

    A client of the user's own that has limits keeps them.
    """
    from huggingface_hub import get_session

    client: Any = get_session()
    if client.auth is not None or client.timeout.read is not None:
        return
    hooks = client.event_hooks
    client.event_hooks = {**hooks, "request": [*hooks["request"], _limit]}
    # httpx is the client below huggingface_hub 1, httpx2 below 2.
    kind = sys.modules[type(client).__module__.partition(".")[0]].Auth
    client.auth = type("_Patience", (kind,), {"sync_auth_flow": _resend})()


def hub_answers() -> bool:
    """Whether the Hub answers, so that not each file is waited for in vain.

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


def _resend(self: Any, request: Any) -> Generator[Any, Any, None]:
    """Send a request again, once the time has passed that the Hub asks to wait."""
    # What is read from a file or a generator is sent again by huggingface_hub, which goes back in
    # it.
    waited = 0
    while True:
        response = yield request
        seconds = retry_after(response)
        waited += seconds
        if waited > _ASKED:
            asked = f"{response.status_code} of {_address(request)}"
            raise BusyHubError(
                f"The Hub asks to wait {seconds:,} s ({asked}); run the same again then."
            )
        if seconds >= _LEAST_REPORTED:
            _log.warning("The Hub asks to wait %s s.", seconds)
        if not seconds or type(request.stream).__name__ != "ByteStream":
            return
        _sleep(seconds)


def _sleep(seconds: int) -> None:
    """Wait, and end the work if a signal comes meanwhile."""
    end = time.monotonic() + seconds
    while (remaining := end - time.monotonic()) > 0:
        interrupts.raise_if_interrupted()
        time.sleep(min(remaining, interrupts.LOOK))


def _limit(request: Any) -> None:
    """Set the limits that a request has not."""
    longest = _READ if request.method in ("GET", "HEAD") else _WRITTEN
    limits = {"connect": _LOOKED, "read": longest, "write": longest}
    asked = request.extensions.get("timeout", {})
    request.extensions["timeout"] = {
        **asked, **{part: limit for part, limit in limits.items() if asked.get(part) is None}
    }  # fmt: skip


def answer_of(error: BaseException) -> str:
    """Return what the Hub answered, and to what.

    Returns:
        The status, the address without what may be secret in it, and what was said, such as "404
        of https://huggingface.co/api/models/ada/fair: gone"; the address alone where there is no
        answer, and nothing where the error is none of a request.
    """
    response = getattr(error, "response", None)
    request = None
    with suppress(RuntimeError):  # The client raises it where there was no request.
        request = getattr(error if response is None else response, "request", None)
    if request is None:
        return ""
    address = _address(request)
    if response is None:
        return address
    message = one_line(getattr(error, "server_message", None) or "")
    return f"{response.status_code} of {address}" + (f": {message}" if message else "")


def _address(request: Any) -> str:
    """Return the address of a request, without a password or a signature."""
    return re.sub("//[^/]*@", "//", str(request.url).partition("?")[0])


def retry_after(response: Any) -> int:
    """Return how many seconds the Hub asks to wait; 0 if it does not ask."""
    from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined]

    if response.status_code not in (429, 503):
        return 0
    limit = parse_ratelimit_headers(response.headers)
    if response.status_code == 429 and limit is not None and not limit.remaining:
        return max(1, int(limit.reset_in_seconds))
    after = response.headers.get("Retry-After", "").strip()
    if not after.isdecimal():
        return seconds_until(after)
    return max(1, int(after))


def seconds_until(date: str) -> int:
    """Return how many seconds pass until a date of HTTP.

    Returns:
        At least 1; 0 if it is no date.
    """
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return 0
    return max(1, ceil((then - datetime.now(then.tzinfo)).total_seconds()))
