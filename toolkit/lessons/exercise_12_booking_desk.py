"""Exercise 12.BookingDesk: a booking that may be sent as often as one likes."""

from __future__ import annotations

from toolkit.lessons.checkers_12_booking_desk import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SOLUTION = '''\
class Record:
    def __init__(self, order):
        self.order, self.reference, self.lock = copy.deepcopy(order), uuid4().hex, asyncio.Lock()
        self.maybe_booked, self.booking, self.ends = False, None, None


class BookingDesk:
    """Takes orders as often as they come, and makes each booking once."""

    def __init__(self, hotel, *, now, keep_s):
        self._hotel, self._now, self._keep_s, self._records = hotel, now, keep_s, {}

    async def book(self, guest, key, order):
        """The booking of this order. Raises `ToolError` where the key was used for another one."""
        self._records = {name: it for name, it in self._records.items() if it.ends is None or it.ends > self._now()}
        record = self._records.setdefault((guest, key), Record(order))
        if record.order != order:
            raise ToolError(f"The key {key!r} was used for another order. Take a new key for a new order.")
        async with record.lock:  # deliveries of one order wait for each other, and for nobody else
            record.ends = None
            try:
                record.booking = record.booking or await self._find(record) or await self._make(record)
            finally:
                record.ends = self._now() + self._keep_s
        return dict(record.booking)

    async def _find(self, record):
        return await self._hotel.find(record.reference) if record.maybe_booked else None

    async def _make(self, record):
        record.maybe_booked = True  # from here on, until the hotel says something
        try:
            return await self._hotel.book(record.reference, record.order)
        except ToolError:
            record.maybe_booked = False
            raise'''

_ONE_TASK = '''\
class BookingDesk:
    """The first delivery starts a task, and every other one waits for it. A caller who leaves leaves the task alone."""

    def __init__(self, hotel, *, now, keep_s):
        self.hotel, self.now, self.keep_s = hotel, now, keep_s
        self.orders, self.tasks, self.ended = {}, {}, {}

    async def book(self, guest, key, order):
        name = (guest, key)
        for old in [each for each, moment in self.ended.items() if moment + self.keep_s <= self.now()]:
            del self.orders[old], self.tasks[old], self.ended[old]
        known, reference = self.orders.setdefault(name, (copy.deepcopy(order), str(uuid4())))
        if known != order:
            raise ToolError(f"{key!r} stands for another order.")
        task = self.tasks.get(name)
        if task is None or task.done() and task.exception():
            again = task is not None
            self.ended.pop(name, None)
            task = self.tasks[name] = asyncio.ensure_future(self.settle(name, known, reference, again))
        return dict(await asyncio.shield(task))

    async def settle(self, name, order, reference, again):
        try:
            found = await self.hotel.find(reference) if again else None
            return found or await self.hotel.book(reference, order)
        finally:
            self.ended[name] = self.now()'''

_HOTEL_KNOWS = '''\
class BookingDesk:
    """Keeps no booking at all: the hotel's own store says what was booked. Here are only names, and who is at work."""

    def __init__(self, hotel, *, now, keep_s):
        self.hotel, self.now, self.keep_s = hotel, now, keep_s
        self.names, self.at_work, self.changed = {}, set(), asyncio.Condition()

    def reference_of(self, name, order):
        for old, (reference, _, last) in list(self.names.items()):
            if reference not in self.at_work and last + self.keep_s <= self.now():
                del self.names[old]
        reference, known, _ = self.names.setdefault(name, (str(uuid4()), copy.deepcopy(order), self.now()))
        if known != order:
            raise ToolError("This key was used for something else.")
        return reference

    async def book(self, guest, key, order):
        reference = self.reference_of((guest, key), order)
        async with self.changed:
            await self.changed.wait_for(lambda: reference not in self.at_work)
            self.at_work.add(reference)
        try:
            return await self.hotel.find(reference) or await self.hotel.book(reference, order)
        finally:
            self.names[guest, key] = reference, copy.deepcopy(order), self.now()
            self.at_work.discard(reference)
            async with self.changed:
                self.changed.notify_all()'''


def _but(mistake: str, says: str, *parts: str) -> WrongAnswer:
    """The solution with some parts, each followed by what stands there instead."""
    code = _SOLUTION
    for part, other in zip(parts[::2], parts[1::2], strict=True):
        assert part in code, part
        code = code.replace(part, other)
    return WrongAnswer(mistake, code, says)


BOOKING_DESK = Exercise(
    id="12.BookingDesk",
    task="**Guests press the button twice, networks lose answers, and our agent repeats itself. Make booking safe to "
    "retry. Twenty minutes.**\n\n"
    "A class `BookingDesk(hotel, *, now, keep_s)` with one method, `await desk.book(guest, key, order)`. `order` is a "
    "dict of JSON values. The guest's client chooses a key for each order and sends it along whenever it sends that "
    "order again. The answer, to each of them, is the hotel's booking, a dict; an order that we do not take raises "
    "`ToolError`. Keys are kept for `keep_s` seconds by `now()`, counted from the answer.\n\n"
    "Of the hotel you have two methods. `await hotel.book(reference, order)` makes a booking, each time it is called: "
    "it returns it, or raises `ToolError` (refused for now, nothing was booked) or `TimeoutError` (nobody knows). "
    "`await hotel.find(reference)` gives the booking that stands under a reference of yours, or None. What the hotel "
    "raises goes to the guest. All runs in one process and one event loop.",
    minutes=20,
    difficulty="hard",
    hints=(
        "A dict from guest and key to what you know of that order. What has to be in it, so that you can tell the same "
        "order from another one?",
        "Between looking into the dict and writing the booking into it there is an `await`. What happens if the order "
        "comes again just then? An `asyncio.Lock` for each order, or one task that all await.",
        "Three ways an attempt can end without a booking: refused (nothing was booked: try again), timed out, and "
        "cancelled (nobody knows: ask `find` first, under the reference you used).",
        "A record is made before the first `await`, with a reference of its own, `uuid4().hex`. It is forgotten only "
        "where its last attempt ended `keep_s` ago.",
    ),
    setup="import asyncio\nimport copy\nfrom uuid import uuid4\nfrom toolkit import ToolError",
    stub='''\
class BookingDesk:
    """Takes orders as often as they come, and makes each booking once."""

    def __init__(self, hotel, *, now, keep_s):
        self._hotel, self._now, self._keep_s = hotel, now, keep_s

    async def book(self, guest, key, order):
        """The booking of this order. Raises `ToolError` where the key was used for another one."""
        raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_ONE_TASK, _HOTEL_KNOWS),
    wrong=(
        _but(
            "keeps the order, and not the booking",
            "one key, one order, sent twice: the hotel holds 2 bookings, not 1",
            *("record.booking or await self._find(record) or await", "await"),
        ),
        _but(
            "takes every order of a guest for one",
            "a new key is a new order, and got the old booking",
            *("setdefault((guest, key)", "setdefault(guest"),
        ),
        _but(
            "takes the spelling for the order",
            "expected the hotel's booking, got ToolError(\"The key 'k1' was used for another order.",
            *("record.order != order", "str(record.order) != str(order)"),
        ),
        _but(
            "gives whatever order the booking of the key",
            "expected a ToolError, got BK-0001",
            *("if record.order != order", "if False"),
        ),
        _but(
            "takes the order for its key",
            "the hotel holds 2 bookings, not 1",
            *("(guest, key), Record", "(guest, key, repr(sorted(order.items()))), Record"),
        ),
        _but(
            "takes keys for the whole world's",
            "'guest 7' with the key '1' was given another guest's booking",
            *("setdefault((guest, key)", "setdefault(key"),
        ),
        _but(
            "glues guest and key together",
            "'a' with the key 'b:c' was given another guest's booking",
            *("setdefault((guest, key)", 'setdefault(f"{guest}:{key}"'),
        ),
        _but(
            "keeps a refusal as the answer",
            "and the guest is told the old refusal",
            *("            record.maybe_booked = False\n", "            record.refused = True\n"),
            *(
                "record.ends = None\n",
                'record.ends = None\n            if hasattr(record, "refused"):\n                raise ToolError("")\n',
            ),
        ),
        _but(
            "marks an order as under way and never takes it back",
            "the next delivery of the order got no answer",
            *("async with record.lock:", "await record.lock.acquire()\n        if True:"),
            *(
                "        return dict(record.booking)",
                "        record.lock.release()\n        return dict(record.booking)",
            ),
        ),
        _but(
            "looks, waits, and then writes",
            "five deliveries of one order at once: the hotel holds 5 bookings, not 1",
            *("async with record.lock:", "if True:"),
        ),
        _but(
            "has one lock for all",
            "the last was served after 4 s",
            *("async with record.lock:", "async with self.__dict__.setdefault('_lock', asyncio.Lock()):"),
        ),
        _but(
            "books again when an answer was lost",
            "whose answer was lost and which was then sent again: the hotel holds 3 bookings, not 2",
            *("if record.maybe_booked else None", "if False else None"),
        ),
        _but(
            "takes a timeout for a booking",
            "the request was lost, and then sent again: expected the hotel's booking, got ",
            *(
                "or await self._make(record)",
                "or await (self._make(record) if not record.maybe_booked else asyncio.sleep(0, {}))",
            ),
        ),
        _but(
            "forgets an order that its caller left",
            "a guest left while the hotel worked, and the order came again: the hotel holds 2 bookings, not 1",
            *("        except ToolError:", "        except (ToolError, asyncio.CancelledError):"),
        ),
        _but("keeps the caller's dict", "the nights in its dict to 5", "copy.deepcopy(order)", "order"),
        _but(
            "gives every caller the same dict",
            "a caller changed the answer it had, and the order came again: its booking: expected 'BK-0001', got 'mine'",
            *("return dict(record.booking)", "return record.booking"),
        ),
        _but("keeps keys for ever", "and the key was kept for ever", "it.ends > self._now()", "True"),
        _but(
            "counts from when the order came",
            "an order that is still under way after keep_s",
            *("record.ends = None\n", "record.ends = self._now() + self._keep_s\n"),
        ),
    ),
    rubric=RUBRIC,
)
