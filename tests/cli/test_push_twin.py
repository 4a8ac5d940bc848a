"""The command `push-twin`: what is on the loopback Hub after it, and what it refuses."""

import csv
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasets import Dataset, DatasetDict, Image, load_dataset
from huggingface_hub import DatasetCard, HfApi, hf_hub_download

from fair_datasets.cli import push_twin
from fair_datasets.hub import push_dataset

FIELDS = ("--question", "question", "--answer", "key", "--choices", "options")


def quiz() -> list[dict[str, Any]]:
    """Return questions about people and rain, with one question twice."""
    names = ("John", "Robert", "Michael", "David", "Mary", "Linda", "Susan", "Karen")
    rows = [
        {
            "question": f"{name} lost the keys, and {who} mother found them. Who has lost them?",
            "options": [name, "nobody", f"{who} mother"], "key": 0, "year": 1990 + number,
        }
        for number, name in enumerate(names)
        for who in (("his",) if number < 4 else ("her",))
    ]  # fmt: skip
    return [*rows, {"question": "What is wet?", "options": ["stone", "rain"], "key": 1, "year": 0}]


@pytest.fixture
def jobs(here: Path, hub: Any) -> str:
    """Write the questions into a file, and return its name."""
    Dataset.from_list(quiz()).to_json("jobs.jsonl")
    return "jobs.jsonl"


@pytest.fixture
def reviews(here: Path, hub: Any) -> str:
    """Write a question about each review of the demo, whose words are as frequent as others."""
    place = Path(push_twin.__file__).with_name("demo_reviews.csv")
    with place.open(encoding="utf-8") as file:
        rows = [{"question": f"Is it good? {row['text']}", "options": ["no", "yes"],
                 "key": int(row["label"] == "positive")}
                for row in islice(csv.DictReader(file), 80)]  # fmt: skip
    Dataset.from_list(rows).to_json("reviews.jsonl")
    return "reviews.jsonl"


def eval_yaml(name: str = "ada/jobs-twin") -> dict[str, Any]:
    """Read the tasks on the Hub."""
    place = hf_hub_download(name, "eval.yaml", repo_type="dataset")
    found: dict[str, Any] = yaml.safe_load(Path(place).read_text("utf-8"))
    return found


def test_both_configurations_and_their_tasks_are_on_the_hub(run: Any, jobs: str) -> None:
    """The questions are as they were; a twin is about others, and its answer is the same one."""
    said = run("push-twin", jobs, "ada/jobs-twin", *FIELDS, "--licence", "mit").done().out
    assert "9 questions; 8 have a twin; 0 of these have a control; controls are left out" in said
    original = load_dataset("ada/jobs-twin", "original", split="train")
    twin = load_dataset("ada/jobs-twin", "twin", split="train")
    assert [{name: row[name] for name in quiz()[0]} for row in original] == quiz()
    assert original["pair"][:] == [*range(9)]
    assert twin["pair"][:] == [*range(8)]
    assert twin["family_id"][:] == original["family_id"][:8]
    assert twin.features == original.features
    assert twin[0]["question"].endswith("and her father found them. Who has lost them?")
    assert twin[0]["question"].split()[0] == twin[0]["options"][0] != "John"
    assert (twin["key"][:], twin["year"][:]) == (original["key"][:8], original["year"][:8])
    found = eval_yaml()
    assert list(found) == ["name", "description", "evaluation_framework", "tasks"]
    assert (found["name"], found["evaluation_framework"]) == ("jobs-twin", "inspect-ai")
    spec = {"input": "question", "target": "key", "choices": "options",
            "metadata": ["family_id", "pair"]}  # fmt: skip
    assert found["tasks"] == [
        {"id": name, "config": name, "split": "train", "field_spec": spec,
         "solvers": [{"name": "multiple_choice"}], "scorers": [{"name": "choice"}]}
        for name in ("original", "twin")
    ]  # fmt: skip
    card = DatasetCard.load("ada/jobs-twin")
    assert card.data.license == "mit"
    assert {each["config_name"] for each in card.data["configs"]} == {"original", "twin"}
    assert "9 questions; 8 have a twin" in card.text
    # The same again replaces it.
    assert run("push-twin", jobs, "ada/jobs-twin", *FIELDS, "--licence", "mit").code == 0


def test_the_control_is_two_more_splits_and_tasks(run: Any, reviews: str) -> None:
    """Other words are swapped in it; what is typed is what the tasks say."""
    run("push-twin", reviews, "ada/jobs-twin", *FIELDS, "--control", "--title", "Jobs",
        "--description", "Is it good?", "--solver", "chain_of_thought", "--solver",
        "generate", "--scorer", "choice").done()  # fmt: skip
    twins = load_dataset("ada/jobs-twin", "twin")
    halves = [list(twins[name]) for name in ("control", "control_twin")]
    assert len(twins["train"]) > len(halves[0]) == len(halves[1]) > 0
    for one, other in zip(*halves, strict=True):
        assert one["question"] != other["question"]
        assert (one["pair"], one["family_id"]) == (other["pair"], other["family_id"])
    found = eval_yaml()
    assert (found["name"], found["description"]) == ("Jobs", "Is it good?")
    assert [(each["id"], each["config"], each["split"]) for each in found["tasks"]] == [
        ("original", "original", "train"), ("twin", "twin", "train"),
        ("control", "twin", "control"), ("control_twin", "twin", "control_twin"),
    ]  # fmt: skip
    assert found["tasks"][0]["solvers"] == [{"name": "chain_of_thought"}, {"name": "generate"}]


def test_open_questions_and_choices_in_columns(run: Any, here: Path, hub: Any) -> None:
    """An answer that is text is swapped with its question; columns of choices with theirs."""
    rows = [{"question": "He and his sister met. Who met?", "answer": "his sister", "a": "she",
             "b": "he and his sister", "letter": "B", "family_id": "sister"}]  # fmt: skip
    Dataset.from_list(rows).to_json("open.jsonl")
    # No column is left beside those that are swapped.
    Dataset.from_dict({"q": ["He ran. Who?"], "a": ["he"]}).to_csv("bare.csv")
    run("push-twin", "bare.csv", "ada/bare", "--question", "q", "--answer", "a").done()
    (twin,) = load_dataset("ada/bare", "twin", split="train")
    assert list(twin) == ["q", "a", "family_id", "pair"]
    assert (twin["q"], twin["a"]) == ("She ran. Who?", "she")
    run("push-twin", "open.jsonl", "ada/open", "--question", "question", "--answer",
        "answer").done()  # fmt: skip
    (twin,) = load_dataset("ada/open", "twin", split="train")
    assert (twin["answer"], twin["family_id"]) == ("her brother", "sister")
    (row,) = load_dataset("ada/open", "original", split="train")
    assert row == rows[0] | {"pair": 0}
    run("push-twin", "open.jsonl", "ada/letters", "--question", "question", "--answer", "letter",
        "--choices", "a", "--choices", "b").done()  # fmt: skip
    (twin,) = load_dataset("ada/letters", "twin", split="train")
    assert (twin["a"], twin["b"], twin["letter"]) == ("he", "she and her brother", "B")


def test_a_question_that_stays_has_no_twin(run: Any, here: Path, hub: Any) -> None:
    """Of the same question another answer would be right."""
    rows = {"q": ["He ran. Who?", "Which word fits a nurse here?"],
            "c": [["he", "I"], ["she", "he"]], "k": ["A", "A"]}  # fmt: skip
    Dataset.from_dict(rows).to_parquet("rows.parquet")
    asked = ("push-twin", "rows.parquet", "ada/x", "--question", "q", "--answer", "k",
             "--choices", "c")  # fmt: skip
    said = run(*asked).done().out
    assert "2 questions; 1 have a twin" in said
    assert "1 have no twin, as only their answers would change, and not the question" in said
    assert load_dataset("ada/x", "twin", split="train")["pair"][:] == [0]


def test_a_lexicon_of_ones_own_is_published(run: Any, here: Path, hub: Any) -> None:
    """Where `reproduce` finds it."""
    Path("pets.tsv").write_text("cats\tdogs\ncat\tdog\n")
    Dataset.from_dict({"q": ["Is a cat wet?"], "t": ["no"]}).to_json("pets.jsonl")
    asked = ("push-twin", "pets.jsonl", "ada/pets", "--question", "q", "--answer", "t")
    run(*asked, "--axis", "pets.tsv").done()
    assert load_dataset("ada/pets", "twin", split="train")["q"][:] == ["Is a dog wet?"]
    (own,) = (each for each in HfApi().list_repo_files("ada/pets", repo_type="dataset")
              if each.startswith("lexicons/"))  # fmt: skip
    assert own.endswith("/pets.tsv")


def test_a_dry_run_sends_nothing(run: Any, jobs: str, hub: Any) -> None:
    """It shows the files and the tasks."""
    said = run("push-twin", jobs, "ada/jobs-twin", *FIELDS, "--dry-run").done().out
    assert "evaluation_framework: inspect-ai\n" in said
    assert "&id" not in said
    assert hub.uploads() == []


@pytest.mark.parametrize(("rows", "fields", "told"), [
    ({"q": [[{"role": "user", "content": "He ran."}]], "t": ["x"]}, (), "'q' holds List("),
    ({"q": [3], "t": ["x"]}, (), "'q' holds Value('int64'), and not text"),
    ({"q": ["He ran."], "t": [1]}, (), "'t' holds Value('int64'), and not text"),
    ({"q": ["He ran."], "t": [0], "c": [[1, 2]]}, ("c",), "'c' holds List(Value('int64'))"),
    ({"q": ["He ran."], "t": [0], "c": ["x"], "d": [1]}, ("c", "d"), "'d' holds Value('int64')"),
    ({"q": ["He ran.", "He sat."], "t": ["x", None]}, (), "'t', row 1 (counted from 0) is empty"),
    ({"q": ["He ran.", ""], "t": ["x", "y"]}, (), "'q', row 1 (counted from 0) is empty"),
    ({"q": ["He ran."], "t": [0], "c": [["a", None]]}, ("c",), "'c', row 0 (counted from 0) is"),
    ({"q": ["He ran."], "t": [2], "c": [["a", "b"]]}, ("c",),
     "row 0 (counted from 0) holds 2, but with 2 choices it has to be a letter from A to B or"),
    ({"q": ["He ran."], "t": ["a"], "c": [["a", "b"]]}, ("c",), "holds 'a', but with 2 choices"),
    ({"q": ["It rains."], "t": ["yes"]}, (), "no row has a twin on the axis 'gender'"),
    ({"q": ["He ran."], "t": ["x"], "pair": [1]}, (), "the column 'pair' exists already"),
    ({"q": ["He ran."], "u": ["x"]}, (), "'t'"),
])  # fmt: skip
def test_what_inspect_could_not_ask_is_refused(
    rows: dict[str, Any], fields: tuple[str, ...], told: str, run: Any, here: Path, hub: Any
) -> None:
    """In a sentence with the column, the row and the value; nothing is sent."""
    Dataset.from_dict(rows).to_parquet("rows.parquet")
    choices = [word for each in fields for word in ("--choices", each)]
    assert told in run("push-twin", "rows.parquet", "ada/x", "--question", "q", "--answer", "t",
                       *choices).refused()  # fmt: skip
    assert hub.uploads() == []


def test_what_others_published_stays(run: Any, jobs: str, hub: Any) -> None:
    """Tasks, data and sources, unless they are to be replaced; the split has to be known."""
    rows = Dataset.from_list(quiz())
    push_dataset(DatasetDict(train=rows, validation=rows), "ada/jobs-twin", config_name="original")
    asked = ("push-twin", jobs, "ada/jobs-twin", *FIELDS)
    said = run(*asked).refused()
    assert "has a configuration 'original' with other columns" in said
    assert said.endswith("; choose another repository, or pass --overwrite to replace it.\n")
    hub_asked = ("push-twin", "ada/jobs-twin", "ada/other", *FIELDS)
    assert "there are several splits, 'train', 'validation'; name one" in run(*hub_asked).refused()
    same = ("push-twin", "ada/jobs-twin", "ada/jobs-twin", *FIELDS, "--split", "train")
    assert "would be replaced by what is made from it" in run(*same).refused()
    run(*hub_asked, "--split", "validation").done()
    assert eval_yaml("ada/other")["tasks"][0]["split"] == "validation"
    theirs = yaml.dump({"tasks": [{"id": "theirs"}]}).encode()
    HfApi().upload_file(path_or_fileobj=theirs, path_in_repo="eval.yaml", repo_id="ada/other",
                        repo_type="dataset")  # fmt: skip
    again = ("push-twin", jobs, "ada/other", *FIELDS)
    assert "has other tasks ('theirs'), which would be lost" in run(*again).refused()
    assert run(*again, "--overwrite").code == 0


def test_pictures_stay_as_they_are(run: Any, here: Path, hub: Any) -> None:
    """Columns that no task reads are not decoded: a broken picture harms nobody."""
    rows = Dataset.from_dict({"q": ["He ran."], "t": ["he"], "picture": [{"bytes": b"no picture"}]})
    rows.cast_column("picture", Image()).to_parquet("rows.parquet")
    run("push-twin", "rows.parquet", "ada/x", "--question", "q", "--answer", "t").done()
    twin = load_dataset("ada/x", "twin", split="train").cast_column("picture", Image(decode=False))
    assert twin[0]["picture"]["bytes"] == b"no picture"
    assert twin[0]["t"] == "she"
