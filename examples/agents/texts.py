"""Finds `prompts` and `thinking`, which the Python package has, too: from texts import prompts, thinking. They need the standard library only, so they are taken
from the clone, or where the examples are installed from this folder, without building or installing the package; elsewhere from the package.
"""
import importlib
import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = (os.path.join(HERE, "..", "..", "python", "seedbed"), HERE)
NAME = "seedbed_texts"


def package():
    """The name of a package that has the modules."""
    folder = next((folder for folder in FOLDERS if os.path.exists(os.path.join(folder, "prompts.py"))), None)
    if folder is None:
        return "seedbed"
    if NAME not in sys.modules:
        spec = importlib.machinery.ModuleSpec(NAME, None, is_package=True)
        spec.submodule_search_locations = [folder]
        sys.modules[NAME] = importlib.util.module_from_spec(spec)
    return NAME


prompts, thinking = (importlib.import_module(f"{package()}.{module}") for module in ("prompts", "thinking"))
