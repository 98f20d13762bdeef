"""Datasets as Parquet files, which the Hub takes as they are."""
from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from . import _seedbed
from ._errors import InvalidError, MismatchError

_BATCH = 1024  # rows held at a time


def to_parquet(folder: str | os.PathLike[str], out: str | os.PathLike[str] | None = None) -> Path:
    """Writes the rows of a dataset's formats of text as Parquet files, beside a copy of its card, and returns their folder.

    folder: a dataset that `build` made. `verify` checks it, this does not.
    out: where to, a folder that is not there or empty; default: FOLDER-parquet beside it.

    InvalidError, MismatchError (other rows than the manifest counts), OSError. Needs pyarrow.
    """
    import pyarrow  # noqa: F401  (if it is missing, no folder is made)

    source = Path(folder)
    target = Path(out) if out is not None else source.with_name(source.resolve().name + "-parquet")
    manifest = json.loads((source / "manifest.json").read_text(encoding="utf-8"))
    tapes = [str(source / file["name"]) for file in manifest["tapes"]]
    cuts = [section["selected"] for section in manifest.get("sections", [])]
    formats = [f for f in _seedbed.Plan(json.dumps(manifest["recipe"]), tapes, None, cuts).formats if f[3] is not None]
    if not formats:
        raise InvalidError(f"{source} has no format of text: its arrays stay as they are")
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise InvalidError(f"{target} is not empty: choose another folder")
    files = {file["name"]: file for file in manifest["files"]}
    for name, _, suffix, columns in formats:
        for shard in sorted(file for file in files if file.startswith(f"{name}-") and file.endswith(suffix)):
            _write(source / shard, target / (shard.removesuffix(suffix) + "parquet"), columns, files[shard]["rows"])
    card = (source / "README.md").read_text(encoding="utf-8")
    (target / "README.md").write_text(_card(card, formats), encoding="utf-8")
    return target


def _schema(columns: Any) -> Any:
    import pyarrow

    kinds = {"string": pyarrow.string(), "int64": pyarrow.int64(), "uint64": pyarrow.uint64(), "float64": pyarrow.float64(),
             "bool": pyarrow.bool_(),
             "message": pyarrow.struct([("role", pyarrow.string()), ("content", pyarrow.string())])}
    return pyarrow.schema([(name, pyarrow.list_(kinds[kind]) if is_list else kinds[kind]) for name, kind, is_list, _ in columns])


def _batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        while batch := list(map(json.loads, islice(lines, _BATCH))):
            yield batch


def _write(source: Path, target: Path, columns: Any, n: int) -> None:
    """Under another name until it is whole."""
    import pyarrow
    import pyarrow.parquet

    schema, part, rows = _schema(columns), target.with_name(target.name + ".part"), 0
    try:
        with pyarrow.parquet.ParquetWriter(part, schema, compression="zstd") as writer:
            for batch in _batches(source):
                writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))
                rows += len(batch)
        if rows != n:
            raise MismatchError(f"{source} has {rows} rows, and the manifest says {n}")
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _card(text: str, formats: Any) -> str:
    """The card with the names of these files, and a sentence on where they come from."""
    for name, _, suffix, _ in formats:
        text = text.replace(f"{name}-*.{suffix}", f"{name}-*.parquet")
    before, mark, after = text.partition("\n# ")
    title, _, rest = after.partition("\n")
    return (f"{before}{mark}{title}\n\nThese are the rows of the dataset's formats of text, as Parquet files. The rest of this card tells of "
            f"the dataset that they were made from: its other files are not here.\n{rest}")
