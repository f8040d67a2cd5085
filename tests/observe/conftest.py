"""Lines of a log, made as short as a test wants them."""

from __future__ import annotations

import pytest

from toolkit.observe.lines import Line
from toolkit.records import Status


@pytest.fixture
def line():
    """Makes a line: `line(60.0, "timeout", tool="search_hotels")`; a success without a status."""

    def make(ended_s=0.0, status="success", *, tool="search_hotels", duration_ms=0.0, **more):
        return Line(ended_s, tool, Status(status), duration_ms, **more)

    return make
