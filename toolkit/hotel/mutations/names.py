"""Names the operators share: tools, checks and verdicts."""

from __future__ import annotations

from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.trajectory import Verdict

PASS, FAIL, UNJUDGED, IDLE = Verdict
PLAN, WEATHER, SEARCH, BOOKING = "set_plan", "get_weather", "search_hotels", "book_hotel"
PLANNED, STEPS, SOURCE, ROOM = (check.name for check in HOTEL_POLICY.checks)
