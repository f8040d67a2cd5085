# %% [markdown]
# # 04 · Keep one bad tool from stopping the others
#
# After this lesson you can run blocking tools without blocking anything else, leave a dead tool alone until it is well
# again, and put a ceiling on how often and how much a model calls. About 45 minutes. ◆ marks the [90-minute
# route](00_two_answers.ipynb).
#
# Time is virtual again. `clock.block(5)` sleeps as `time.sleep(5)` does: on the loop it stops everything, in a thread
# only that thread.

# %%
import asyncio
import functools
import inspect
import json
import threading
import time
from collections import Counter, deque
from contextvars import ContextVar
from datetime import date
from random import Random

from ipywidgets import FloatSlider, IntSlider

from toolkit import Gateway, RateLimit, ToolError, TransientError
from toolkit.gateway import BreakerSettings, Settings
from toolkit.gateway.deadline import Orphans, within
from toolkit.gateway.workers import PoolBusy
from toolkit.hotel import World
from toolkit.lab.breaker_run import CircuitOpen, draw_breaker, run_breaker, share_that_opens
from toolkit.lab.callers import dead_search, on_the_loop, together
from toolkit.lab.late_booking import STAY, late_hotel
from toolkit.lab.listing import listing
from toolkit.lab.matrix import control_matrix
from toolkit.lab.mistakes.pools import EverybodyProbes, FixedWindow, run_batch
from toolkit.lab.panel import Panel
from toolkit.lab.pool_occupancy import show_occupancy
from toolkit.lab.real_processes import ends_with_a_stuck_thread, still_counting
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons import check, hint, predict, solution

# %% [markdown]
# ## A weather tool that blocks ◆
# The weather comes from a library that knows nothing of async, so the call just blocks. Beside it runs a search that
# needs 0.1 s. Both stand under the limit of lesson 03, one second:


# %%
def weather():
    clock.block(5)
    return "rain"


clock = VirtualTime()
limited = within(1.0, on_the_loop(weather), Orphans())
ended = clock.run(together(clock, weather=limited, search=asyncio.sleep(0.1, "3 hotels")))
assert ended == {"weather": "rain after 5 s", "search": "3 hotels after 5 s"}
ended

# %% [markdown]
# The limit of one second did not fire, and the search came 4.9 s late. Timers and answers are both handled by the event
# loop, and the event loop was inside `weather`.
#
# > **An interview question.** "One of your tools hangs. Why do all the others stop, and what do you do about it?"
#
# ## The plan
# ```python
# take(tool)                      # 4  how often, how much
#     breaker.admit()             # 3  leave a dead tool alone
#         await pool.run(tool)    # 1, 2  off the loop, and not into one queue
# ```
#
# ## 1. Off the loop ◆
# `asyncio.to_thread` runs a function in a thread and awaits it there:

# %%
clock = VirtualTime()
limited = within(1.0, asyncio.to_thread(weather), Orphans())
ended = clock.run(together(clock, weather=limited, search=asyncio.sleep(0.1, "3 hotels")))
assert ended == {"weather": "LimitPassed after 1 s", "search": "3 hotels after 0.1 s"}

# %% [markdown]
# Both as they should be. And the thread that was given up? Here is a blocking tool that writes:

# %%
world = World()


def slow_book():
    clock.block(5)
    return world.book("HT-002", "suite", date(2026, 10, 1), nights=2)


# %%
predict("04.cancelled_thread")

# %% [markdown]
# The limit passes, and we look at the store at 10 s:

# %%
clock = VirtualTime()
limited = within(1.0, asyncio.to_thread(slow_book), Orphans())
ended = clock.run(together(clock, book=limited, look=asyncio.sleep(10)))
assert (ended["book"], len(world.bookings)) == ("LimitPassed after 1 s", 1)

# %% [markdown]
# **A thread cannot be killed.** Two lessons follow. After a limit nobody knows what a blocking tool did, as in lesson
# 03. And a thread that hangs is gone for good, so count them.
#
# ## 2. Not into one queue
# The pool behind `to_thread` is small: on two cores it has six threads, and whatever comes more waits in a queue. First
# a hundred calls of 0.1 s. Then six weather calls that hang for ever (`clock.block` without a number), and after them a
# price, which needs 0.2 s and has a limit of one second:

# %%
clock = VirtualTime(threads=6)
clock.run(together(clock, **{f"call_{n}": asyncio.to_thread(clock.block, 0.1) for n in range(100)}))
assert clock.now() == 1.7


# %%
def price():
    clock.block(0.2)
    return 400


clock = VirtualTime(threads=6)
stuck = {f"weather_{n}": within(1.0, asyncio.to_thread(clock.block), Orphans()) for n in range(6)}
limited = within(1.0, asyncio.to_thread(price), Orphans())
ended = clock.run(together(clock, **stuck, price=limited))
assert ended["price"] == "LimitPassed after 1 s"

# %% [markdown]
# The hundred calls took seventeen rounds. Then a healthy tool "timed out", and it was never called. The queue hid a
# full pool inside the caller's own limit. So our **pool** has no queue: who finds no thread is told so at once. And no
# tool may hold more than its share.


# %%
class Pool:
    def __init__(self, size, per_tool):
        self.size, self.per_tool = size, per_tool
        self.busy, self.lock = Counter(), threading.Lock()

    async def run(self, name, work):
        with self.lock:
            if self.busy.total() >= self.size or self.busy[name] >= self.per_tool:
                raise PoolBusy
            self.busy[name] += 1
        return await asyncio.to_thread(self.in_thread, name, work)

    def in_thread(self, name, work):
        try:
            return work()
        finally:  # here, when the thread is free, and not where somebody stopped waiting for it
            with self.lock:
                self.busy[name] -= 1


# %%
clock, pool = VirtualTime(threads=6), Pool(size=6, per_tool=3)
stuck = {f"weather_{n}": within(1.0, pool.run("weather", clock.block), Orphans()) for n in range(6)}
ended = clock.run(together(clock, **stuck, price=pool.run("price", price)))
assert ended["price"] == "400 after 0.2 s"
ended

# %% [markdown]
# Three threads are lost to the weather, the fourth caller hears it in no time, and the price arrives. The gateway's
# pool does this for every sync tool. It is also the gateway's own, so nobody else's work fills it, and it replaces
# stuck threads up to a number.
#
# ## Break it
# Two tools for 40 s, in the real pool: from 5 to 25 s each new weather call hangs. First without shares: one tool may
# take all six threads.

# %%
controls = {
    "threads": IntSlider(6, 2, 12),
    "per_tool": IntSlider(6, 1, 12),
    "replacements": IntSlider(0, 0, 12),
    "hang_s": FloatSlider(15, min=1, max=30),
}
panel = Panel("Who holds the threads", show_occupancy, controls)
panel

# %%
panel.picture.chart

# %% [markdown]
# From the tenth second on prices are refused, and even later, while the last stuck threads hang on. Now a share of
# three threads for each tool:

# %%
panel["per_tool"].value = 3
assert panel.picture.summary == "Prices answered: 80 of 80. Threads with the weather: up to 3."
panel.picture

# %% [markdown]
# ## Two smaller things
# Both are published wrongly. `run_in_executor` does not carry **context variables** over, such as who
# the user is; `to_thread` does. And a "batch" that awaits its calls in a list takes as long as all of them together:
# `[await call for call in calls]` begins the second when the first is done.

# %%
user = ContextVar("user", default="nobody")


async def ask_twice():
    user.set("guest 7")
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, user.get), await asyncio.to_thread(user.get)


assert VirtualTime().run(ask_twice()) == ("nobody", "guest 7")

# %%
slow, quick = VirtualTime(), VirtualTime()
slow.run(run_batch(asyncio.sleep(1) for _ in range(3)))
quick.run(together(quick, a=asyncio.sleep(1), b=asyncio.sleep(1), c=asyncio.sleep(1)))
assert (slow.now(), quick.now()) == (3.0, 1.0)

# %% [markdown]
# Two things only real threads and processes can show, so these run for real. A tool that computes shares one
# interpreter with all threads, so threads do not make it faster, and it cannot be stopped. In a **process** it can. And
# the standard pool waits for its threads when the program ends, stuck ones too:

# %%
stopped = {where: not still_counting(where) for where in ("thread", "process")}
ends = {kind: ends_with_a_stuck_thread(kind) for kind in ("executor", "daemon")}
assert (stopped, ends) == ({"thread": False, "process": True}, {"executor": False, "daemon": True})

# %% [markdown]
# So `@tool(registry, cpu_bound=True)` runs in a process that is killed at the limit, and the gateway's own threads are
# daemons, which the end of the program does not wait for.
#
# ## 3. A dead tool
# The hotels' server is down. Each attempt hangs until its limit of 2 s, and twenty callers try, one after the other:


# %%
def twenty_calls(settings):
    clock, reached = VirtualTime(), []
    gateway = Gateway(dead_search(reached), settings, clock=clock.now, rng=Random(7), log_sink=None)
    call = {"id": "c", "name": "search_hotels", "arguments": "{}"}
    results = [clock.run(gateway.call(call)) for _ in range(20)]
    return results, len(reached), clock.now()


results, reached, seconds = twenty_calls(Settings(breaker=None))
assert {str(result.status) for result in results} == {"timeout"}
reached, round(seconds)

# %% [markdown]
# 31 attempts at a tool that does not answer, even with the retry budget of lesson 03, and a good minute of waiting, to
# learn twenty times what the first call knew. A **circuit breaker** remembers. **Closed**, it lets calls through and
# counts. When half of the recent ones failed it is **open**, and refuses at once. After a rest it is **half-open**: one
# call, a **probe**, goes through, and its end decides.


# %%
class Breaker:
    def __init__(self, clock, rate=0.5, window=50, minimum=20, rest_s=30.0):
        self.clock, self.rate, self.minimum, self.rest_s = clock, rate, minimum, rest_s
        self.recent, self.era, self.opened_at, self.probing = deque(maxlen=window), 0, None, False

    @property
    def state(self):
        if self.opened_at is None:
            return "closed"
        return "open" if self.clock() < self.opened_at + self.rest_s else "half_open"

    def admit(self):  # a permit, or None where the tool is to be left alone
        if self.state == "open" or self.probing:
            return None
        self.probing = self.state == "half_open"
        return self.era

    def report(self, permit, failed):  # None: that says nothing about the tool
        if permit != self.era:
            return  # an answer from before the last change comes too late
        self.probing = False
        if failed is None:
            return
        if self.opened_at is None:
            self.recent.append(failed)
            if len(self.recent) < self.minimum or sum(self.recent) < self.rate * len(self.recent):
                return
            failed = True
        self.opened_at, self.era = self.clock() if failed else None, self.era + 1
        self.recent.clear()


# %%
small = functools.partial(Breaker, window=10, minimum=5, rest_s=8)
run = run_breaker(small)
assert [state for _, state in run.states[:4]] == ["closed", "open", "half_open", "open"]
draw_breaker(run)

# %% [markdown]
# While the tool is down, only the first attempts and one probe every eight seconds reach it. The rest is refused at
# once and told when to come back.
#
# Why *one* probe? In this published breaker the time decides alone. Twenty callers wait when the rest is over:

# %%
listing(EverybodyProbes)

# %%
clock = VirtualTime()
theirs, ours = EverybodyProbes(clock.now), Breaker(clock.now, minimum=5)
for _ in range(5):
    theirs.report(failed=True)
    ours.report(ours.admit(), failed=True)
clock.run(asyncio.sleep(30))
crowd = [sum(theirs.admit() for _ in range(20)), sum(ours.admit() is not None for _ in range(20))]
assert crowd == [20, 1]

# %% [markdown]
# Theirs sends all twenty to a server that is just getting up.
#
# One more number. A tool that fails by chance, one call in five, is not dead. How often does the breaker open within
# 200 calls? With a minimum of 5 calls, and with ours of 20:

# %%
hasty = share_that_opens(functools.partial(Breaker, minimum=5, window=20), failure_rate=0.2)
calm = share_that_opens(Breaker, failure_rate=0.2)
assert hasty > 0.15 > 0.01 > calm
hasty, calm

# %% [markdown]
# A few unlucky calls in a row are enough for the hasty one.
#
# And a breaker counts what it is told. This published tool reads a response as JSON without looking at its status, so
# the "overloaded" of a dead server is a success:


# %%
def read_forecast(status, body):
    return json.loads(body)


breaker = Breaker(lambda: 0.0, minimum=5)
for _ in range(20):
    permit = breaker.admit()
    forecast = read_forecast(503, '{"error": "overloaded"}')
    breaker.report(permit, failed=False)  # nothing was raised
assert (breaker.state, forecast) == ("closed", {"error": "overloaded"})

# %% [markdown]
# So look at the status first and raise, as `raise_for_status()` of an HTTP client does. The gateway finds the number in
# the exception: a 503 is an outage, counted by the breaker and worth a retry.
#
# Now into the gateway. Where does the breaker belong, inside or outside of the retry?

# %%
predict("04.reached")

# %%
settings = Settings(breaker=BreakerSettings(minimum=5), retry_share=2.0)  # no budget in the way
results, reached, _ = twenty_calls(settings)
assert reached == 5
print(Counter(str(result.status) for result in results))
print(results[-1].to_content())

# %% [markdown]
# Inside: every attempt asks for leave. Outside it would count calls, and five calls of three attempts are fifteen.
#
# ## 4. How often, how much
# A model in a loop calls a healthy tool a thousand times. "At most three a second", as it is often written:

# %%
listing(FixedWindow)

# %%
clock = VirtualTime()
window = FixedWindow(3, clock.now)
clock.run(asyncio.sleep(0.9))
taken = [window.take() for _ in range(3)]
clock.run(asyncio.sleep(0.2))
assert taken + [window.take() for _ in range(3)] == [True] * 6

# %% [markdown]
# Six calls within 0.2 s, because a new second had begun. The gateway's window moves along with time, and it has two
# more ceilings: how many at once, and how many in one session, ever. Five calls together, under each:

# %%
call = {"id": "c", "name": "book_hotel", "arguments": json.dumps(STAY)}
for policy in ({"rate_limit": RateLimit(3, 1.0)}, {"concurrency": 2}, {"max_calls": 4}):
    hotel = late_hotel(answer_after_s=0.5)
    gateway = Gateway(hotel.registry(**policy), clock=hotel.clock.now, log_sink=None)
    results = hotel.clock.run(gateway.call_all([call] * 5))
    assert len(hotel.world.bookings) == sum(result.ok for result in results)
    print(policy, dict(Counter(str(result.status) for result in results)))
print(results[-1].to_content())

# %% [markdown]
# The last text is what ends an agent that goes round in circles.
#
# ## What would have stopped them?
# The five control runs:

# %%
matrix = control_matrix("registry", "schema", "gateway")
assert all(cell.outcome == "ran" for cell in matrix.cells.values())
matrix

# %% [markdown]
# The same as after lesson 03. These limits protect the hotel, and the other tools, from a call that is too slow or
# comes too often. A wrong call that is quick and comes once passes all of them.
#
# ## At work
# Breakers, tried on twenty callers after the rest: [purgatory](https://github.com/mardiros/purgatory) 3.0.1,
# [aiobreaker](https://github.com/arlyon/aiobreaker) 1.2.0 and
# [circuitbreaker](https://github.com/fabfuel/circuitbreaker) 2.1.3 let all twenty through;
# [pybreaker](https://github.com/danielfm/pybreaker) 1.4.1 lets one, in threads. Rates:
# [limits](https://limits.readthedocs.io), which the gateway uses, counts in memory here and in Redis across machines.
# Processes: [pebble](https://pebble.readthedocs.io), which the gateway uses too; the standard library's pool cannot
# kill a task that runs. The pattern: Michael Nygard, *Release It!*, 2007. The size of asyncio's default pool: the
# [Python documentation](https://docs.python.org/3/library/concurrent.futures.html) of `ThreadPoolExecutor`.
#
# ## Exercises

# %% tags=["exercise"]
# 04.is_async

# %% tags=["exercise"]
# 04.wait_s

# %% tags=["exercise"]
# 04.guarded

# %% [markdown]
# ## What we have, and what is still wrong ◆
# An answer to the interview question: *Because it blocks the event loop, and the loop serves all tools and all timers.
# Blocking tools go into threads of a bounded pool with a share for each tool and no queue, computing ones into
# processes, which can be killed; a breaker leaves a dead tool alone; rates and caps bound the rest.*
#
# Still wrong: everybody may call everything, nobody is asked before money is spent, and changing a tool means a
# restart. Next: [05](05_tools_in_production.ipynb).
