"""A dataset as machines read it: files with digests, columns, what was measured and is stated."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.system.checks import invalid, one_of
from fair_datasets.system.portable import file_digest
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Features


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
    """Whether a Croissant file holds a list of a field.

    Example:
        >>> is_of_many("dataBiases"), is_of_many("dataSocialImpact")
        (True, False)
    """
    return FIELDS[field] in (_TEXTS, _DATES)


def stated_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """Check what is stated of a dataset.

    Returns:
        The fields; texts and dates as texts, where there can be several as a list.
    """
    if not isinstance(table, Mapping):
        raise invalid(f"what is stated must be a table of fields, but it is {table!r}.")
    fields = {}
    for field, value in table.items():
        one_of(field, FIELDS, parameter="each key")
        if _is_empty(value):
            raise invalid(f"{field} is empty; write {FIELDS[field]}, or leave it out.")
        fields[field] = _parse_value(value, FIELDS[field])
        if fields[field] is None:
            raise invalid(f"{field} must be {FIELDS[field]}, but it is {value!r}.")
    return fields


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
        field: _parse_value(value, FIELDS[field])
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


def describe_empty_fields(croissant: Mapping[str, Any]) -> str:
    """Return what a Croissant file leaves empty."""
    fields = empty_fields(croissant)
    asked = [field for field in fields if field in map(term, _ASKED_FOR)]
    parts = [f"{', '.join(asked)} (NeurIPS asks for {'it' if len(asked) == 1 else 'them'})"]
    parts = [*(parts if asked else []), ", ".join(fields[len(asked) :])]
    written = "; ".join(filter(None, parts))
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
    """Whether nothing is stated."""
    several = value if isinstance(value, list | tuple) else [value]
    return not several or any(
        each is None or (isinstance(each, str) and not each.strip()) for each in several
    )


def _parse_value(value: Any, kind: str) -> Any:
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


NAME = "croissant.json"
_CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
_FORMATS = {
    ".parquet": "application/x-parquet",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonlines",
}
_REWRITING = ("MaskErratic", "Infill")
"""Techniques that change texts, besides those that have modes."""
_TYPES = (
    (re.compile(r"bool"), "sc:Boolean"),
    (re.compile(r"int(\d+)"), r"cr:Int\1"),
    (re.compile(r"uint(\d+)"), r"cr:UInt\1"),
    (re.compile(r"float(\d+)"), r"cr:Float\1"),
    (re.compile(r"timestamp.*"), "sc:DateTime"),
    (re.compile(r"date.*"), "sc:Date"),
    (re.compile(r"time.*"), "sc:Time"),
)


class DataFile(NamedTuple):
    """A file that holds rows."""

    path: str
    split: str
    digest: str
    size: int


class Step(NamedTuple):
    """A step by which a dataset was made.

    Attributes:
        rewrites: Whether it changed texts; else it chose rows, or added columns.
    """

    label: str
    rewrites: bool
    started: str = ""
    ended: str = ""
    version: str = __version__


class Responsibility(NamedTuple):
    """What is known of a dataset as to whom it may do wrong.

    Attributes:
        synthetic_share: The share of rows whose texts are in no row of what it was made from; None
            where it was made from nothing else.
        sources: What it was made from: ids of datasets of the Hub, or names of files.
    """

    biases: Sequence[str] = ()
    limitations: Sequence[str] = ()
    synthetic_share: float | None = None
    sources: Sequence[str] = ()
    missing: str = ""
    sensitive: Sequence[str] = ()
    steps: Sequence[Step] = ()


def steps_of(configs: Iterable[Mapping[str, Any]]) -> list[Step]:
    """Name the steps that techniques were.

    Example:
        >>> config = {"technique": "CounterfactualSwap",
        ...           "parameters": {"mode": "augment", "axis": "gender", "seed": 0}}
        >>> steps_of([config])
        [Step(label='CounterfactualSwap (mode augment, axis gender, seed 0)', rewrites=True, ...)]
    """
    return [
        Step(
            _label(config),
            "mode" in config.get("parameters", {}) or config["technique"] in _REWRITING,
            version=str(config.get("version", __version__)),
        )
        for config in configs
    ]


def _label(config: Mapping[str, Any]) -> str:
    """Name a technique by the settings that a reader asks for first."""
    given = config.get("parameters", {})
    details = []
    for name in ("mode", "axis", "models", "model", "column", "quantile", "threshold", "seed"):
        value = given.get(name)
        if value not in (None, "", [], ()):
            written = " and ".join(map(str, value)) if isinstance(value, list | tuple) else value
            details.append(f"{name} {written}")
    return f"{config['technique']} ({', '.join(details)})" if details else str(config["technique"])


def data_files(folder: Path) -> list[DataFile]:
    """Find the Parquet files of a folder that a command wrote, and their digests."""
    return [
        DataFile(
            path.relative_to(folder).as_posix(), path.name.rsplit("-", 3)[0], file_digest(path),
            path.stat().st_size,
        )
        for path in sorted((folder / "data").glob("*.parquet"))
    ]  # fmt: skip


def croissant(
    title: str,
    files: Sequence[DataFile],
    features: "Features",
    *,
    stated: Mapping[str, Any] | None = None,
    responsibility: Responsibility | None = None,
) -> dict[str, Any]:
    """Describe a dataset by the Croissant vocabulary, with the fields of responsible AI.

    Source:
        MLCommons, Croissant Format Specification 1.1; Croissant RAI 1.0.
    """
    known = dict(stated or {})
    return {
        "@context": _context(),
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS_TO,
        "name": title,
        "description": known.pop("description", f"The dataset {title}."),
        **_all_known(known, responsibility or Responsibility()),
        **describe_files(files, features),
    }


@cache
def _context() -> dict[str, Any]:
    """Read the context that the specification of Croissant gives, with its vocabularies."""
    context = json.loads(Path(__file__).with_name("croissant.json").read_text("utf-8"))
    return dict(context)


def encoding_of(path: str) -> str | None:
    """Return the format of a file as Croissant names it.

    Returns:
        The format; None for one that the reference reader does not read.

    Example:
        >>> encoding_of("tweets.csv.gz"), encoding_of("tweets.csv.xz")
        ('text/csv', None)
    """
    return _FORMATS.get(Path(path.lower().removesuffix(".gz")).suffix)


def describe_files(files: Sequence[DataFile], features: "Features") -> dict[str, Any]:
    """Describe files and their columns: what of a Croissant file is of the files alone."""
    several = [file.split for file in files]
    names = dict(zip(files, _identifiers(
        file.split if several.count(file.split) == 1 else Path(file.path).name for file in files
    ), strict=True))  # fmt: skip
    addresses = dict(zip(files, _identifiers((file.path for file in files), more="/"), strict=True))
    return {
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": addresses[file],
                "name": file.path,
                "contentUrl": file.path,
                "contentSize": f"{file.size} B",
                "encodingFormat": encoding_of(file.path),
                "sha256": file.digest,
            }
            for file in files
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": names[file],
                "name": names[file],
                "description": f"The rows of {file.path}, of the split {file.split}.",
                "field": list(_fields(features, addresses[file], names[file])),
            }
            for file in files
        ],
    }


def _all_known(stated: Mapping[str, Any], measured: Responsibility) -> dict[str, Any]:
    """Write what is stated, and behind it what was measured."""
    values: Mapping[str, Sequence[str]] = {
        "dataBiases": measured.biases,
        "dataLimitations": measured.limitations,
        "dataCollectionMissingData": [measured.missing] if measured.missing else [],
        "personalSensitiveInformation": measured.sensitive,
        "dataPreprocessingProtocol": [step.label for step in measured.steps if not step.rewrites],
        "dataManipulationProtocol": [step.label for step in measured.steps if step.rewrites],
    }
    fields: dict[str, Any] = {}
    for field in FIELDS:
        value = stated.get(field)
        if own := values.get(field):
            several = [*([value] if isinstance(value, str) else value or []), *own]
            value = several if is_of_many(field) else " ".join(several)
        if field == "license" and value and len(value) == 1:
            value = value[0]
        if value is not None:
            fields[term(field)] = value
    return {**fields, **_made(stated, measured), **_agents(stated)}


def _made(stated: Mapping[str, Any], measured: Responsibility) -> dict[str, Any]:
    """Write what a dataset was made from, how, and how much of it is new."""
    fields: dict[str, Any] = {}
    if measured.synthetic_share is not None:
        is_synthetic = measured.synthetic_share > 0
        if is_synthetic and stated.get("hasSyntheticData") is False:
            raise invalid(
                f"hasSyntheticData is false, but a share of {measured.synthetic_share:.3g} of "
                "the rows have texts that do not occur in what the dataset was made from; correct "
                "hasSyntheticData."
            )
        fields["rai:hasSyntheticData"] = is_synthetic or bool(stated.get("hasSyntheticData"))
        fields["variableMeasured"] = {
            "@type": "sc:PropertyValue",
            "name": "synthetic share",
            "description": (
                "The share of rows whose texts do not occur in what the dataset was made from."
            ),
            "value": measured.synthetic_share,
        }
    if sources := dict.fromkeys([*stated.get("wasDerivedFrom", ()), *measured.sources]):
        fields["prov:wasDerivedFrom"] = list(map(_source, sources))
    activities = [{"@type": "prov:Activity", "prov:label": each}
                  for each in stated.get("wasGeneratedBy", ())]  # fmt: skip
    if activities := [*activities, *map(_activity, measured.steps)]:
        fields["prov:wasGeneratedBy"] = activities
    return fields


def _activity(step: Step) -> dict[str, Any]:
    """Write a step of this package."""
    times = {"prov:startedAtTime": step.started, "prov:endedAtTime": step.ended}
    return {
        "@type": "prov:Activity",
        "prov:label": step.label,
        **{name: time for name, time in times.items() if time},
        "prov:wasAssociatedWith": {
            "@type": "prov:SoftwareAgent",
            "prov:label": f"fair_datasets {step.version}",
        },
    }


def _agents(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Write who made a dataset, and who publishes it."""
    kinds = {"creator": "sc:Person", "publisher": "sc:Organization"}
    return {
        field: [{"@type": kind, "name": name} for name in stated[field]]
        for field, kind in kinds.items()
        if field in stated
    }


def _source(source: str) -> dict[str, str]:
    """Name what a dataset was made from: by an address if it has one."""
    if re.fullmatch(r"https?://\S+", source):
        return {"@id": source}
    if re.fullmatch(r"[\w.-]+/[\w.-]+(@[\w.-]+)?", source, re.ASCII) and not Path(source).suffix:
        name, _, commit = source.partition("@")
        address = f"https://huggingface.co/datasets/{name}"
        return {"@id": f"{address}/tree/{commit}" if commit else address}
    return {"@type": "prov:Entity", "prov:label": source}


def _fields(features: Mapping[str, Any], file: str, prefix: str) -> Iterator[dict[str, Any]]:
    """Describe the columns of a file."""
    for name, path, kind in _named(features):
        source = {"fileObject": {"@id": file}, "extract": {"column": name}}
        yield _field(f"{prefix}/{path}", name, kind, source)


def _field(identifier: str, name: str, kind: Any, source: dict[str, Any]) -> dict[str, Any]:
    """Describe a column, or a part of it."""
    from datasets import List

    field: dict[str, Any] = {"@type": "cr:Field", "@id": identifier, "name": name, "source": source}
    inner, depth = kind, 0
    while isinstance(inner, List | list):
        inner, depth = (inner.feature if isinstance(inner, List) else inner[0]), depth + 1
    if depth:
        field |= {"isArray": True, "arrayShape": ",".join(["-1"] * depth)}
    if isinstance(inner, dict):
        field["subField"] = [
            _field(
                f"{identifier}/{path}", key, part,
                {**source, "transform": {"jsonPath": f"{'[*].' * depth}{key}"}},
            )
            for key, path, part in _named(inner)
        ]  # fmt: skip
        return field
    if names := getattr(inner, "names", None):
        classes = "; ".join(f"{number}: {each}" for number, each in enumerate(names))
        field["description"] = f"A class: {classes}."
    return field | {"dataType": _data_type(inner)}


def _data_type(feature: Any) -> str:
    """Return the type of a value; what has no type of its own is text."""
    dtype = str(getattr(feature, "dtype", "string"))
    for pattern, written in _TYPES:
        if matched := pattern.fullmatch(dtype):
            return matched.expand(written)
    return "sc:Text"


def _named(features: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Give each column with its name as a part of an address, no two alike."""
    yield from zip(features, _identifiers(features), features.values(), strict=True)


def _identifiers(names: Iterable[str], more: str = "") -> list[str]:
    """Write names as parts of addresses, which hold no white space, no two alike.

    Args:
        more: What they may hold besides letters, digits and `_.-`.
    """
    identifiers: dict[str, None] = {}
    for name in names:
        written = re.sub(rf"[^\w.{more}-]", "_", name, flags=re.ASCII) or "_"
        while written in identifiers:
            written += "_"
        identifiers[written] = None
    return list(identifiers)
