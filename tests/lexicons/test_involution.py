"""The forms that a double swap does not bring back."""

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import Lexicon, load_lexicon


def one_way_forms(lexicon: Lexicon) -> dict[str, str]:
    """List the forms that become another form when they are swapped twice.

    Mum becomes dad, which becomes mom: a dictionary with synonyms is no involution. Forms that
    only the neighbours tell apart (her: him or his) are not looked into.

    Args:
        lexicon: A lexicon whose attributes have counterparts.

    Returns:
        Each such form to what it becomes, or to an empty string if its counterpart is never read.
    """
    read = {(attribute, form.text.lower()): entry for entry in lexicon.entries
        for attribute, forms in entry.forms.items()
        for form in forms if form.is_read and "title" not in form.flags}  # fmt: skip
    found = {}
    for entry in lexicon.entries:
        for attribute, counterpart in lexicon.counterparts.items():
            written = entry.forms.get(counterpart) or ()
            for form in entry.forms.get(attribute, ()) if entry.kind != "pronoun" else ():
                if form.is_read and written:
                    back = read.get((counterpart, written[0].text.lower()))
                    forms = back.forms[attribute] if back else ()
                    again = forms[0].text if forms else ""
                    if again != form.text:
                        found[form.text] = again
    return found


def _twice(texts: list[str]) -> list[str]:
    swap = CounterfactualSwap(columns="text", mode="replace", names=False)
    twice: list[str] = swap(swap({"text": texts}))["text"]
    return twice


def test_every_two_way_form_comes_back() -> None:
    """Swapping twice gives each form back that is neither listed nor decided by neighbours."""
    lexicon = load_lexicon("gender")
    one_way = one_way_forms(lexicon)
    tried: list[str] = []
    for entry in lexicon.entries:
        for attribute in lexicon.counterparts:
            for form in entry.forms.get(attribute, ()):
                written = entry.forms.get(lexicon.counterparts[attribute]) or (form,)
                if form.flags or written[0].flags - {"target"} or form.text in one_way:
                    continue
                if entry.kind == "pronoun":
                    continue
                tried.append(f"They met the {form.text} in town.")
    assert _twice(tried) == tried
    assert len(tried) > 600
