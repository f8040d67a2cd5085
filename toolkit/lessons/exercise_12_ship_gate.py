"""Exercise 12.ship_gate: may this agent ship? From the verdicts of many runs, with a reason."""

from __future__ import annotations

from toolkit.lessons.checkers_12_ship_gate import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SOLUTION = """\
# the task with the lowest rate, and its counts
def worst_task(tasks):
    counted = [(name, runs.count(PASS), runs.count(PASS) + runs.count(FAIL)) for name, runs in tasks.items()]
    judged = [each for each in counted if each[2]]
    return min(judged, key=lambda each: each[1] / each[2], default=("no task", 0, 0))


def pass_power(tasks, k):
    powers = []
    for runs in tasks.values():
        passed, judged = runs.count(PASS), runs.count(PASS) + runs.count(FAIL)
        if judged < k:
            return None
        powers.append(comb(passed, k) / comb(judged, k))
    return sum(powers) / len(powers) if powers else None


# what holds whether the runs that were not judged all failed or all passed
def decide(passed, unjudged, attempted, bar):
    if attempted and wilson_interval(passed, attempted).low >= bar:
        return "ship"
    if attempted and wilson_interval(passed + unjudged, attempted).high < bar:
        return "hold"
    return "not enough runs"


def ship_gate(tasks, bar, k):
    runs = [verdict for verdicts in tasks.values() for verdict in verdicts]
    passed, judged = runs.count(PASS), runs.count(PASS) + runs.count(FAIL)
    unjudged = len(runs) - judged
    name, good, of = worst_task(tasks)
    return {
        "decision": decide(passed, unjudged, len(runs), bar),
        "rate": passed / judged if judged else None,
        "interval": tuple(wilson_interval(passed, judged)) if judged else None,
        "pass_power": pass_power(tasks, k),
        "reason": f"{passed} of {judged} judged runs passed, {unjudged} unjudged; worst task: {name}, {good} of {of}.",
    }"""

_WITH_THE_KIT = """\
from toolkit.trajectory.statistics import Tally, pass_power


def decision(tally, bar):
    if not tally.attempted:
        return "not enough runs"
    low, high = (wilson_interval(round(end * tally.attempted), tally.attempted) for end in tally.bounds)
    return "ship" if low.low >= bar else "hold" if high.high < bar else "not enough runs"


def ship_gate(tasks, bar, k):
    tallies = {name: Tally.of(verdicts) for name, verdicts in tasks.items()}
    total = Tally.of(verdict for verdicts in tasks.values() for verdict in verdicts)
    worst = min(tallies, key=lambda name: 1.0 if tallies[name].rate is None else tallies[name].rate, default="none")
    return {
        "decision": decision(total, bar),
        "rate": total.rate,
        "interval": total.interval and tuple(total.interval),
        "pass_power": pass_power(tallies.values(), k),
        "reason": f"{total.passed} of {total.judged} passed, {total.unjudged} unjudged; look at {worst} first.",
    }"""

_EVERY_ENDING = '''\
from itertools import combinations


def verdict_of(hits, trials, bar):
    low, high = wilson_interval(hits, trials)
    return "ship" if low >= bar else "hold" if high < bar else "not enough runs"


def drawn(verdicts, k):
    """All draws of k judged runs, each told by whether all of them passed."""
    return [all(draw) for draw in combinations([each is PASS for each in verdicts if each in (PASS, FAIL)], k)]


def ship_gate(tasks, bar, k):
    runs = sum(tasks.values(), [])
    judged = [each for each in runs if each in (PASS, FAIL)]
    passed, open_ = judged.count(PASS), len(runs) - len(judged)
    endings = {verdict_of(passed + more, len(runs), bar) for more in range(open_ + 1)} if runs else set()
    draws = [drawn(verdicts, k) for verdicts in tasks.values()]
    by_failures = sorted(tasks, key=lambda name: tasks[name].count(FAIL) / (len(tasks[name]) or 1))
    return {
        "decision": endings.pop() if len(endings) == 1 else "not enough runs",
        "rate": passed / len(judged) if judged else None,
        "interval": tuple(wilson_interval(passed, len(judged))) if judged else None,
        "pass_power": sum(sum(each) / len(each) for each in draws) / len(draws) if draws and all(draws) else None,
        "reason": f"passed {passed}, judged {len(judged)}, not judged {open_}; most failures: {by_failures[-1:]}",
    }'''


def _but(part: str, other: str) -> str:
    assert part in _SOLUTION
    return _SOLUTION.replace(part, other)


_INTERVAL = "tuple(wilson_interval(passed, judged)) if judged else None"
_POWER = "comb(passed, k) / comb(judged, k)"
_TEXTBOOK = """


def textbook(passed, judged):
    rate = passed / judged
    error = 1.96 * (rate * (1 - rate) / judged) ** 0.5
    return rate - error, rate + error"""

SHIP_GATE = Exercise(
    id="12.ship_gate",
    task="The new agent has been run many times on every task, and a policy has judged the runs. **May it ship?**\n\n"
    "`ship_gate(tasks, bar, k)` gets a dict of task name to the list of its runs' verdicts: `PASS`, `FAIL`, "
    "`NOT_JUDGEABLE`, `NOT_APPLICABLE`, or `None` where the harness left no recording. It returns a dict:\n\n"
    "- `rate`: of all runs judged (passed or failed), the share that passed; `interval`: its 95 % interval, a tuple; "
    "both `None` where none was judged;\n"
    "- `pass_power`: pass^k, the chance that `k` runs drawn from a task's judged runs all pass, the mean over tasks; "
    "`None` where a task has fewer;\n"
    '- `decision`: `"ship"` where the runs show that the agent passes at least the share `bar`, `"hold"` where they '
    'show that it does not, else `"not enough runs"`;\n'
    "- `reason`: one sentence for the release meeting, with the counts to check it by (passed, judged, not judged) "
    "and with what an average hides.\n\n"
    "Show means at 95 %, over all runs of all tasks together, and whichever way those would have come out that neither "
    "passed nor failed. "
    "`wilson_interval(hits, trials)` gives an interval with `low` and `high`; it takes no empty sample.",
    minutes=15,
    difficulty="medium",
    hints=(
        "Count first: passed, judged, all. Everything else is made of these three, for all tasks and for each.",
        "A run that was not judged passed or failed; nobody knows. Decide once as if all of them had failed and once "
        "as if all had passed. What if the two differ?",
        "Ten of ten passed is no proof of nine in ten: compare the bar with an end of the interval, and not with the "
        "rate. The lower end speaks for shipping, the upper end against it.",
        "ship: `wilson_interval(passed, attempted).low >= bar`; hold: `wilson_interval(passed + unjudged, "
        "attempted).high < bar`. pass^k of a task is `comb(passed, k) / comb(judged, k)`.",
    ),
    setup=(
        "from math import comb\nfrom toolkit.trajectory import Verdict\n"
        "from toolkit.trajectory.statistics import wilson_interval\n"
        "PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict"
    ),
    stub='''\
def ship_gate(tasks, bar, k):
    """Whether an agent may ship, what that rests on, and why: decision, rate, interval, pass_power, reason."""
    raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_WITH_THE_KIT, _EVERY_ENDING),
    wrong=(
        WrongAnswer(
            "takes a run that was not judged for a failure",
            _but('"rate": passed / judged if judged', '"rate": passed / len(runs) if runs'),
            "counted as failures",
        ),
        WrongAnswer(
            "compares the rate with the bar",
            _but("wilson_interval(passed, attempted).low", "passed / attempted"),
            "10 of 10 passed, as with an agent that passes 8 of 10",
        ),
        WrongAnswer(
            "holds whatever it cannot ship",
            _but("wilson_interval(passed + unjudged, attempted).high < bar", "True"),
            "expected 'not enough runs', got 'hold'",
        ),
        WrongAnswer(
            "trusts the interval of the textbook",
            _but(_INTERVAL, "textbook(passed, judged) if judged else None") + _TEXTBOOK,
            "has no width, as if 10 runs were proof",
        ),
        WrongAnswer("puts runs back", _but(_POWER, "(passed / judged) ** k"), "3 of 4 passed, k = 2: pass_power"),
        WrongAnswer(
            "throws all tasks into one pot",
            _but(
                "for runs in tasks.values():\n        passed", "for runs in [sum(tasks.values(), [])]:\n        passed"
            ),
            "one task 4 of 4, another 1 of 4, k = 2: pass_power",
        ),
        WrongAnswer(
            "leaves out what was not judged",
            _but("decide(passed, unjudged, len(runs), bar)", "decide(passed, 0, judged, bar)"),
            "20 not judgeable that may all have failed",
        ),
        WrongAnswer(
            "asks for an interval of nothing",
            _but("if attempted and wilson", "if wilson"),
            "ValueError: 0 of 0 is no rate",
            outcome="raised",
        ),
        WrongAnswer(
            "gives a percentage for a reason",
            _but('f"{passed} of {judged} judged runs passed, {unjudged} unjudged', 'f"The agent is at {bar:.0%}'),
            "does not say that 31 passed",
        ),
        WrongAnswer("tells the average only", _but("; worst task: {name}, {good} of {of}", ""), "does not name it"),
        WrongAnswer(
            "has the bar the wrong way round",
            _but('.low >= bar:\n        return "ship"', '.low < bar:\n        return "ship"'),
            "200 of 200 passed, bar 0.9: the decision: expected 'ship'",
        ),
    ),
    rubric=RUBRIC,
)
