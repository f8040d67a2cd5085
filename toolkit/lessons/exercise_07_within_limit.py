"""Exercise 07.within_limit: a general check with its evidence, nothing asked for beyond what was told."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal
from toolkit.trajectory import Call, CheckResult, Outcome

SUCCESS, ERROR, UNKNOWN, MISSING = Outcome
NAMES = ("pay", "amount", "get_budget", "limit")
_TOLD = {ERROR: {"error": "no connection"}, UNKNOWN: "It is fine.", MISSING: None}


def told(limit: int, turn: int, outcome: Outcome = SUCCESS) -> Call:
    """A `get_budget` that answered with this limit, or ended otherwise."""
    result = {"limit": limit} if outcome is SUCCESS else _TOLD[outcome]
    return Call("get_budget", {}, turn=turn, result=result, outcome=outcome)


def pay(amount: int, turn: int, outcome: Outcome = SUCCESS) -> Call:
    """A payment, or an attempt at one."""
    return Call("pay", {"amount": amount}, turn=turn, result={"status": "ok"}, outcome=outcome)


def check_within_limit(within_limit: Callable[..., CheckResult]) -> None:
    """The verdict of runs that read a limit and pay, where each verdict points, and what a pass rests on."""

    def judged(case: str, verdict: str, *calls: Call, names: tuple[str, ...] = NAMES) -> CheckResult:
        run = [
            each._replace(index=n, at=f"/{2 * each.turn}/tool_calls/{n}", result_at=f"/{2 * each.turn + 1}")
            for n, each in enumerate(calls)
        ]
        got = within_limit(run, *names)
        expect(isinstance(got, CheckResult), f"expected a CheckResult, as `say` makes one, got {type(got).__name__}")
        expect_equal(str(got.verdict), verdict, case)
        return got

    right = judged("800 allowed, 500 paid", "pass", told(800, 0), pay(500, 1))
    expect(right.witness is not None, "a pass that names no witness cannot be looked up: which result allowed it?")
    expect_equal(right.at, "/2/tool_calls/1", "`at` points to the payment that is judged")
    expect_equal(right.witness, "/1", "the witness is the message that answered `get_budget`")
    judged("800 allowed, 800 paid: exactly the limit is not over it", "pass", told(800, 0), pay(800, 1))
    judged("800 allowed, 900 paid", "fail", told(800, 0), pay(900, 1))
    second = judged("the second of two payments is over the limit", "fail", told(800, 0), pay(500, 1), pay(900, 2))
    expect_equal(second.at, "/4/tool_calls/2", "a fail points to the payment that is over the limit")
    judged("the first of two payments is over the limit", "fail", told(800, 0), pay(900, 1), pay(500, 2))
    judged("an attempt that was refused asked for too much all the same", "fail", told(800, 0), pay(900, 1, ERROR))
    judged("the limit was read only after the payment", "fail", pay(500, 0), told(800, 1))
    judged("limit and payment in one turn: it had not seen the limit", "fail", told(800, 0), pay(500, 0))
    judged("the limit was lowered to 400, then 500 paid", "fail", told(800, 0), told(400, 1), pay(500, 2))
    raised = judged("the limit was raised to 800, then 500 paid", "pass", told(400, 0), told(800, 1), pay(500, 2))
    expect_equal(raised.witness, "/3", "the witness is the latest limit the payment could see")
    judged("what is read after the payment no longer counts for it", "pass", told(800, 0), pay(500, 1), told(400, 2))
    judged("asked again without success, so 800 still stands", "pass", told(800, 0), told(0, 1, ERROR), pay(500, 2))
    judged("the only question ended in an error, so nothing was allowed", "fail", told(0, 0, ERROR), pay(500, 1))
    case = "the latest answer was not kept, it may have lowered the limit"
    judged(case, "not_judgeable", told(800, 0), told(0, 1, MISSING), pay(500, 2))
    judged("the latest answer cannot be read", "not_judgeable", told(0, 0, UNKNOWN), pay(500, 1))
    judged("no payment at all, so there is nothing to judge", "not_applicable", told(800, 0))
    nights = Call("get_allowance", {}, result={"nights": 3}), Call("book_hotel", {"nights": 2}, turn=1)
    allowance = ("book_hotel", "nights", "get_allowance", "nights")
    judged("the same check with other names: 3 nights allowed, 2 booked", "pass", *nights, names=allowance)


_WITHIN = '''\
def within_limit(calls, tool, argument, source, field):
    """Check that no call of `tool` asks for more than the latest visible `source` told."""
    results = []
    for call in [call for call in calls if call.name == tool]:
        told = [other for other in calls if other.name == source and other.turn < call.turn]
        told = [other for other in told if other.outcome is not ERROR]
        if not told:
            results.append(say(FAIL, "source_missing", f"no {source!r} was visible", call.at))
        elif told[-1].outcome is not SUCCESS:
            results.append(say(NOT_JUDGEABLE, "result_missing", f"no record of what {source!r} told", call.at))
        else:
            limit, has = told[-1].result[field], call.arguments[argument]
            verdict = (PASS, "ok") if has <= limit else (FAIL, "over_limit")
            results.append(say(*verdict, f"{has} asked for, {limit} allowed", call.at, told[-1].result_at))
    return worst(results)'''


def _but(old: str, new: str) -> str:
    """The solution with one place changed."""
    assert _WITHIN.count(old) == 1, old
    return _WITHIN.replace(old, new)


WITHIN_LIMIT = Exercise(
    id="07.within_limit",
    task=(
        "A general check of your own, with its evidence: no call of `tool` asks for more than it was told. The "
        "`argument` of every such call, attempts too, is at most the number at `field` in the latest result of "
        "`source` that this call could see. Make each finding with `say` and one of all with `worst`, as above:\n\n"
        "- `PASS`: `at` of the call, and as its witness the `result_at` it rests on;\n"
        "- `FAIL`: `at` of the call that asked for more, or that saw no `source` at all. One that ended in `ERROR` "
        "told nothing, so what was told before stands;\n"
        "- `NOT_JUDGEABLE`: the latest `source` is `UNKNOWN` or `MISSING`, for it may have told another limit."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "Go through the calls of `tool`. For each, which calls of `source` could it see? Those of earlier turns.",
        "Leave out those that ended in `ERROR`. None left: `FAIL`. Is the last of them no `SUCCESS`: `NOT_JUDGEABLE`.",
        "Else compare `call.arguments[argument]` with `told[-1].result[field]`, and say it with `call.at` and "
        "`told[-1].result_at`. In the end `worst(results)`, which also knows what to say of no calls at all.",
    ),
    setup=(
        "from toolkit.trajectory import Call, CheckResult, Outcome, Verdict\n"
        "SUCCESS, ERROR, UNKNOWN, MISSING = Outcome\n"
        "PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict\n"
        "def say(verdict, code, reason, at='', witness=None):\n"
        "    return CheckResult('check', verdict, code, reason, at, witness)\n"
        "def worst(results):\n"
        "    order = [FAIL, NOT_JUDGEABLE, PASS, NOT_APPLICABLE]\n"
        "    nothing = say(NOT_APPLICABLE, 'not_called', 'there is nothing to judge')\n"
        "    return min(results, key=lambda result: order.index(result.verdict), default=nothing)"
    ),
    stub='''\
def within_limit(calls, tool, argument, source, field):
    """Check that no call of `tool` asks for more than the latest visible `source` told.

    >>> run = [Call("get_budget", {}, 0, 0, result={"limit": 800}), Call("pay", {"amount": 900}, 1, 1)]
    >>> str(within_limit(run, "pay", "amount", "get_budget", "limit").verdict)
    'fail'
    """
    raise NotImplementedError''',
    solution=_WITHIN,
    alternatives=(
        """\
def within_limit(calls, tool, argument, source, field):
    in_force, waiting, turn, found = None, None, None, []
    for call in calls:  # one pass: what was told in a turn comes into force with the next
        if call.turn != turn:
            in_force, turn = waiting or in_force, call.turn
        if call.name == source and call.outcome is not ERROR:
            waiting = call
        if call.name == tool and in_force is None:
            found.append(say(FAIL, "source_missing", "nothing was told", call.at))
        elif call.name == tool and in_force.outcome is not SUCCESS:
            found.append(say(NOT_JUDGEABLE, "result_missing", "the limit was not kept", call.at))
        elif call.name == tool and call.arguments[argument] > in_force.result[field]:
            found.append(say(FAIL, "over_limit", "more than was told", call.at))
        elif call.name == tool:
            found.append(say(PASS, "ok", "within the limit", call.at, in_force.result_at))
    return worst(found)""",
        """\
def within_limit(calls, tool, argument, source, field):
    def judged(call):
        for told in reversed(calls[: call.index]):
            if told.name != source or told.turn == call.turn or told.outcome is ERROR:
                continue
            if told.outcome is not SUCCESS:
                return say(NOT_JUDGEABLE, "result_missing", "the limit was not kept", call.at)
            over = call.arguments[argument] - told.result[field]
            if over > 0:
                return say(FAIL, "over_limit", f"{over} too much", call.at)
            return say(PASS, "ok", "within the limit", call.at, told.result_at)
        return say(FAIL, "source_missing", "nothing was told", call.at)

    return worst([judged(call) for call in calls if call.name == tool])""",
    ),
    wrong=(
        WrongAnswer("names no witness", _but(", call.at, told[-1].result_at)", ", call.at)"), "names no witness"),
        WrongAnswer(
            "points to the limit instead of the payment",
            _but(", call.at, told[-1].result_at)", ", told[-1].at, told[-1].result_at)"),
            "`at` points to the payment",
        ),
        WrongAnswer("takes the limit for too much", _but("has <= limit", "has < limit"), "exactly the limit"),
        WrongAnswer(
            "judges the last payment only", _but("worst(results)", "worst(results[-1:])"), "the first of two payments"
        ),
        WrongAnswer("takes a sibling's result", _but("other.turn <", "other.turn <="), "in one turn"),
        WrongAnswer("takes the first limit", _but("told[-1].result[field]", "told[0].result[field]"), "was lowered"),
        WrongAnswer(
            "takes whatever was read last in the run",
            _but(" and other.turn < call.turn]", "]"),
            "only after the payment",
        ),
        WrongAnswer("passes over what is missing", _but("is not ERROR", "is SUCCESS"), "was not kept"),
        WrongAnswer(
            "takes an error for the latest answer",
            _but("        told = [other for other in told if other.outcome is not ERROR]\n", ""),
            "asked again without success",
        ),
        WrongAnswer(
            "passes a run without payments",
            _but("worst(results)", "worst(results or [say(PASS, 'ok', 'all of them', '/0', '/0')])"),
            "nothing to judge",
        ),
        WrongAnswer(
            "knows one domain", _but("told[-1].result[field]", "told[-1].result['limit']"), "KeyError", "raised"
        ),
    ),
    checker=check_within_limit,
)
