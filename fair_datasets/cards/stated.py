"""What people state of a dataset that no program can measure, by the names that Croissant has."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from fair_datasets.system.checks import InputError, one_of

_TEXT, _TEXTS = "a text", "a text or a list of texts"
_DATE, _DATES = "a date such as 2026-11-26", "a date such as 2026-11-26, or several"
_TRUTH, _VERSION = "true or false", "a version such as 1.0.0"
_OF_ANYTHING: Mapping[str, str] = {
    "description": _TEXT,
    "url": _TEXT,
    "license": _TEXTS,
    "version": _VERSION,
    "datePublished": _DATE,
    "citeAs": _TEXT,
    "creator": _TEXTS,
    "publisher": _TEXTS,
    "keywords": _TEXTS,
    "inLanguage": _TEXTS,
}
_RESPONSIBLE: Mapping[str, str] = {
    "dataBiases": _TEXTS,
    "dataLimitations": _TEXTS,
    "personalSensitiveInformation": _TEXTS,
    "dataUseCases": _TEXTS,
    "dataSocialImpact": _TEXT,
    "hasSyntheticData": _TRUTH,
    "dataCollection": _TEXT,
    "dataCollectionType": _TEXTS,
    "dataCollectionMissingData": _TEXT,
    "dataCollectionRawData": _TEXT,
    "dataCollectionTimeframe": _DATES,
    "dataPreprocessingProtocol": _TEXTS,
    "dataImputationProtocol": _TEXT,
    "dataManipulationProtocol": _TEXT,
    "dataReleaseMaintenancePlan": _TEXT,
    "dataAnnotationProtocol": _TEXTS,
    "dataAnnotationPlatform": _TEXTS,
    "dataAnnotationAnalysis": _TEXTS,
    "annotationsPerItem": _TEXT,
    "annotatorDemographics": _TEXTS,
    "machineAnnotationTools": _TEXTS,
}
_ORIGIN: Mapping[str, str] = {"wasDerivedFrom": _TEXTS, "wasGeneratedBy": _TEXTS}
FIELDS: Mapping[str, str] = MappingProxyType({**_OF_ANYTHING, **_RESPONSIBLE, **_ORIGIN})
"""Each field that can be stated, and what it takes."""
_ASKED_FOR = ("dataLimitations", "dataBiases", "personalSensitiveInformation", "dataUseCases",
              "dataSocialImpact", "hasSyntheticData", "wasDerivedFrom",
              "wasGeneratedBy")  # fmt: skip
"""What NeurIPS asks for of a new dataset."""
_OPTIONAL = ("description", "publisher", "keywords", "inLanguage")
_NUMBER = r"(0|[1-9]\d*)"
_VERSIONS = re.compile(rf"{_NUMBER}(\.{_NUMBER}(\.{_NUMBER}([-+][0-9A-Za-z.+-]+)?)?)?", re.ASCII)


def term(field: str) -> str:
    """Return the name of a field in a Croissant file.

    Example:
        >>> term("license"), term("dataBiases"), term("wasDerivedFrom")
        ('license', 'rai:dataBiases', 'prov:wasDerivedFrom')
    """
    prefix = "rai:" if field in _RESPONSIBLE else "prov:" if field in _ORIGIN else ""
    return f"{prefix}{field}"


def is_of_many(field: str) -> bool:
    """Tell whether a Croissant file holds a list of a field.

    Example:
        >>> is_of_many("dataBiases"), is_of_many("dataSocialImpact")
        (True, False)
    """
    return FIELDS[field] in (_TEXTS, _DATES)


def stated_fields(table: Mapping[str, Any], *, owner: str) -> dict[str, Any]:
    """Check what is stated of a dataset.

    Returns:
        The fields; texts and dates as texts, where there can be several as a list.
    """
    if not isinstance(table, Mapping):
        raise InputError(f"{owner}: what is stated must be a table of fields, but it is {table!r}.")
    found = {}
    for field, value in table.items():
        one_of(field, FIELDS, owner=owner, parameter="each key")
        if _is_empty(value):
            raise InputError(f"{owner}: {field} is empty; write {FIELDS[field]}, or leave it out.")
        found[field] = _read(value, FIELDS[field])
        if found[field] is None:
            raise InputError(f"{owner}: {field} must be {FIELDS[field]}, but it is {value!r}.")
    return found


def fields_of_card(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Take what a card states in its metadata, as `stated_fields` returns it.

    Args:
        metadata: The metadata of a card, which holds much else. What is not as a field takes it
            may mean something else there, and is left out.

    Example:
        >>> fields_of_card({"language": "en", "size_categories": "n<1K", "version": {"a": 1}})
        {'inLanguage': ['en']}
    """
    named = {**metadata, **_on_the_hub(metadata)}
    read = {
        field: _read(value, FIELDS[field])
        for field, value in named.items()
        if field in FIELDS and not _is_empty(value)
    }
    return {field: value for field, value in read.items() if value is not None}


def empty_fields(croissant: Mapping[str, Any]) -> list[str]:
    """List what a Croissant file leaves empty.

    Returns:
        The names of the fields as the file would have them, those first that NeurIPS asks for.

    Example:
        >>> empty_fields({"rai:dataBiases": ["Few women."]})[:2]
        ['rai:dataLimitations', 'rai:personalSensitiveInformation']
    """
    others = [field for field in FIELDS if field not in (*_ASKED_FOR, *_OPTIONAL)]
    return [term(field) for field in (*_ASKED_FOR, *others) if term(field) not in croissant]


def told_empty(croissant: Mapping[str, Any]) -> str:
    """Say what a Croissant file leaves empty."""
    fields = empty_fields(croissant)
    asked = [field for field in fields if field in map(term, _ASKED_FOR)]
    told = [f"{', '.join(asked)} (NeurIPS asks for {'it' if len(asked) == 1 else 'them'})"]
    told = [*(told if asked else []), ", ".join(fields[len(asked) :])]
    written = "; ".join(filter(None, told))
    return f"Still empty in croissant.json: {written}." if written else ""


def _on_the_hub(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Take what the Hub has other names for."""
    sources = metadata.get("source_datasets") or []
    # Besides ids, it may say that the dataset is an original one.
    ids = [each for each in sources if isinstance(each, str) and "/" in each]
    return {
        "inLanguage": metadata.get("inLanguage", metadata.get("language")),
        "wasDerivedFrom": metadata.get("wasDerivedFrom", ids),
    }


def _is_empty(value: Any) -> bool:
    """Tell whether nothing is stated."""
    several = value if isinstance(value, list | tuple) else [value]
    return not several or any(
        each is None or (isinstance(each, str) and not each.strip()) for each in several
    )


def _read(value: Any, kind: str) -> Any:
    """Return a value in the form of its kind; None where it is of another."""
    several = list(value) if isinstance(value, list | tuple) else [value]
    if kind == _TRUTH:
        return value if isinstance(value, bool) else None
    if kind == _VERSION:
        written = str(value) if isinstance(value, int | float | str) else ""
        return written if _VERSIONS.fullmatch(written) else None
    if kind == _TEXT:
        return value if isinstance(value, str) else None
    if kind == _TEXTS:
        return several if all(isinstance(each, str) for each in several) else None
    try:
        dates = [_date(each) for each in several]
    except (TypeError, ValueError):
        return None
    if kind == _DATES:
        return dates
    return dates[0] if len(dates) == 1 else None


def _date(value: Any) -> str:
    """Write a date, or a date with a time, as ISO 8601 has it."""
    if isinstance(value, date):
        return value.isoformat()
    datetime.fromisoformat(value)
    return str(value)
