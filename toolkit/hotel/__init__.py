"""The sample domain: a world with a store, tools on it, a goal, and control trajectories."""

from toolkit.hotel.catalogue import CITIES, HOTELS, TODAY
from toolkit.hotel.world import World

__all__ = ["CITIES", "HOTELS", "TODAY", "World"]
