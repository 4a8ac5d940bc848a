"""Chat models here: one with random weights, and one that was taught a toy language of edits."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from fair_datasets import ModelRewrite
from fair_datasets.rewriters.generation import chat as module
from fair_datasets.rewriters.generation import writing
from fair_datasets.rewriters.generation.chat import RequestedEdit, apply_answer, message, rewritten
from fair_datasets.rewriters.generation.decoding import Decoding
from fair_datasets.rewriters.generation.served import Request
from fair_datasets.rewriters.generation.writing import NO_ANSWER, NOT_EDITS
from fair_datasets.system.checks import InputError
from tests.rewriters.generation.server import edits, serving
from tests.small_models import small_model


# What a template of a chat model says, but for the instructions, which the toy model is not given.
def byte_tokenizer(template: str) -> Any:
    """Build a tokenizer over bytes, which reads any text, with a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = ["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    vocabulary = {letter: number for number, letter in enumerate(letters)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>")
    fast.chat_template = template
    return fast


def saved(folder: Path, tokenizer: Any) -> str:
    """Save a GPT-2 with random weights and its tokenizer; return the folder."""
    options = {"bos_token_id": 0, "eos_token_id": 0, "n_positions": 1024}
    small_model("GPT2LMHeadModel", len(tokenizer), **options).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def random_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Save a model that writes at random."""
    template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
    return saved(tmp_path_factory.mktemp("random"), byte_tokenizer(template))


def chat(model: str, **options: Any) -> ModelRewrite:
    """Return the technique."""
    settings = {"columns": "text", "control": "chat", "mode": "replace", "max_length": 12}
    return ModelRewrite(**{**settings, "model": model, **options})


@pytest.mark.filterwarnings("ignore:ModelRewrite. nothing that:UserWarning")
def test_what_is_written_at_random_falls_back(random_folder: str) -> None:
    """Here and on a server; batches, padding and long texts are nothing to it."""
    texts = ["He left.", "She is an actress, and she knew him.", "He said: " + "so " * 400]
    swapped = ["She left.", "He is an actor, and he knew him.", "She said: " + "so " * 400]
    found = chat(random_folder)({"text": texts})
    assert found["text"] == swapped
    assert found["rewrite_status"] == ["swap"] * 3
    assert set(found["rewrite_fault"][:2]) <= {writing.CUT, NOT_EDITS, NO_ANSWER}
    assert found["rewrite_fault"][2] == writing.LONG_TEXT
    assert chat(random_folder, batch_size=1)({"text": texts}) == found
    drawn = chat(random_folder, temperature=1.0)
    assert drawn({"text": texts})["rewrite_status"] == ["swap"] * 3
    model = module.load_chat_model(random_folder)
    asked = [Request(text, limit=9, seed=0, schema={}) for text in texts[:2]]
    said = [
        module.LocalModel(model, Decoding(temperature=t)).answers(asked) for t in (1.0, 1.0, None)
    ]
    assert said[0] == said[1] != said[2]

    def answer(asked: dict[str, Any]) -> str:
        prompt = model.tokenizer.apply_chat_template(asked["messages"], tokenize=False)
        ids = torch.tensor([model.tokenizer(prompt)["input_ids"][-900:]])
        with torch.inference_mode():
            new = model.model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=9)
        return str(model.tokenizer.decode(new[0, ids.shape[1] :], skip_special_tokens=True))

    # Batched, what each is told is what the model writes for it alone.
    alone = [answer({"messages": each.messages}) for each in asked]
    assert [each.content for each in said[2]] == alone
    assert [each.finish for each in said[2]] == ["length"] * 2

    with serving(answer) as server:
        found = chat("gpt2", endpoint=server.address)({"text": texts})
    assert found["text"] == swapped
    assert set(found["rewrite_fault"]) <= {NOT_EDITS, NO_ANSWER}


def test_a_model_without_a_template_is_refused(tmp_path: Path) -> None:
    """Nobody knows how it is asked."""
    tokenizer = byte_tokenizer("{{ raise_exception('No system.') }}")
    broken = saved(tmp_path / "broken", tokenizer)
    with pytest.raises(InputError, match=r"the chat template of the model fails \(No system"):
        chat(broken)({"text": ["He left."]})
    tokenizer.chat_template = None
    plain = saved(tmp_path / "plain", tokenizer)
    with pytest.raises(InputError, match="has no chat template, so there is no way to ask it"):
        chat(plain)({"text": ["He left."]})


@pytest.mark.parametrize(("text", "asked", "right"), [
    ("Her aunt saw her.", [("her", "him"), ("Her", "His"), ("aunt", "uncle")],
     "His uncle saw him."),
    ("Then SHE left.", [("she", "he")], "Then HE left."),
    ("She is an heiress.", [("She", "He"), ("heiress", "heir")], "He is an heir."),
    ("A waiter and an actor sang.", [("an actor", "a woman")], "A waiter and a woman sang."),
    ("He was an uncle.", [("an uncle", "an niece")], "He was a niece."),
    ("He was an actor.", [("an", "a"), ("actor", "waitress")], "He was a waitress."),
    ("He likes it, and is calm.", [("He", "They"), ("likes", "liked")],
     "They like it, and are calm."),
    ("She saw her dog and her cat.", [("her cat", "his cat", 1)],
     "She saw her dog and his cat."),
    ("He left.", [("He", "He")], "He left."),
    ("She or she left.", [("she", "he", 1)], "She or he left."),
])  # fmt: skip
def test_edits_are_made_with_what_agrees(text: str, asked: list[tuple], right: str) -> None:  # type: ignore[type-arg]
    """Words as they are written go before other capitals; articles and verbs are ours."""
    assert apply_answer(edits(*asked), [text]) == (right,)


@pytest.mark.parametrize(
    "content",
    ["", "He left.", "[]", "{}", '{"edits": {}}', '{"edits": ["He"]}',
     '{"edits": [{"before": "He"}]}',
     '{"edits": [{"before": 1, "after": "She"}]}', '{"edits": [{"before": "He", "after": null}]}',
     '{"edits": [{"before": "He", "after": "She", "occurrence": "1"}]}',
     '{"edits": [{"before": "He", "after": "She", "occurrence": 0}]}',
     '{"edits": [{"before": "He", "after": "She", "occurrence": true}]}',
     '{"edits": [{"before": "He", "after": "She", "text": 2}]}',
     '{"edits": [{"before": "He", "after": "She"}', "[" * 100_000],
)  # fmt: skip
def test_what_has_another_form_is_no_answer(content: str) -> None:
    """A server that takes a schema may not keep it."""
    assert apply_answer(content, ["He left."]) == NOT_EDITS


@pytest.mark.parametrize("before", ["she", "H", "e", "", "He ", "left. He"])
def test_words_have_to_stand_there_as_words(before: str) -> None:
    """And as often; spaces around them do not count."""
    content = json.dumps({"edits": [{"before": before, "after": "They", "occurrence": 2}]})
    assert apply_answer(content, ["He left. It rained."]) == writing.ABSENT


def test_edits_of_the_same_words_are_refused() -> None:
    """The same edit twice is one."""
    text = ["He saw the old man."]
    once = RequestedEdit("old man", "young woman", 1)
    assert rewritten(text, [once, once]) == ("He saw the young woman.",)
    assert rewritten(text, [once, RequestedEdit("man", "girl", 1)]) == writing.OVERLAPPING


def test_an_answer_may_stand_among_thoughts_and_talk() -> None:
    """As models like to write it, but for what no file can hold."""
    answer = edits(("He", "She"))
    for content in (
        f"```json\n{answer}\n```", f"<think>{{He}}\n</think>\n\n{answer}",
        f"I see {{He}}.</think>{answer}",
        f"Here you are: ```JSON {answer}``` I hope that it helps.", f"\ufeff{answer} Done.",
    ):  # fmt: skip
        assert apply_answer(content, ["He left."]) == ("She left.",)
    assert apply_answer(edits(("He", "\ud800She")), ["He left."]) == NOT_EDITS


def test_several_texts_are_told_apart() -> None:
    """Each edit says in which it is; braces of a text are no fields."""
    edit = {"before": "her", "after": "him", "occurrence": 1, "text": 2}
    content = json.dumps({"edits": [edit]})
    assert message(["{word} {0} She left."], "She", None, "man").endswith("{word} {0} She left.")
    assert apply_answer(content, ["I saw her.", "He saw her."]) == ("I saw her.", "He saw him.")
    asked = message(["I saw her.", "He saw her, her too."], "her", (1, 12), "man")
    assert '"her" (occurrence 2 in text 2)' in asked
    assert "Text 2:\nHe saw her, her too." in asked
