"""The client of an OpenAI-compatible server: one POST, its retries, and a sentence for each fault.

It is written on the standard library alone: a client of the Hub would send the Hub's token along,
and follow a redirect to another address with the texts.
"""

import http.client
import json
import logging
import os
import re
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from fair_datasets.system.checks import caller_name, invalid, one_line
from fair_datasets.system.retry import UnansweredError, seconds_until
from fair_datasets.version import __version__

KEY = "FAIR_DATASETS_API_KEY"
"""The environment variable of the key; without it no key is sent."""
TIMEOUT, MAX_WAIT = 60.0, 300.0
_REFUSED = frozenset({400, 413, 422})
_BUSY = frozenset({408, 429})
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
_LARGEST = 1 << 24
# Errors of name look-up that another try does not mend.
_NO_HOST = {getattr(socket, name, None) for name in ("EAI_NONAME", "EAI_NODATA")}

_log = logging.getLogger(__name__)


class EndpointError(UnansweredError):
    """A server gave no answer that can be used; what was answered before is kept."""


class StoppedError(Exception):
    """Another request has failed, so that this one is given up."""


class Reply(NamedTuple):
    """What came back of one try.

    Attributes:
        status: The status; 0 where there is none.
        message: What the server says of a fault, in a line, or why there is no answer.
    """

    status: int
    data: Mapping[str, Any]
    message: str = ""
    wait: float | None = None
    is_final: bool = True


def checked_address(value: Any, *, parameter: str = "endpoint") -> str:
    """Return the address of a server, without a slash at its end, or raise."""
    is_address = isinstance(value, str) and re.fullmatch(r"https?://[!-~]+", value) is not None
    try:
        parts = urlsplit(value if is_address else "")
        is_address = is_address and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_address = False
    if not is_address:
        shown = "what was given" if isinstance(value, str) and "@" in value else repr(value)
        raise invalid(
            f"{parameter} must be an address such as 'http://localhost:8000/v1', but it is {shown}."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise invalid(
            f"{parameter} must not contain a user name, password, query or fragment, "
            f"because it is written into cards; leave them out, and put the key into {KEY}."
        )
    address: str = value.rstrip("/")
    if address.endswith("/chat/completions"):
        raise invalid(f"{parameter} is the address up to /chat/completions; leave that ending out.")
    return address


def api_key() -> str:
    """Return the key of the environment; nothing if there is none."""
    key = os.environ.get(KEY, "").strip()
    if not re.fullmatch(r"[!-~]*", key):
        raise invalid(f"{KEY} holds a space or a character that no key has; set it again.")
    return key


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server, and how long it is waited for.

    Attributes:
        max_wait: For how many seconds a request is tried again after its first fault.
    """

    address: str
    timeout: float = TIMEOUT
    max_wait: float = MAX_WAIT
    takes_key: bool = True

    def post(self, body: Mapping[str, Any], stop: threading.Event) -> Reply:
        """Ask for a completion, again where the server is busy, down, silent or cut off.

        Returns:
            The answer; or what the server says where it refuses the request as such (400, 413 or
            422).
        """
        began, pause = 0.0, _FIRST_PAUSE
        while True:
            reply = self._tried(body)
            if reply.is_final:
                is_answer = reply.status == 200 and not (reply.message and not reply.data)
                if not is_answer and reply.status not in _REFUSED:
                    raise self.error(reply, body.get("model"))
                return reply
            now = time.monotonic()
            began = began or now
            remaining = began + self.max_wait - now
            if remaining <= 0:
                raise self.error(reply, body.get("model"))
            wait = min(remaining, reply.wait or pause)
            if pause == _FIRST_PAUSE:
                message = reply.message or reply.status
                _log.warning(
                    "%s: %s; asked again for up to %g s.", self.address, message, self.max_wait
                )
            if stop.wait(wait):
                raise StoppedError
            pause = min(2 * pause, _LONGEST_PAUSE)

    def error(self, reply: Reply, model: Any) -> EndpointError:
        """Return the error that ends the work, in one sentence."""
        message = ": ".join(filter(None, (str(reply.status or ""), reply.message)))
        if reply.status in (401, 402, 403):
            what = f"refuses to answer ({message})"
            if not self.takes_key:
                advice = "the key is sent to the endpoint alone, and not to a judge elsewhere"
            elif api_key():
                advice = f"check that the key in {KEY} is right and may use {model!r}"
            else:
                advice = f"put your key into the environment variable {KEY}"
        elif reply.status == 404:
            what = f"has no such page or model ({message})"
            advice = (
                f"check that it knows {model!r}, and that the address ends as its server says, "
                "most often in /v1"
            )
        elif reply.status in _REFUSED:
            what, advice = f"refuses what it is asked ({message})", "change the settings"
        elif reply.status == 200 and reply.is_final:
            what, advice = f"is no chat server ({message})", "give its address, most often with /v1"
        elif 300 <= reply.status < 400:
            what, advice = f"leads elsewhere ({message})", "give that address if you trust it"
        elif reply.is_final:
            what, advice = f"gives no answer ({message})", "check the address"
        else:
            what = f"gave no answer for {self.max_wait:g} s ({message})"
            advice = "check that it runs, and run the same again, or raise max_wait"
        return EndpointError(f"{caller_name()}: {self.address} {what}; {advice}.")

    def _tried(self, body: Mapping[str, Any]) -> Reply:
        """Ask once."""
        key = api_key() if self.takes_key else ""
        headers = {"Content-Type": "application/json", "User-Agent": f"fair-datasets/{__version__}"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            f"{self.address}/chat/completions", json.dumps(body).encode(), headers, method="POST"
        )
        end = time.monotonic() + self.timeout
        try:
            with urllib.request.build_opener(_AsItIs).open(
                request, timeout=self.timeout
            ) as response:
                return _reply(response, _read_body(response, end), key)
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            return self._unanswered(error)

    def _unanswered(self, error: Exception) -> Reply:
        why: Any = error.reason if isinstance(error, urllib.error.URLError) else error
        host = urlsplit(self.address).hostname
        if isinstance(why, socket.gaierror | UnicodeError):
            is_final = isinstance(why, UnicodeError) or why.errno in _NO_HOST
            return Reply(0, {}, f"there is no host {host!r}", is_final=is_final)
        if isinstance(why, ssl.SSLCertVerificationError):
            return Reply(0, {}, f"its certificate is not trusted: {why.verify_message}")
        if isinstance(why, ssl.SSLError):
            return Reply(0, {}, "it does not speak https; the address may begin with http://")
        if isinstance(why, TimeoutError):
            message = f"it did not answer within {self.timeout:g} s"
        elif isinstance(why, ConnectionRefusedError):
            message = "nobody listens there"
        else:
            message = "the connection was cut"
        return Reply(0, {}, message, is_final=False)


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Gives each reply as it is: no redirect takes texts and key to another address."""

    def http_response(self, request: Any, response: Any) -> Any:
        """Return the reply."""
        return response

    https_response = http_response


def _read_body(response: Any, end: float) -> bytes:
    """Read a body; raise where it is cut, endless or too slow."""
    parts, size = [], 0
    while chunk := response.read1(1 << 16):
        parts.append(chunk)
        size += len(chunk)
        if size > _LARGEST:
            raise http.client.HTTPException("too large")
        if time.monotonic() > end:
            raise TimeoutError
    if response.length:
        raise http.client.IncompleteRead(b"")
    return b"".join(parts)


def _reply(response: http.client.HTTPResponse, text: bytes, key: str) -> Reply:
    """Read a reply; one of 200 that is no object of JSON is tried again."""
    status, shown = response.status, text.decode("utf-8", "replace")
    if 300 <= status < 400:
        where = response.headers.get("Location", "").partition("?")[0]
        return Reply(status, {}, _line(where, key))
    try:
        data = json.loads(shown)
    except (ValueError, RecursionError):
        data = None
    is_page = shown.lstrip()[:1] == "<"
    # Some servers tell of a fault under the status 200.
    is_fault = status == 200 and not is_page
    if isinstance(data, dict):
        error = data.get("error")
        message = error.get("message") if isinstance(error, dict) else error
        message = message or data.get("message") or data.get("detail") or ""
        fault = message if isinstance(message, str) else json.dumps(message)
        is_fault = is_fault and bool(error) and not data.get("choices")
    else:
        data, fault = {}, "its answer is not a JSON object" if is_fault else shown
        fault = "it answers with a web page" if is_page else fault
    is_final = not is_fault and status not in _BUSY and status < 500
    return Reply(status, data, _line(fault, key), _retry_after(response.headers), is_final)


def _line(text: str, key: str = "") -> str:
    """Write what a server says as a short line without the key."""
    text = text.replace(key, "***") if key else text
    return one_line(text.strip().rstrip("."))


def _retry_after(headers: Any) -> float | None:
    """Return how many seconds a server asks to wait; None where it does not say."""
    after = str(headers.get("Retry-After") or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", after):
        return float(after)
    return float(seconds_until(after)) or None
