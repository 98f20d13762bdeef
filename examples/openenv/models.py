"""The messages, where OpenEnv looks for them."""
from seedbed.adaptors.openenv import SeedbedAction, SeedbedObservation, SeedbedState

__all__ = ["SeedbedAction", "SeedbedObservation", "SeedbedState"]
