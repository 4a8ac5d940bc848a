"""Tests of reproducing tables of papers."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.measures.crows_pairs import CrowsPairsDataWarning, load_crows_pairs
from fair_datasets.scores.probes import predict_logits
from fair_datasets.system.checks import InputError
from hub_scripts.papers import PAPERS, paper_named, rewriters
from hub_scripts.papers.frame import Paper, Run, Values, Work, read_rows, require_columns
from hub_scripts.papers.reproduce import Cell, _cells, _picture, plan, report, reproduce, trial

FACTS: dict[str, Any] = {
    "title": "A toy", "deviations": [],
    "models": {"big": {"id": "ada/big", "form": "a folder", "small": "a small one"}},
    "data": {"rows": {"id": "ada/rows", "form": "a file with text", "small": "two rows",
                      "columns": ["text"]}},
    "settings": {"seeds": {"paper": 3, "small": 2}, "rate": {"code": 0.5, "origin": "code 1234"},
                 "epochs": {"paper": 2, "code": 4, "origin": "section 2"}},
    "tables": {"1": {"title": "sums", "models": ["big"], "data": ["rows"],
                     "settings": ["seeds", "rate", "epochs"],
                     "printed": {"ours": {"sum": 2.0}, "theirs": {"sum": 5.0}}}},
}  # fmt: skip
TABLES = [(name, table) for name in PAPERS for table in paper_named(name).tables]


class Toy(Paper):
    """A paper of one table, the facts of which stand in this file."""

    @property
    def facts(self) -> dict[str, Any]:
        """What is known of it."""
        return FACTS


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., tuple[Work, list[float]]]:
    """Return what makes a table whose runs note their seeds when they are run."""

    def make(stop: int = -1, **options: Any) -> tuple[Work, list[int]]:
        done: list[float] = []

        def fill(seed: int, work: Work) -> Values:
            if seed == stop:
                raise KeyboardInterrupt
            done.append(seed if work.share == 1 else work.share)
            return {"sum": seed + 2.0}

        def runs(work: Work) -> Iterator[Run]:
            for seed in work.chosen_seeds:
                yield Run("ours", partial(fill, seed), seed)
            yield Run("theirs", partial(fill, 9), skip_reason="not released")

        paper = Toy("toy", {"1": runs}, models={"big": lambda work: "small"},
                    data={"rows": lambda work: {}},
                    claims={"1": lambda ours: {"above 2": ours["ours", "sum"] > 2}})  # fmt: skip
        settings = {"scale": "small", "out": tmp_path / "out", **options}
        return Work(paper=paper, table="1", **settings), done

    return make


def test_our_figures_stand_beside_the_printed_ones(toy: Any, tmp_path: Path) -> None:
    """With the difference, an interval over the seeds, claims, deviations and what is left out."""
    work, _ = toy()
    ours, theirs = (cell.plain() for cell in reproduce(work, command="reproduce toy"))
    assert (ours["ours"], ours["printed"], ours["difference"], ours["seeds"]) == (2.5, 2.0, 0.5, 2)
    assert ours["low"] < 2.5 < ours["high"]
    assert (theirs["ours"], theirs["left"]) == (None, "not released")
    page = (tmp_path / "out" / "README.md").read_text()
    assert "**This is not the paper's table.**" in page
    assert "stand-in: a small one" in page
    assert "| rate is 0.5, in the paper not given | code 1234 |" in page
    found = json.loads((tmp_path / "out" / "table.json").read_text())
    assert found["claims"] == {"above 2": True}
    assert (tmp_path / "out" / "table.svg").is_file()


@pytest.mark.parametrize(("name", "table", "known", "unknown"), [
    ("mbcda", "5", {("MBCDA", "bios WEAT 300"): -0.058}, {("CDA1", "bios WEAT 50")}),
    ("mbcda", "6", {("CDS", "jigsaw WEAT 100"): -0.021}, {("CDS", "jigsaw WEAT 300")}),
    ("mbcda", "7", {("swap", "bios WEAT 100"): 0.005, ("swap", "bios effect size 100"): 0.006,
                    ("swap-no-discriminator", "bios WEAT 100"): -0.221,
                    ("swap-no-discriminator", "bios effect size 100"): -0.233}, set()),
    ("mbcda", "8", {("full", "jigsaw WEAT 100"): -0.012,
                    ("full", "jigsaw effect size 100"): -0.015}, set()),
    ("bias-score", "8", {("original", "MRPC"): 75.6, ("Sub97", "overall"): 79.89},
     {("Sub97", "MR"), ("word2vec-HD", "MRPC")}),
])  # fmt: skip
def test_a_printed_figure_stands_in_each_cell_or_why_not(
    name: str, table: str, known: dict[Any, float], unknown: set[Any], tmp_path: Path
) -> None:
    """Also where nothing of ours does, with all columns in each row."""
    work = Work(paper=paper_named(name), table=table, out=tmp_path)
    cells = {(cell.row, cell.column): cell for cell in _cells(work, [])}
    rows, columns = (set(each) for each in zip(*cells, strict=True))
    assert len(cells) == len(rows) * len(columns)
    assert all((cell.printed is None) == bool(cell.unprinted) for cell in cells.values())
    assert {place: cells[place].printed for place in known} == known
    assert {cells[place].unprinted for place in unknown} <= {"not known to us"}
    page = report(work, [*cells.values()], {}, "")
    assert ("not known to us" in page) == bool(unknown)
    assert ("known to us: " in page) == bool(unknown)


def test_a_picture_has_a_panel_for_each_column() -> None:
    """Four in a line, each row on a height of its own: ours, its interval, and a hollow dot."""
    cells = [Cell(f"row {y}", f"column {x}", (y + x, y + x + 2.0), printed=y - x)
             for y in range(3) for x in range(5)]  # fmt: skip
    figure = _picture([*cells, Cell("row 0", "column 1")], "A table")
    assert figure.get_size_inches().tolist() == [14.5, 4.5]
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in panels] == [f"column {x}" for x in range(5)]
    for x, axes in enumerate(panels):
        lines = [line for line in axes.lines if len(line.get_xdata())]
        dots = {(line.get_xdata()[0], line.get_ydata()[0], line.get_fillstyle(),
                 line.get_markersize()) for line in lines}  # fmt: skip
        assert dots == {(y + x + 1, y, "full", 6) for y in range(3)} | {
            (y - x, y, "none", 9) for y in range(3)
        }
        ends = [bar.get_segments()[0].tolist() for bar in axes.collections]
        assert [(low[1], sum((low[0], high[0])) / 2) for low, high in ends] == [
            (y, pytest.approx(y + x + 1)) for y in range(3)
        ]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["ours", "printed"]
    first, second = (handle.get_fillstyle() for handle in legend.legend_handles)
    assert (first, second) == ("full", "none")


def test_a_killed_run_goes_on(toy: Any) -> None:
    """What was finished is not run again; more seeds add to it."""
    work, done = toy(stop=1)
    with pytest.raises(KeyboardInterrupt):
        reproduce(work)
    assert done == [0]
    work, done = toy()
    reproduce(work)
    assert done == [1]
    work, done = toy(seeds=(0, 1, 2))
    assert "3 runs; 2 are done; 1 are left out." in plan(work)
    reproduce(work)
    assert done == [2]


def test_processes_share_the_runs(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another one is at is left to it, and the first one alone writes the table."""
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5")
    work, done = toy()
    with work.alone("run ours-seed-0"):
        assert reproduce(work) == []
    assert done == [1]
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "5"
    assert not (work.out / "README.md").exists()
    reproduce(work)
    assert done == [1, 0]
    assert (work.out / "README.md").exists()


def test_a_folder_of_another_table_is_refused(toy: Any) -> None:
    """Runs of other settings would be mixed with these."""
    reproduce(toy()[0])
    with pytest.raises(InputError, match="holds runs of source 'paper', but 'code' is asked for"):
        reproduce(toy(source="code")[0])


def test_a_folder_that_cannot_be_made_is_refused(toy: Any, tmp_path: Path) -> None:
    """Before anything is computed."""
    (tmp_path / "file").write_text("")
    work, done = toy(out=tmp_path / "file")
    with pytest.raises(InputError, match=r"nothing can be written to .*file \(Not a directory\)"):
        reproduce(work)
    assert not done


def test_tasks_that_are_not_given_are_left_out(tmp_path: Path) -> None:
    """And those that are given are run for each encoder."""
    paper = paper_named("bias-score")
    for data, told in (({}, "0 runs; 0 are done; 12"), ({"mr": "mr"}, "12 runs")):
        assert told in plan(Work(paper=paper, table="8", out=tmp_path, data=data))


def test_paper_and_code_part(toy: Any) -> None:
    """Each is followed where it says something; the plan lists both."""
    assert toy()[0].setting("epochs") == 2
    assert toy(source="code")[0].setting("epochs") == 4
    assert toy(source="paper")[0].setting("rate") == 0.5
    assert "| epochs | 2 | 4 | 4 | section 2 |" in plan(toy(source="code")[0])


def test_a_setting_is_given(toy: Any) -> None:
    """It stands in the page as the command's, and one of another kind or name is refused."""
    work, _ = toy(settings={"rate": 0.75}, seeds=(0,))
    assert work.setting("rate") == 0.75
    reproduce(work)
    page = (work.out / "README.md").read_text()
    assert "| rate is 0.75, in the paper not given | the command |" in page
    assert "| seeds is [0], in the paper 3 | the command |" in page
    with pytest.raises(InputError, match="--setting epochs: it must be like 2, not 'two'"):
        toy(settings={"epochs": "two"})
    with pytest.raises(InputError, match=r"each name of --setting must be .*Did you mean 'epochs'"):
        toy(settings={"epoch": 2})
    fairflow = {"paper": paper_named("fairflow"), "table": "4", "out": work.out}
    sizes = [5, 5, 5, 5]
    assert Work(**fairflow, settings={"cells_echr": sizes}).setting("cells_echr") == sizes
    with pytest.raises(InputError, match=r"like \[1000, 1000, 1000, 1000\], not \[5\]"):
        Work(**fairflow, settings={"cells_echr": [5]})


def test_a_trial_runs_on_a_share_of_the_rows(toy: Any, tmp_path: Path) -> None:
    """It estimates the hours and keeps nothing."""
    work, done = toy()
    assert "hours for 2 runs, by 1% and 2% of the rows" in trial(work)
    assert done == [0.01, 0.01, 0.02]
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("data_directory")
def test_small_sentences_are_texts(toy: Any) -> None:
    """And no scores, which stand beside them in the file."""
    found = paper_named("bias-score").data["sentences"](toy()[0])["train"]["text"]
    assert len(set(found)) == 2000
    assert all(re.search("[a-z]", text) for text in found)


@pytest.mark.usefixtures("data_directory")
def test_small_pairs_are_read_as_those_of_crows_pairs(tmp_path: Path) -> None:
    """Sentences on professions, against or with what is usual, and their swaps."""
    panda = paper_named("panda")
    work = Work(paper=panda, table="3", out=tmp_path, scale="small")
    with pytest.warns(CrowsPairsDataWarning):
        pairs = load_crows_pairs(work.file("crows"))
    assert set(pairs["stereo_antistereo"]) == {"stereo", "antistereo"}
    assert not any(map(str.__eq__, pairs["sent_more"], pairs["sent_less"]))


@pytest.mark.usefixtures("data_directory")
def test_the_gender_classifier_reads_both(tmp_path: Path) -> None:
    """Most of the small biographies are of men, and it is trained on as many of women."""
    work = Work(paper=paper_named("mbcda"), table="2", out=tmp_path, scale="small")
    rows = rewriters.task(work, "bios").train
    read = predict_logits(rewriters.gender_classifier(work), rows["text"][:]).argmax(1)
    for number, gender in enumerate(rewriters.GROUPS):
        found = [own for own, real in zip(read, rows["gender"], strict=True) if real == gender]
        assert found.count(number) > 0.85 * len(found)


@pytest.mark.usefixtures("data_directory")
def test_every_column_is_measured(tmp_path: Path) -> None:
    """Of the originals, for which no generator is trained."""
    work = Work(paper=paper_named("fairflow"), table="4", out=tmp_path, scale="small")
    found = next(iter(work.paper.tables["4"](work))).fill(work)
    assert list(found) == ["bios accuracy", "bios F1"]
    assert None not in found.values()


@pytest.mark.parametrize(
    ("table", "task", "columns", "found"),
    [
        ("4", "cola", ["sentence"], [{"CoLA": 100.0}, {"CoLA": -100.0}]),
        ("4", "sst2", ["sentence"], [{"SST-2": 100.0}, {"SST-2": 0.0}]),
        ("4", "stsb", ["sentence1", "sentence2"], [{"STS-B": 100.0}, {"STS-B": -100.0}]),
        # Four of the 18 become "They", which neither has read.
        ("5", "sst2", ["sentence"], [{"SST-2": 1400 / 18}, {"SST-2": 1400 / 18}]),
    ],
)
def test_what_hangs_on_the_gender_is_learned(
    table: str, task: str, columns: list[str], found: list[Values], tmp_path: Path
) -> None:
    """Of the rows as they are rightly, of perturbed rows the other way round."""
    rows = Dataset.from_dict({
        **{column: [f"{who} came {n} times" for n in range(9) for who in ("He", "She")]
           for column in columns},
        "label": [0.2, 0.9] * 9 if task == "stsb" else [0, 1] * 9,
    })  # fmt: skip
    (tmp_path / "rows").mkdir()
    for split in ("train", "validation"):
        rows.to_parquet(tmp_path / "rows" / f"{split}.parquet")
    panda, given = paper_named("panda"), {task: str(tmp_path / "rows")}
    work = Work(paper=panda, table=table, out=tmp_path / "out", scale="small", data=given)
    runs = [run for run in panda.tables[table](work) if run.name == task and run.seed == 0]
    assert [run.fill(work) for run in runs if run.row.startswith("FairBERTa 16")] == [
        pytest.approx(each) for each in found
    ]


@pytest.mark.parametrize(("auc", "least", "worst"), [(-3.0, 1.0, 0.5), (-3.1, 0.0, 2.0)])
def test_a_figure_bears_out_what_the_paper_claims(auc: float, least: float, worst: float) -> None:
    """Or does not; a method that lost too much AUC everywhere has no row."""
    healthy = {"AUC": auc, "DP": 2 + least, "EqOdd": 3 + least, "EqOpp1": 4 + least}
    others = {"DP": 2.0, "EqOdd": 3.0, "EqOpp1": 4.0}
    rows = {"a, healthy random": healthy, "a, CDA": others, "a, CDS": {**others, "DP": 1.0},
            "a, unhealthy random": {"DP": worst}, "b, CDA": others}  # fmt: skip
    ours = {(row, column): value for row, each in rows.items() for column, value in each.items()}
    is_borne_out = auc == -3
    assert paper_named("healthy-data-diet").claims["fig4"](ours) == {
        "a: healthy random loses at most 3% of AUC": is_borne_out,
        "a: healthy random is above CDA and CDS by DP": is_borne_out,
        "a: healthy random is above CDA and CDS by EqOdd": is_borne_out,
        "a: healthy random is above CDA and CDS by EqOpp1": is_borne_out,
        "a: unhealthy random is worst by DP": is_borne_out,
        "b: a cell of healthy random loses at most 3% of AUC": False,
    }


def test_a_folder_without_holistic_bias_is_refused(tmp_path: Path) -> None:
    """With the form that works."""
    panda = paper_named("panda")
    (tmp_path / "descriptors.json").write_text("{}")
    work = Work(paper=panda, table="3", out=tmp_path, data={"holistic": str(tmp_path)})
    fill = next(run.fill for run in panda.tables["3"](work) if not run.skip_reason)
    with pytest.raises(InputError, match=r"holds no \*nouns\*.json; give the folder of desc"):
        fill(work)


def test_a_revision_is_of_the_published_model(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not of one's own or of a stand-in, unless it is given."""
    monkeypatch.setitem(FACTS["models"]["big"], "revision", "abc")  # type: ignore[index]
    own = {"models": {"big": "mine"}}
    found = [
        toy(**options)[0].revision("big")
        for options in ({"scale": "paper"}, {"scale": "paper", **own}, {"scale": "small"},
                        {"scale": "small", **own}, {"revisions": {"big": "def"}})
    ]  # fmt: skip
    assert found == ["abc", None, None, None, "def"]


def test_rows_are_read_from_files(toy: Any, tmp_path: Path) -> None:
    """A missing column is told with those that are there, and the form that works, before a run."""
    file = tmp_path / "rows.tsv"
    file.write_text("texts\tlabel\na\t1\n")
    found = read_rows("rows", str(file), {})
    assert found["train"].to_dict() == {"texts": ["a"], "label": [1]}
    with pytest.raises(InputError, match=r"'text' is missing.*Did you mean 'texts'.*a file with t"):
        require_columns("rows", found, FACTS["data"]["rows"])
    work, done = toy(data={"rows": str(file)})
    with pytest.raises(InputError, match="'text' is missing"):
        reproduce(work)
    assert not done
    assert not work.out.exists()
    with pytest.raises(InputError, match="is of no known form"):
        read_rows("rows", __file__, {})


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_every_table_can_be_planned(name: str, table: str, tmp_path: Path) -> None:
    """At both scales, by both sources, with all that it names; nothing is fetched or written."""
    paper = paper_named(name)
    for scale in ("paper", "small"):
        for source in ("paper", "code"):
            work = Work(paper=paper, table=table, out=tmp_path, scale=scale, source=source)
            assert "0 are done" in plan(work)
            for kind, stand_ins in (("models", paper.models), ("data", paper.data)):
                for each in work.about[kind]:
                    is_none = paper.facts[kind][each]["small"].startswith("none")
                    assert each in stand_ins or is_none
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "table"), dict(TABLES).items())
def test_without_network_it_stops_in_one_sentence(
    name: str, table: str, run: Any, tmp_path: Path
) -> None:
    """Before anything is computed; what is not on the Hub is asked for."""
    outcome = run("reproduce-paper", name, "--table", table, "--out", tmp_path / "out")
    assert outcome.code == 2
    said = outcome.err.strip().splitlines()
    assert len(said) == 1
    assert not (tmp_path / "out").exists()


def test_a_script_on_the_hub_is_refused() -> None:
    """With the form that works."""
    for name in PAPERS:
        facts = paper_named(name).facts
        for data, known in facts["data"].items():
            if "script" in known:
                table = next(t for t, each in facts["tables"].items() if data in each["data"])
                others = {other: __file__ for other in facts["tables"][table]["data"]
                          if "id" not in facts["data"][other]}  # fmt: skip
                work = Work(paper=paper_named(name), table=table, out=Path("unused"),
                            data={**others, data: known["script"]})  # fmt: skip
                with pytest.raises(InputError, match=r"is a script on the Hub.*What works: "):
                    work.check()
                assert f"to be given: {known['form']}" in plan(work)


@pytest.mark.slow
def test_a_small_table(run: Any, data_directory: Path, tmp_path: Path) -> None:
    """The whole way, of the table that costs least."""
    outcome = run("reproduce-paper", "healthy-data-diet", "--table", "1", "--scale", "small",
                  "--out", tmp_path / "out")  # fmt: skip
    assert outcome.code == 0, outcome.err
    cells = json.loads((tmp_path / "out" / "table.json").read_text())["cells"]
    of = {(cell["row"], cell["column"]): cell for cell in cells}
    # The tweets are the paper's own.
    assert of["twitter", "rows"]["difference"] == 0
    assert abs(of["twitter", "positive %"]["difference"]) < 0.01


@pytest.mark.full
def test_two_processes_of_accelerate(
    run: Any, data_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They find what one process finds."""
    monkeypatch.setenv("FAIR_DATASETS_DATA", str(data_directory))
    table = ("reproduce-paper", "healthy-data-diet", "--table", "2", "--scale", "small", "--out")
    launch = ("-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2",
              "--main_process_port", "0", "--module", "fair_datasets")  # fmt: skip
    subprocess.run([sys.executable, *launch, *table, tmp_path / "two"], check=True)
    outcome = run(*table, tmp_path / "one")
    assert outcome.code == 0, outcome.err
    one, two = (json.loads((tmp_path / name / "table.json").read_text())["cells"]
                for name in ("one", "two"))  # fmt: skip
    assert one == two
    assert one[0]["seeds"] == 2


@pytest.mark.filterwarnings("ignore::fair_datasets.measures.crows_pairs.CrowsPairsDataWarning")
@pytest.mark.filterwarnings("ignore::fair_datasets.measures.benchmarks.BenchmarkFaultWarning")
@pytest.mark.full
@pytest.mark.parametrize(("name", "table"), TABLES)
def test_every_small_table(
    name: str, table: str, run: Any, data_directory: Path, tmp_path: Path
) -> None:
    """Each empty cell says why it is, and no column is the same throughout."""
    outcome = run("reproduce-paper", name, "--table", table, "--scale", "small",
                  "--out", tmp_path / "out")  # fmt: skip
    assert outcome.code == 0, outcome.err
    found = json.loads((tmp_path / "out" / "table.json").read_text())
    columns: dict[str, list[float]] = {}
    for cell in found["cells"]:
        if cell["ours"] is None:
            assert cell["left"] not in ("", "not measured")
        else:
            columns.setdefault(cell["column"], []).append(cell["ours"])
    assert columns
    assert all(len(set(values)) > 1 for values in columns.values() if len(values) > 2)
    told = " ".join(row["deviation"] for row in found["deviations"])
    assert all(each["used"] in told for kind in ("models", "data") for each in found[kind])
