"""Which forms of a lexicon a swap does not bring back when it is done twice."""

from fair_datasets.lexicons.lexicon import Form, Lexicon


def one_way_forms(lexicon: Lexicon) -> dict[str, str]:
    """List the forms that become another form when they are swapped twice.

    Mum becomes dad, which becomes mom: a dictionary with synonyms is no involution. Forms that
    only the neighbours tell apart (her: him or his) are not looked into.

    Args:
        lexicon: A lexicon whose attributes have counterparts.

    Returns:
        Each such form to what it becomes, or to an empty string if its counterpart is never read.

    Example:
        >>> from fair_datasets import load_lexicon
        >>> forms = one_way_forms(load_lexicon("gender"))
        >>> forms["mum"], forms["miss"], "mother" in forms
        ('mom', 'ms', False)
    """
    read = {
        (attribute, form.text.lower()): entry
        for entry in lexicon.entries
        for attribute, forms in entry.forms.items()
        for form in forms
        if form.is_read and "title" not in form.flags
    }
    found = {}
    for entry in lexicon.entries:
        for attribute, counterpart in lexicon.counterparts.items():
            written = entry.forms.get(counterpart) or ()
            for form in entry.forms.get(attribute, ()) if entry.kind != "pronoun" else ():
                if form.is_read and written:
                    back = read.get((counterpart, written[0].text.lower()))
                    forms: tuple[Form, ...] = back.forms[attribute] if back else ()
                    again = forms[0].text if forms else ""
                    if again != form.text:
                        found[form.text] = again
    return found
