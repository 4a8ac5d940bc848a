"""A dataset as machines read it: its files with their digests, its columns, what was measured."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.digests import file_digest

if TYPE_CHECKING:
    from datasets import Features

NAME = "croissant.json"
_CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
_FORMATS = {
    ".parquet": "application/x-parquet",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonlines",
}
_PLAIN = ("citeAs", "column", "extract", "field", "fileProperty", "fileObject", "fileSet", "format",
          "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet",
          "references", "regex", "repeated", "replace", "samplingRate", "separator", "source",
          "subField", "transform", "arrayShape", "containedIn", "equivalentProperty",
          "isArray")  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _PLAIN},
}
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
    """A file that holds rows.

    Attributes:
        path: Where it lies, from the folder of the Croissant file on.
        split: The split whose rows it holds.
        digest: The SHA-256 of its bytes.
        size: Its bytes.
    """

    path: str
    split: str
    digest: str
    size: int


class Responsibility(NamedTuple):
    """What is said of a dataset as to whom it may do wrong.

    Attributes:
        biases: What was measured.
        limitations: What cannot be concluded, and what was not measured.
        synthetic_share: The share of rows whose texts are in no row of what it was made from; None
            where it was made from nothing else.
        sources: What it was made from: ids of datasets of the Hub, or names of files.
    """

    biases: Sequence[str] = ()
    limitations: Sequence[str] = ()
    synthetic_share: float | None = None
    sources: Sequence[str] = ()


def data_files(folder: Path) -> list[DataFile]:
    """Find the Parquet files of a folder that a command wrote, and their digests.

    Args:
        folder: The folder of the whole dataset.

    Returns:
        The files, in the order of their names.
    """
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
    description: str = "",
    metadata: Mapping[str, Any] | None = None,
    responsibility: Responsibility | None = None,
    url: str = "",
) -> dict[str, Any]:
    """Describe a dataset by the Croissant vocabulary, with the fields of responsible AI.

    Args:
        title: The dataset's name.
        files: The files that hold its rows.
        features: Their columns.
        description: What it is.
        metadata: What its card states, of which the licence is taken over.
        responsibility: What was measured, and what it was made from.
        url: Its page, where it has one.

    Returns:
        The JSON-LD data.

    Example:
        >>> from datasets import Features, Value
        >>> file = DataFile("data/train-00000-of-00001.parquet", "train", "0" * 64, 9)
        >>> found = croissant("twin", [file], Features({"text": Value("string")}))
        >>> [each["field"][0]["dataType"] for each in found["recordSet"]]
        ['sc:Text']

    Source:
        MLCommons, Croissant Format Specification 1.1; Croissant RAI 1.0.
    """
    licence = (metadata or {}).get("license")
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS_TO,
        "name": title,
        "description": description or f"The dataset {title}.",
        **({"url": url} if url else {}),
        **({"license": licence} if licence else {}),
        **_responsible(responsibility or Responsibility()),
        **described(files, features),
    }


def encoding_of(path: str) -> str | None:
    """Return the format of a file as Croissant names it.

    Args:
        path: The file, which may be compressed by gzip.

    Returns:
        The format; None for one that the reference reader does not read.

    Example:
        >>> encoding_of("tweets.csv.gz"), encoding_of("tweets.csv.xz")
        ('text/csv', None)
    """
    return _FORMATS.get(Path(path.lower().removesuffix(".gz")).suffix)


def described(files: Sequence[DataFile], features: "Features") -> dict[str, Any]:
    """Describe files and their columns: what of a Croissant file is of the files alone.

    Args:
        files: The files.
        features: Their columns.

    Returns:
        The distribution, and a record set for each file.
    """
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


def _responsible(said: Responsibility) -> dict[str, Any]:
    """Write what is said of whom a dataset may do wrong."""
    found: dict[str, Any] = {}
    if said.biases:
        found["rai:dataBiases"] = list(said.biases)
    if said.limitations:
        found["rai:dataLimitations"] = list(said.limitations)
    if said.synthetic_share is not None:
        found["rai:hasSyntheticData"] = said.synthetic_share > 0
        found["variableMeasured"] = {
            "@type": "sc:PropertyValue",
            "name": "synthetic share",
            "description": "The share of rows whose texts are in no row of what the dataset was "
            "made from.",
            "value": said.synthetic_share,
        }
    if said.sources:
        found["prov:wasDerivedFrom"] = [_source(source) for source in said.sources]
    return found


def _source(source: str) -> dict[str, str]:
    """Name what a dataset was made from: by an address if it has one."""
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
    found = str(getattr(feature, "dtype", "string"))
    for pattern, written in _TYPES:
        if matched := pattern.fullmatch(found):
            return matched.expand(written)
    return "sc:Text"


def _named(features: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Give each column with its name as a part of an address, no two alike."""
    yield from zip(features, _identifiers(features), features.values(), strict=True)


def _identifiers(names: Iterable[str], more: str = "") -> list[str]:
    """Write names as parts of addresses, which hold no white space, no two alike.

    Args:
        names: The names.
        more: What they may hold besides letters, digits and `_.-`.

    Returns:
        The parts, in the order of the names.
    """
    found: dict[str, None] = {}
    for name in names:
        written = re.sub(rf"[^\w.{more}-]", "_", name, flags=re.ASCII) or "_"
        while written in found:
            written += "_"
        found[written] = None
    return list(found)
