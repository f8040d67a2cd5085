"""The sample domain: a world with a store, tools on it, a goal, a policy, and control trajectories."""

from toolkit.hotel.catalogue import CITIES, HOTELS, TODAY
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World

__all__ = ["CITIES", "HOTELS", "HOTEL_POLICY", "TODAY", "World", "hotel_registry"]
