"""Other packages' calls for flips of predictions and for names: one function a package.

Each returns, for a measure, what computes it of a case, and the package's function.
"""

import contextlib
import io
from collections.abc import Mapping, Sequence
from typing import Any

Case = Mapping[str, Any]


def lower(texts: Sequence[str]) -> list[str]:
    """Return texts in lower case."""
    return [text.lower() for text in texts]


def langfair() -> dict[str, Any]:
    """Return langfair's: the bias of a classifier's scores, and prompts that it rewrites."""
    from langfair.generator.counterfactual import CounterfactualGenerator
    from langfair.metrics.counterfactual.metrics import SentimentBias

    class Classifier:
        def __init__(self, ones: Sequence[str]) -> None:
            self.ones = ones

        def predict(self, texts: Sequence[str]) -> list[float]:
            return [float(text.lower() in self.ones) for text in texts]

    def flips(c: Case) -> Any:
        bias = SentimentBias(custom_classifier=Classifier(lower(c["ones"])), how="mean")
        return bias.evaluate(c["texts"], c["twins"], show_progress_bars=False)

    def names(c: Case) -> str:
        generator = CounterfactualGenerator()
        found = generator.parse_texts([c["text"]], attribute="gender")
        return "changed" if found[0] else "kept"

    return {
        "flips": (flips, SentimentBias.evaluate),
        "names": (names, CounterfactualGenerator.parse_texts),
    }


def langtest() -> dict[str, Any]:
    """Return langtest's: the share of tests that fail, and first names that it replaces."""
    import csv
    import tempfile
    from pathlib import Path

    from langtest import Harness
    from langtest.transform.bias import BiasTestFactory, EthnicityNameBias

    class Classifier:
        def __init__(self, ones: Sequence[str]) -> None:
            self.ones = ones

        def predict(self, text: str, *_: Any, **__: Any) -> str:
            # langtest writes "she" at the start of a sentence.
            return str(int(text.lower() in self.ones))

    def flips(c: Case) -> Any:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            data = Path(folder) / "rows.csv"
            with data.open("w", newline="") as file:
                csv.writer(file).writerows([("text", "label"), *((t, "0") for t in c["texts"])])
            harness = Harness(
                task="text-classification",
                model={"model": Classifier(lower(c["ones"])), "hub": "custom"},
                data={"data_source": str(data)},
                config={"tests": {
                    "defaults": {"min_pass_rate": 1.0},
                    "bias": {"replace_to_female_pronouns": {"min_pass_rate": 1.0}},
                }},
            )  # fmt: skip
            report = harness.generate().run().report()
        if report.empty:
            return None
        failed, passed = report["fail_count"][0], report["pass_count"][0]
        return failed / (failed + passed)

    def names(c: Case) -> str:
        factory = BiasTestFactory([], {"replace_to_black_firstnames": {}})
        asked = factory.tests["replace_to_black_firstnames"]["parameters"]
        made = EthnicityNameBias.transform([c["text"]], **asked)
        return "changed" if made[0] != c["text"] else "kept"

    return {"flips": (flips, Harness.report), "names": (names, EthnicityNameBias.transform)}
