"""Adaptors for frameworks that train language models. Each is a module of its framework's name, which imports that; they stand on `seedbed.textplay`."""
from __future__ import annotations

import argparse
import importlib.util


def _require(package: str, extra: str, parser: argparse.ArgumentParser | None = None) -> None:
    """Says what to install if a framework is missing: as an error, or with exit code 2 to who starts a program, whose `--help` works without it."""
    if importlib.util.find_spec(package) is not None:
        return
    text = f"the package {package} is not installed: in the folder of Seedbed's sources, pip install '.[{extra}]'"
    if parser is None:
        raise ModuleNotFoundError(text, name=package)
    parser.parse_args()
    parser.exit(2, f"{parser.prog}: {text}\n")
