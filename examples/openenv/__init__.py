"""Seedbed for OpenEnv's discovery: `AutoEnv.from_env("seedbed")`."""
from .client import SeedbedAction, SeedbedEnv, SeedbedObservation

__all__ = ["SeedbedAction", "SeedbedEnv", "SeedbedObservation"]
