"""The pages are listed, their links lead somewhere, and the commands that they name exist."""

import re
import shlex
from pathlib import Path

from fair_datasets.cli.docs import available_pages, page_text
from fair_datasets.cli.main import read
from fair_datasets.cli.options import Options

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [
    *sorted((ROOT / "fair_datasets" / "docs").glob("*.md")),
    *(ROOT / "hub_scripts" / name / "README.md" for name in ("encoders", "papers")),
]
TEXT = "\n".join(page.read_text("utf-8") for page in [README, *PAGES])
PLACEHOLDER = re.compile(r"[A-Z]{3,}|\.\.\.")


def test_the_list_has_every_page_with_its_first_sentence() -> None:
    """In an order for newcomers; the sentence is the first one of the page itself."""
    rows = re.findall(r"^\| \[(\w+)\]\((\w+)\.md\) \| (.+) \|$", page_text(), re.MULTILINE)
    assert sorted(name for name, _, _ in rows) == available_pages()
    for name, target, sentence in rows:
        title, _, rest = page_text(name).partition("\n")
        assert name == target
        assert title.startswith("# ")
        assert rest.strip().split("\n\n")[0] == sentence


def test_the_readme_is_a_screen_and_links_the_index() -> None:
    """About 60 lines and five pages, of which one lists the others."""
    text = README.read_text("utf-8")
    assert len(text.split("\n")) < 65
    linked = set(re.findall(r"\(fair_datasets/docs/(\w+)\.md\)", text))
    assert "README" in linked
    assert len(linked) == 5


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that GitHub and the site give the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def test_links_lead_to_files_and_headings() -> None:
    """Relative ones, which work on the Hub and wherever the checkout is shown."""
    for page in [ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("tests/**/README.md")), *PAGES]:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
            if "://" not in target:
                path, _, anchor = target.partition("#")
                linked = page.parent / path if path else page
                assert linked.is_file(), (page, target)
                assert not anchor or anchor in anchors_of(linked), (page, target)


def test_commands_within_sentences_exist() -> None:
    """What stands in a line as `fair-datasets ...` is a command with options that there are."""
    for words in re.findall(r"`fair-datasets ([^`]+)`", TEXT):
        arguments = shlex.split(words)
        if PLACEHOLDER.search(words) or {"--help", "--help-all"} & {*arguments}:
            arguments = [word for word in arguments[:1] if not PLACEHOLDER.search(word)]
            arguments = [*arguments, "--help"]
        if arguments[-1:] == ["--help"]:
            assert read(arguments) == 0
        else:
            assert isinstance(read(arguments), Options)


def test_commands_for_a_cluster_can_be_read() -> None:
    """Their options exist, though nothing runs them here."""
    text = page_text("engines")
    commands = re.findall(r"^fair-datasets (.+)$", text, re.MULTILINE)
    assert commands
    for command in commands:
        assert read(shlex.split(command)).engine == "ray"


def test_scripts_and_folders_exist() -> None:
    """What a page names of a checkout is there."""
    pattern = r"`(?:python )?((?:tests|metrics|hub_scripts|fair_datasets)/[\w./-]+)"
    for path in re.findall(pattern, TEXT.replace("NAME", "demographic_parity")):
        assert (ROOT / path).exists(), path


def test_no_page_takes_a_word_swap_for_counterfactual_fairness() -> None:
    """A page, card or docstring that names it says whose it is, and that a swap is something else.

    Titles of papers are names.
    """
    title = re.compile(r"Counterfactual\s+Fairness in Text Classification", re.IGNORECASE)
    phrase = re.compile(r"counterfactual(ly)?\W{1,4}fair(ness)?\b", re.IGNORECASE)
    sources = (*(ROOT / "fair_datasets").rglob("*.py"), *(ROOT / "hub_scripts").rglob("*.py"))
    cards = (ROOT / "metrics").rglob("*.[mp][dy]")
    named = []
    for file in (README, *PAGES, *cards, *sources):
        text = title.sub("", file.read_text("utf-8"))
        if phrase.search(text):
            named.append(file.stem)
            assert "Kusner" in text, file
            assert re.search(r"is not \*?counterfactual\s+fairness\*?", text), file
            assert "word swap" in text, file
    assert "fairness" in named
