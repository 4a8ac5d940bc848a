"""Who may write what, as far as the Hub says it beforehand."""

import traceback
from typing import Any

import pytest

from fair_datasets import BiasScore
from fair_datasets.hub import HubId, hub_id, pull_model, push_dataset
from fair_datasets.hub.repositories import refuse_owner, translate_hub_errors
from fair_datasets.system.checks import InputError

ORGS = [{"name": "club", "roleInOrg": "write"}, {"name": "readers", "roleInOrg": "read"}]


def user(role: str | None) -> dict[str, Any]:
    """Return what the Hub says of Ada, with a token of some kind."""
    token = {"type": "access_token", "accessToken": {"role": role}} if role else {"type": "oauth"}
    return {"name": "ada", "orgs": ORGS, "auth": token}


@pytest.mark.parametrize("name", ["ada/x", "club/x"])
@pytest.mark.parametrize("role", ["write", "fineGrained", None])
def test_what_is_ones_own(name: str, role: str | None) -> None:
    """A user writes to her own name, and to an organisation in which she may."""
    refuse_owner(HubId("dataset", name), user(role))


@pytest.mark.parametrize("name", ["bob/x", "readers/x"])
def test_what_is_somebody_elses(name: str) -> None:
    """It is told beforehand; pull requests are open to all, and some tokens tell too little."""
    with pytest.raises(InputError, match=f"may not write to the dataset {name}: it belongs to ada"):
        refuse_owner(HubId("dataset", name), user("write"))
    refuse_owner(HubId("dataset", name), user("write"), create_pr=True)
    for role in ("fineGrained", None):
        refuse_owner(HubId("dataset", name), user(role))


REVIEWS = HubId("dataset", "ada/reviews")


def failure(kind: str, status: int) -> Exception:
    """Make the exception that huggingface_hub raises for an answer."""
    from huggingface_hub import errors
    from huggingface_hub.utils import get_session

    client = get_session()
    request = client.build_request("GET", "http://127.0.0.1/api", headers={"X": "hf_secret"})
    # The class of the answer is that of the client below huggingface_hub: httpx or httpx2.
    module = __import__(type(request).__module__.split(".")[0])
    return getattr(errors, kind)("no", response=module.Response(status, request=request))


@pytest.mark.parametrize(("kind", "status", "sentence"), [
    ("GatedRepoError", 403, "is gated; accept its terms"),
    ("RepositoryNotFoundError", 404, "There is no dataset ada/reviews on the Hub, or it is"),
    ("RevisionNotFoundError", 404, "The dataset ada/reviews has no revision 'main'; name a branch"),
    ("HfHubHTTPError", 401, "does not accept your token"),
    ("HfHubHTTPError", 403, "You may not read the dataset ada/reviews"),
    ("HfHubHTTPError", 404, "does not find what was asked for of the dataset ada/reviews"),
    ("HfHubHTTPError", 409, "was changed by someone else meanwhile"),
    ("HfHubHTTPError", 412, "was changed by someone else meanwhile"),
    ("HfHubHTTPError", 429, "asks to wait: too many requests"),
    ("HfHubHTTPError", 503, "answered with an error"),
])  # fmt: skip
def test_answers(kind: str, status: int, sentence: str) -> None:
    """The status is put into words and stays, also behind the exception of a thread."""
    sentence += rf".* \({status} of http://127\.0\.0\.1/api\)"
    with pytest.raises(InputError, match=sentence), translate_hub_errors(REVIEWS):
        raise failure(kind, status)
    with pytest.raises(InputError, match=sentence), translate_hub_errors(REVIEWS):
        raise RuntimeError("Error while uploading") from failure(kind, status)


@pytest.mark.parametrize("kind", [KeyError, ValueError])
def test_other_failures_pass(kind: type[Exception]) -> None:
    """A fault of the program is no mistake of the user."""
    with pytest.raises(kind, match="x") as caught, translate_hub_errors(REVIEWS):
        raise kind("x")
    assert caught.type is kind


@pytest.mark.parametrize("kind", ["HfHubHTTPError", "ConnectionError"])
def test_an_upload_goes_on(kind: str) -> None:
    """That what is stored is not sent again is told of what is sent, and not of what is read."""
    raised = ConnectionError("x") if kind == "ConnectionError" else failure(kind, 503)
    sentence = "what is stored already is not sent again"
    with pytest.raises(InputError, match=sentence), translate_hub_errors(REVIEWS, writes=True):
        raise raised
    with (
        pytest.raises(InputError, match=r"run the same again( later)?\.$"),
        translate_hub_errors(REVIEWS),
    ):
        raise raised


def test_no_network(hub: Any, impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Hub that does not answer is told from one that refuses."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("huggingface_hub.hf_api.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"could not be reached.*check the network.* again\.$"):
        pull_model("ada/model")
    told_here = r"check the network and run the same again\. There is no folder 'nofolder' here\.$"
    with pytest.raises(InputError, match=told_here):
        BiasScore.from_pretrained("nofolder")


@pytest.mark.parametrize(("token", "sentence"), [
    (None, "You are not logged in to the Hub; run `hf auth login`"),
    ("hf_wrong", "The Hub does not accept your token"),
    ("hf_wr\u00f6ng", "holds characters that no token has"),
    ("hf_wr ong", "holds characters that no token has"),
    ("hf_reader", "Your token may not write to the dataset ada/reviews"),
])  # fmt: skip
def test_tokens(
    hub: Any, splits: Any, token: str | None, sentence: str, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """What is wrong with a token is said without it."""
    monkeypatch.delenv("HF_TOKEN")
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(InputError, match=sentence) as told_error:
        push_dataset(splits, "ada/reviews")
    said = "".join(traceback.format_exception(told_error.value)) + caplog.text
    assert token is None or token not in said
    assert hub.uploads() == []


@pytest.mark.parametrize("token", ["hf_wr\u00f6ng", "hf_wr\x0bong"])
def test_tokens_when_reading(hub: Any, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library that sends requests would quote a token that it cannot send."""
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(InputError, match="holds characters that no token has") as told_error:
        pull_model("ada/model")
    said = "".join(traceback.format_exception(told_error.value))
    assert token not in said
    assert repr(token) not in said


@pytest.mark.parametrize(("text", "kind", "expected"), [
    ("imdb", "dataset", HubId("dataset", "imdb")),
    ("ada/fair.reviews_2-x", "model", HubId("model", "ada/fair.reviews_2-x")),
    ("ada/reviews@refs/pr/1", "dataset", HubId("dataset", "ada/reviews", "refs/pr/1")),
    ("hf://ada/m", "model", HubId("model", "ada/m")),
    ("ada/" + "x" * 92, "model", HubId("model", "ada/" + "x" * 92)),
    ("hf://models/ada/m", "model", HubId("model", "ada/m")),
    ("hf://spaces/ada/demo@main", "space", HubId("space", "ada/demo", "main")),
    ("hf://datasets/ada/reviews/", "dataset", HubId("dataset", "ada/reviews")),
    ("hf://datasets/ada/reviews@refs/convert/parquet/a/b.csv", "dataset",
     HubId("dataset", "ada/reviews", "refs/convert/parquet", "a/b.csv")),
])  # fmt: skip
def test_what_is_read(text: str, kind: str, expected: HubId) -> None:
    """Kind, name, revision and path are told apart."""
    assert hub_id(text, kind) == expected
