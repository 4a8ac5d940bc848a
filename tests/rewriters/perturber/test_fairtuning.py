"""Fairtuning: Algorithm 1 in the place of the training set, a trainer, and fairscore."""

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import MentionedAttribute, PerturbationAugmentation
from fair_datasets.measures import changed_texts, fairscore
from fair_datasets.measures.flip_rate import Fairscore
from fair_datasets.selection.diet import ProbeTrainer

WORDS = {0: ["kind", "calm", "here", "there"], 1: ["rude", "loud", "here", "there"]}
PEOPLE = [("he", 1), ("the waiter", 1), ("she", 3), ("the waitress", 3), ("it", 2)]


@pytest.fixture(scope="module")
def rows() -> Dataset:
    """Return texts in which rude words go with women, and half of the words say nothing."""
    return Dataset.from_list(
        [
            {
                "text": f"{who} was {WORDS[int(turn < rude)][turn]} on day {day}",
                "label": int(turn < rude),
            }
            for day in range(8)
            for who, rude in PEOPLE
            for turn in range(4)
        ]
    )


@pytest.fixture(scope="module")
def model(rows: Dataset, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a small model with random weights, which knows words only."""
    import torch

    from tests.small_models import small_model, word_tokenizer

    torch.set_num_threads(1)
    words = {word for text in rows["text"] for word in text.split()}
    words |= {"they", "were", "server"}
    roles = {"pad_token": "[PAD]", "unk_token": "[UNK]"}
    tokenizer = word_tokenizer(sorted(words), list(roles.values()), **roles)
    folder = str(tmp_path_factory.mktemp("model"))
    tokenizer.save_pretrained(folder)
    sizes = {"intermediate_size": 64, "max_position_embeddings": 16, "hidden_dropout_prob": 0.0}
    model = small_model("BertForSequenceClassification", len(tokenizer), 32, heads=2, **sizes)
    model.save_pretrained(folder)
    return folder


def test_fairtuning_is_one_map_and_a_trainer(rows: Dataset, model: str) -> None:
    """The perturbed rows take the place of the training set; fairscore compares the models."""
    perturbed = PerturbationAugmentation(columns="text", axis="gender").apply(rows)
    assert perturbed.features == rows.features
    assert perturbed["label"][:] == rows["label"][:]
    assert perturbed["text"][:] != rows["text"][:]
    pairs = PerturbationAugmentation(columns="text", axis="gender", mode="pair", seed=1).apply(rows)
    texts = [pairs["text"][:], pairs["text_counterfactual"][:]]
    train = ProbeTrainer(columns=("text",), model=model, epochs=6, learning_rate=3e-3)

    def measured(dataset: Dataset) -> Fairscore:
        """Train on a dataset, and measure how often the predictions flip."""
        predict = train(dataset, seed=0)
        before, after = (np.argmax(predict([(text,) for text in each]), axis=-1) for each in texts)
        return fairscore(before, after, changed_texts(*texts), rows["label"][:])

    plain, fairtuned = measured(rows), measured(perturbed)
    assert plain.fairscore_perturbed > 0.2
    assert plain.accuracy > 0.9
    # It has learnt from the perturbed texts, and is right about most of those that it never saw.
    assert fairtuned.perturbed == plain.perturbed == 128
    assert fairtuned.accuracy > 0.7


def test_replacing_turns_an_association_round(rows: Dataset) -> None:
    """Nobody keeps their attribute, so what went with women now goes with men; as documented."""
    perturbed = PerturbationAugmentation(columns="text", axis="gender").apply(rows)
    rude = {}
    for name, dataset in (("before", rows), ("after", perturbed)):
        groups = MentionedAttribute(columns="text", names=False).apply(dataset)
        for group in ("man", "woman"):
            rude[name, group] = np.mean(
                [row["label"] for row in groups if row["group"] == group]
            ).item()
    assert (rude["before", "man"], rude["before", "woman"]) == (0.25, 0.75)
    assert rude["after", "man"] == pytest.approx(0.75, abs=0.1)
    assert rude["after", "woman"] == pytest.approx(0.25, abs=0.1)
