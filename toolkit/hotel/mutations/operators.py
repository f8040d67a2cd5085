"""All operators of the hotel, in one tuple."""

from __future__ import annotations

from toolkit.hotel.mutations.attempts import ATTEMPT_OPERATORS
from toolkit.hotel.mutations.calls import CALL_OPERATORS
from toolkit.hotel.mutations.doubts import DOUBT_OPERATORS
from toolkit.hotel.mutations.recording import RECORDING_OPERATORS
from toolkit.hotel.mutations.values import VALUE_OPERATORS

OPERATORS = (*CALL_OPERATORS, *VALUE_OPERATORS, *ATTEMPT_OPERATORS, *DOUBT_OPERATORS, *RECORDING_OPERATORS)
