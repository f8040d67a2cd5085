"""What lesson 01 shows of one call: a dict of tools runs it, and what does the model get to read?"""

from __future__ import annotations

from toolkit.lab.panel import Picture
from toolkit.lab.ten_calls import Ended, Sent, Way, naive, run_one, with_errors_told

TWO_WAYS: dict[str, Way] = {"bare dict": naive, "errors told": with_errors_told}


def show_call(name: str, arguments: str) -> Picture:
    """Send one call, as text, to the bare dict and to one that tells errors, each in a fresh hotel.

    >>> show_call("get_wether", "{}").summary
    'bare dict: the run ends. errors told: the run goes on, the call is refused.'
    """
    sent = Sent("as typed", name, arguments)
    ended = {way: run_one(sent, make) for way, make in TWO_WAYS.items()}
    summary = " ".join(f"{way}: {_course(one)}." for way, one in ended.items())
    rows = [[way, _told(one), one.bookings] for way, one in ended.items()]
    return Picture(summary, ["", "what the model reads", "bookings"], rows)


def _course(one: Ended) -> str:
    if one.ending == "died":
        return "the run ends"
    return "the run goes on, the call " + ("is refused" if one.ending == "told" else "has run")


def _told(one: Ended) -> str:
    return f"nothing ({one.detail})" if one.ending == "died" else one.detail
