# %% [markdown]
# # 03 · Give every call an end, and book once
#
# After this lesson you can put a limit on any tool, say which failed call may be made again, space retries so that they
# do no harm, and make booking twice impossible even when the answer got lost. About 45 minutes. ◆ marks the [90-minute
# route](00_two_answers.ipynb).
#
# Time is virtual here. `VirtualTime` is a clock with an event loop that jumps over every wait, so an hour costs nothing
# and each run gives the same seconds.

# %%
import asyncio
import json
from dataclasses import dataclass
from datetime import date
from functools import partial

from ipywidgets import Checkbox, FloatSlider, IntSlider

from toolkit import Gateway, ToolError, TransientError
from toolkit.gateway import MemoryStore, Settings
from toolkit.gateway.deadline import LimitPassed, Orphans
from toolkit.gateway.idempotency import canonical
from toolkit.hotel import World
from toolkit.lab.callers import Flaky, leave_early, slow_search
from toolkit.lab.late_booking import STAY, late_hotel, show_late_booking
from toolkit.lab.listing import listing
from toolkit.lab.matrix import control_matrix
from toolkit.lab.mistakes.deadlines import CheckedAfterwards, insist, keep_trying, retry_with_backoff
from toolkit.lab.panel import Panel
from toolkit.lab.retry_load import attempt_times, draw_attempts, draw_storm, fullest, storm
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons import check, hint, predict, solution

# %% [markdown]
# ## A search that never answers ◆
# A model asks for the weather and for hotels in one turn. The weather comes after 0.2 s. The hotels' server accepts the
# connection and then says nothing.


# %% tags=["raises-exception"]
async def turn():
    hotels = asyncio.Event().wait()  # for an answer that never comes
    return await asyncio.gather(asyncio.sleep(0.2, "rain"), hotels)


VirtualTime().run(turn())

# %% [markdown]
# In real time you would see nothing at all: no exception, no log line, and a weather report that lies there unread. One
# hung tool has hung the whole turn.
#
# > **An interview question.** "A tool of yours timed out. May your agent call it again?"
#
# ## The plan ◆
# The top function first. Four of its words do not exist yet. `within`, `Backoff` and `once` are parts of this lesson;
# `retry` is its last exercise, `03.retry`.
#
# ```python
# await once(order, ...)           # 4  one order, one booking
#     await retry(...)             # 2  only what may be made again
#         wait = Backoff()         # 3  when to come back
#         await within(1.0, ...)   # 1  every attempt ends
# ```
#
# ## 1. A limit
# This is how a time limit looks in code that has been published more than once. It is a context manager, and it knows
# what time it is:

# %%
listing(CheckedAfterwards)

# %%
predict("03.checked_afterwards")

# %% [markdown]
# A search of one second, with this limit of a tenth:

# %%
clock = VirtualTime()


async def search():
    async with CheckedAfterwards(0.1, clock):
        await asyncio.sleep(1.0)


told = clock.outcome(search())
assert clock.now() == 1.0
told

# %% [markdown]
# A remark, made when all is over. A search that hangs would never even be remarked upon.
#
# asyncio has real timers, and `asyncio.wait_for` sets one. At the limit it cancels the task and then waits for the task
# to end. Here is a tool that takes its time about that:


# %%
async def stubborn():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        await asyncio.sleep(5)  # "only tidying up"
    return "late"


clock = VirtualTime()
value = clock.run(asyncio.wait_for(stubborn(), timeout=0.1))
assert (value, clock.now()) == ("late", 5.1)

# %% [markdown]
# A limit of 0.1 s, an answer after 5.1 s, and no `TimeoutError`. A caller who wants an answer *at the limit* has to
# stop waiting then, whatever the tool does. So **within** leaves the task to itself: it becomes an **orphan**,
# cancelled, counted, and not waited for.


# %%
async def within(limit_s, work, orphans):
    """The value of `work`, or LimitPassed after `limit_s` seconds."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=limit_s)
    except asyncio.CancelledError:  # the caller went away
        orphans.adopt(task)
        raise
    if task.done():
        return task.result()
    orphans.adopt(task)
    raise LimitPassed


# %%
clock = VirtualTime()
outcome = clock.outcome(within(0.1, stubborn(), Orphans()))
assert (type(outcome), clock.now()) == (LimitPassed, 0.1)

# %% [markdown]
# The middle of `within` is about another way to end: the user closes the window, and *our* task is cancelled. A
# cancellation is not a timeout. This code takes the one for the other:

# %%
listing(keep_trying)

# %%
booking = partial(asyncio.sleep, 1, "booked")
theirs = VirtualTime().outcome(leave_early(keep_trying(booking, limit_s=2)))
ours = VirtualTime().outcome(leave_early(within(2, booking(), Orphans())))
assert (theirs, type(ours)) == ("booked", asyncio.CancelledError)

# %% [markdown]
# The user left after half a second, and theirs tried again, for nobody, and booked.
#
# ## 2. A lost answer ◆
# Now every call ends. Does that settle the matter? This tool writes the booking at once, and then its answer gets lost.
# Its caller tries again, as one does after a timeout:

# %%
world = World()


async def book():
    booking = world.book("HT-002", "suite", date(2026, 10, 1), nights=2)
    await asyncio.sleep(60)  # the answer is on its way
    return booking


listing(insist)

# %%
predict("03.lost_answer")

# %% [markdown]
# What the caller is told, and what stands in the store:

# %%
print(VirtualTime().run(insist(book, limit_s=1, attempts=3)))
assert len(world.bookings) == 3
[booking["booking_id"] for booking in world.bookings]

# %% [markdown]
# "The booking timed out", and three suites are paid for. A limit tells you that you stopped waiting. It does not tell
# you what happened. So two different things must not share a name:
#
# | no answer came, and the tool | what is known | the model is told | again by itself? |
# | --- | --- | --- | --- |
# | may run twice without harm (a search) | enough | `timeout` | yes |
# | may not (a booking) | nothing | `outcome_unknown`, "check before you repeat it" | never |
# | was never reached (connection refused) | it did not happen | what failed | yes, even a booking |
#
# A tool of the first kind is called **idempotent**. Only its author knows, so it is declared, and the default is no.
# The rule becomes code in exercise `03.may_repeat`.
#
# ## 3. When to come back
# A retry as it is found again and again. There are five mistakes in it:

# %%
listing(retry_with_backoff)

# %%
clock = VirtualTime()
recovered = clock.run(retry_with_backoff(Flaky(2), clock))
dead = clock.run(retry_with_backoff(Flaky(9), clock, max_retries=4))
never = clock.run(retry_with_backoff(Flaky(0), clock, max_retries=0))
recovered, dead, never

# %% [markdown]
# A search that failed twice and then worked, one that stays down, and one that always works. Read the three records:
#
# 1. `recovered` is a success that still carries the old error. Who looks at `error` first throws a good result away.
# 2. `dead` says 4 retries. The first attempt is no retry: there were 3.
# 3. It says 0.0 seconds. It took 1 + 2 + 3 + 4 = 10, and the last 4 of them were slept *after* the last attempt.
# 4. Those waits grow by addition. Doubling gives 1, 2, 4.
# 5. `never` failed without an error, because zero retries became zero attempts: a good tool was not even called.
#
# So count attempts, at least one. Double the waits between them, cap them, and **draw them at random**. Why that? Two
# hundred callers fail at the same moment, because the tool went down for all of them. See when they come back:


# %%
@dataclass
class Backoff:
    base_s: float = 0.1
    cap_s: float = 5.0

    def wait_s(self, attempt, rng, retry_after_s=None):
        ceiling = min(self.cap_s, self.base_s * 2 ** (attempt - 1))
        return max(rng.uniform(0, ceiling), retry_after_s or 0)


# %%
together = attempt_times(lambda attempt, rng: 2.0 ** (attempt - 1))
spread = attempt_times(Backoff(base_s=1.0, cap_s=8.0).wait_s)
assert fullest(together) == 200
draw_attempts(no_jitter=together, full_jitter=spread)

# %% [markdown]
# Without **jitter** they come back as one crowd, three times. With it, the same number of attempts is spread out. If
# the server names a time itself (`Retry-After`), `Backoff` waits at least that long.
#
# That is about *when*. Now *how often*:

# %%
predict("03.storm")

# %% [markdown]
# A tool that is down gets three times its usual load, from callers who mean well. It is called a **retry storm**, and
# it keeps a server down that was about to recover. A budget ends it: each call earns a small share of a retry, each
# retry costs a whole one. A share of 0.09 and a reserve of ten keep the load below 1.1 times the usual one here.


# %%
class RetryBudget:
    def __init__(self, share=0.09, reserve=10.0):
        self.share, self.reserve, self.left = share, reserve, reserve

    def earn(self):
        self.left = min(self.left + self.share, self.reserve)

    def spend(self):
        if self.left < 1:
            return False
        self.left -= 1
        return True


# %%
loads = {"no budget": storm(None), "with a budget": storm(RetryBudget())}
per_call = {name: len(reached) / 600 for name, reached in loads.items()}
assert per_call["with a budget"] < 1.1 < 1.6 < per_call["no budget"]
draw_storm(loads)

# %% [markdown]
# With a budget a short hiccup is retried freely, from the reserve. In a long outage the load stays near that of a
# normal day.
#
# ## 4. One order, one booking ◆
# Back to the lost answer. Nothing after the fact can tell whether it was booked, so something has to be written down
# *before*. Two calls are the same order when they have the same **idempotency key**. **once** claims the key, runs, and
# writes down what became of it. A record that was claimed and not finished means that nobody knows, and then the answer
# is exactly that.


# %%
async def once(store, key, arguments, work):
    """Run `work()` for the first caller of `key`; tell later ones what became of it."""
    record = await store.claim(key, arguments)
    if record is None:
        try:
            value = await work()
        except BaseException:  # a limit, a cancellation: it may have taken effect
            await store.mark_unknown(key)
            raise
        await store.finish(key, json.dumps(value))
        return value
    if record.arguments != arguments:
        raise ValueError("this key was used with other arguments")
    if record.state != "done":
        raise LookupError("it was started before, and nobody knows whether it took effect")
    return json.loads(record.result)


# %% [markdown]
# Which arguments are the same? `canonical` gives them one form, whatever the order of their keys. The user books,
# leaves before the answer comes, and then the same order is sent again:

# %%
assert canonical(STAY) == canonical(dict(reversed(STAY.items())))
world, store, clock = World(), MemoryStore(), VirtualTime()
first = clock.outcome(leave_early(once(store, "order-7", canonical(STAY), book)))
second = clock.outcome(once(store, "order-7", canonical(STAY), book))
assert len(world.bookings) == 1
first, second

# %% [markdown]
# Cancelled once, asked twice, booked once, and the answer is honest.
#
# ## All of it, in the gateway
# `Gateway` has these four parts. What a tool needs is said where it is declared. `idempotency_key=True` makes the
# key out of the tool's name, the session and the arguments. So of two equal bookings that are both wanted only one is
# made, unless an argument, such as an order number, tells them apart; a name instead of True takes that argument as
# the key. `late_hotel` is the hotel from above, whose answer takes ten seconds:

# %%
hotel = late_hotel(answer_after_s=10)
registry = hotel.registry(idempotent=False, timeout_s=1, idempotency_key=True)
gateway = Gateway(registry, clock=hotel.clock.now, log_sink=None)
call = {"id": "call_1", "name": "book_hotel", "arguments": json.dumps(STAY)}
first, second = [hotel.clock.run(gateway.call(call)) for _ in range(2)]
assert (first.status, second.attempts, len(hotel.world.bookings)) == ("outcome_unknown", 0, 1)
print(first.to_content(), second.to_content(), sep="\n")

# %% [markdown]
# This is what the model reads. Neither text says "failed", and the second call did not reach the hotel.
#
# Two more things. The limit is for one attempt, but the user waits for the whole call, so there is a **total deadline**
# around all attempts and waits: this search may try five times, if it can do so in 2.5 s. And ten callers at once with
# the same order, such as a model that repeats itself within one turn, are answered with one booking.

# %%
clock = VirtualTime()
patient = Settings(timeout_s=1, attempts=5, deadline_s=2.5)
gateway = Gateway(slow_search(10), patient, clock=clock.now, log_sink=None)
result = clock.run(gateway.call({"id": "call_1", "name": "search_hotels", "arguments": "{}"}))
assert result.duration_ms <= 2500
result.status, result.attempts, result.duration_ms

# %%
hotel = late_hotel(answer_after_s=0.5)
registry = hotel.registry(idempotency_key=True)
gateway = Gateway(registry, clock=hotel.clock.now, log_sink=None)
results = hotel.clock.run(gateway.call_all([call] * 10))
assert len({json.dumps(result.value) for result in results}) == 1
sum(result.replayed for result in results), len(hotel.world.bookings)

# %% [markdown]
# Ten equal answers, nine of them read from the record of the one booking.
#
# ## Break it ◆
# A model books, hears of a failure, and books again a second later. Move the limit over the time of the answer, raise
# the attempts, switch the key on and off.

# %%
controls = {
    "answer_after_s": FloatSlider(4, min=0.5, max=10, step=0.5),
    "limit_s": FloatSlider(1, min=0.5, max=10, step=0.5),
    "attempts": IntSlider(3, 1, 5),
    "declared_idempotent": Checkbox(False),
    "key": Checkbox(False),
}
panel = Panel("A booking that answers late", show_late_booking, controls)
panel

# %% [markdown]
# Three attempts were allowed and one was made, because the tool is not declared idempotent; the second booking is the
# model's own. Now lie, and declare that a repeat does no harm. Then take the lie back and switch the key on.

# %%
panel["declared_idempotent"].value = True
assert panel.picture.summary == "The model heard timeout, then timeout. 6 bookings stand in the store."
panel.picture.chart

# %%
panel["declared_idempotent"].value, panel["key"].value = False, True
assert "1 booking stands" in panel.picture.summary
panel.picture

# %% [markdown]
# The gateway believes what a tool declares: with the lie six suites are booked, and the model is told `timeout`, as if
# nothing had happened. With the key one is booked, and the model is told that nobody knows.
#
# ## What would have stopped them?
# The five control runs again, now also through the gateway of this lesson:

# %%
matrix = control_matrix("registry", "schema", "gateway")
assert all(cell.outcome == "ran" for cell in matrix.cells.values())
matrix

# %% [markdown]
# Nothing new is caught, and that is right. These runs are wrong in what they *decide*: each of their calls is valid, in
# time, and made once. This layer sees to it that a call ends, not that it was the right call to make.
#
# ## At work
# Retries: [stamina](https://stamina.hynek.me), which repeats the exceptions you name, with backoff, jitter, and limits
# on attempts and on time. Tried with 26.1.0: it looks at its time limit between attempts and does not interrupt one; it
# passes a cancellation on; and a booking that raised `TimeoutError` was made three times, because what may be repeated
# is for you to say. That rule is exercise `03.may_repeat`.
#
# Where it comes from: jitter, Marc Brooker, [Exponential Backoff And
# Jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/) (2015); the retry budget, a
# tenth there, [Handling Overload](https://sre.google/sre-book/handling-overload/) in Google's book on site reliability;
# keys, [Stripe's API](https://docs.stripe.com/api/idempotent_requests), which also compares the arguments and refuses
# others under the same key.
#
# ## Exercises
# Three parts of a retry, from the numbers to the loop.

# %% tags=["exercise"]
# 03.waits

# %% tags=["exercise"]
# 03.may_repeat

# %% tags=["exercise"]
# 03.retry

# %% [markdown]
# ## What we have, and what is still wrong ◆
# An answer to the interview question: *If the tool is declared idempotent, yes, after a random wait that doubles and
# within a budget. If not, only where nothing was sent. Otherwise the outcome is unknown: the agent looks it up, or
# sends the same order under the same key, which cannot book twice.*
#
# Still wrong: every tool here was polite enough to be async. A tool that blocks stops our loop, and all our timers with
# it. And a dead tool is asked again by every new call. Next: [04](04_pools_breakers_limits.ipynb).
