"""The client, where OpenEnv looks for it."""
from seedbed.adaptors.openenv import SeedbedAction, SeedbedEnv, SeedbedObservation

__all__ = ["SeedbedAction", "SeedbedEnv", "SeedbedObservation"]
