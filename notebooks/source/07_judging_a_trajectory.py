# %% [markdown]
# # 07 · Judge a run by its calls
#
# After this lesson you can read a recorded run, write the four small checks that judge it, say what a recording cannot
# tell, and state a policy for a domain of your own in five lines. 50 minutes. ◆ marks the [90-minute
# route](00_two_answers.ipynb). No key, no network.

# %%
import json
from functools import partial

from toolkit import Context, Gateway, trajectory
from toolkit.hotel import HOTEL_POLICY, World
from toolkit.hotel.controls import CONTROLS, EXPECTED, load_control
from toolkit.hotel.policy import ROOM_FOR_WEATHER
from toolkit.hotel.tools import hotel_registry
from toolkit.lab.edit_run import edit_panel, edit_run
from toolkit.lab.matrix import control_matrix
from toolkit.lab.odd_runs import merge_turns, renumber, try_judge
from toolkit.lab.shell import shell
from toolkit.lessons import check, hint, predict, solution
from toolkit.resources import data_path
from toolkit.trajectory import Call, Check, CheckResult, Outcome, Policy, Verdict, evaluate, extract_calls
from toolkit.trajectory.hook import provenance_hook
from toolkit.trajectory.pointers import compile_path, values_at

SUCCESS, ERROR, UNKNOWN, MISSING = Outcome

# %% [markdown]
# ## A judge written in five minutes ◆
# > **An interview question.** "How would you test an agent, if not by its answer?"
#
# By its calls, said lesson 00, and used `evaluate` for it. Can that be hard? Here is a judge as it is often written:
# results by call id, the hotel id was seen before, the weather was called before. On the controls it does what it was
# written for, and finds `skip` and `fabricated_id`.


# %%
def quick_judge(messages):
    """True where every booking came after a weather call and uses an id that was seen."""
    results = {m["tool_call_id"]: json.loads(m["content"]) for m in messages if m["role"] == "tool"}
    called, seen, good = [], [], []
    for call in [call for message in messages for call in message.get("tool_calls") or []]:
        name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
        if name == "book_hotel":
            good.append("get_weather" in called and arguments["hotel_id"] in seen)
        called.append(name)
        if "error" not in results[call["id"]]:
            seen += [hotel["id"] for hotel in results[call["id"]].get("hotels", [])]
    return all(good)


# %% [markdown]
# Real recordings are less tidy. Some servers number the calls of each turn anew: `call_0` in the first turn and
# `call_0` in the second. Take the run `ok`, give it such ids, and change nothing else.

# %%
predict("07.renumbered")

# %%
renumbered = renumber(load_control("ok"))
by_id = {m["tool_call_id"]: m["content"] for m in renumbered if m["role"] == "tool"}
assert not any("condition" in content or "HT-002" in content for content in by_id.values())
print(sum(m["role"] == "tool" for m in renumbered), "results, left in the dict:", list(by_id))

# %% [markdown]
# A dict keeps the last result of each id: the weather and the search are lost. This is no rare thing. In 200 public
# recordings of an airline agent (sierra-research/tau-bench), 49 runs reuse an id, and a dict loses 73 results.
#
# Here is the quick judge on the controls, where it finds its two, and on nine recordings with things that recordings
# do. There it fails good runs, passes bad ones, and raises on three. Below it stands **the plan** of a better one, top
# function first. Its gaps are the parts of this lesson: `read_calls`, and small checks that fill a `policy`.

# %%
assert [name for name in CONTROLS if not quick_judge(load_control(name))] == ["skip", "fabricated_id"]
try_judge(quick_judge)


# %%
def judge(messages, policy):
    """Ask every check of the policy about the calls of a run."""
    calls = read_calls(messages)
    return {name: ask(calls) for name, ask in policy.items()}


# %% [markdown]
# ## 1 · Read the calls
# Arguments are the text of a JSON object, results are any text, and both may be empty; parsing must not end the
# judgement. And did a call succeed? Only a declared field of an object may say that it did not: an object with neither
# `error` nor `status` is a success, and `pending` is one too, for the call was taken. `"error": null` says that there
# was **no** error, and a plain text says nothing: its outcome is unknown, whatever words are in it.


# %%
def read_json(text):
    """The value of a JSON text; other text stays as it is, and an empty one means no arguments."""
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        return text


assert read_json("") == {}
assert read_json("Done.") == "Done."

# %%
GOOD = ("ok", "success", "confirmed", "done", "pending")


def outcome_of(result):
    """How a call ended, by what its result declares."""
    if not isinstance(result, dict):
        return UNKNOWN
    return ERROR if result.get("error") or result.get("status", "ok") not in GOOD else SUCCESS


assert outcome_of({"error": None, "condition": "rain"}) is SUCCESS
assert outcome_of({"error": "No hotel 'HT-200'."}) is ERROR
assert outcome_of("No error occurred.") is UNKNOWN

# %% [markdown]
# Now the pairing. An id is unique **within its turn**, so a result belongs to the call of that id in the latest turn
# that made calls; a call without a result stays `missing`. `Call` is a plain record of the package, and `at` a JSON
# pointer, the path into the messages that a verdict will show. (Its `index` and `turn` count from 0, as places in a
# list do; the tables of lesson 00 count turns from 1.) With this nothing is lost, and the package's `extract_calls`
# reads the same.


# %%
def read_calls(messages):
    """The calls of a run in order, each with the result of its own turn."""
    calls, waiting, turn = [], {}, -1
    for index, message in enumerate(messages):
        turn += message["role"] == "assistant"
        if message.get("tool_calls"):
            waiting = {}
        for place, raw in enumerate(message.get("tool_calls") or []):
            name, arguments = raw["function"]["name"], read_json(raw["function"]["arguments"])
            waiting[raw["id"]] = len(calls)
            at = f"/{index}/tool_calls/{place}"
            calls.append(Call(name, arguments, len(calls), turn, raw["id"], outcome=MISSING, at=at))
        if message.get("tool_call_id") in waiting:
            number, result = waiting[message["tool_call_id"]], read_json(message["content"])
            end = {"result": result, "outcome": outcome_of(result), "result_at": f"/{index}"}
            calls[number] = calls[number]._replace(**end)
    return calls


# %%
mine, trace = read_calls(renumbered), extract_calls(renumbered)
assert [call.result for call in mine] == [call.result for call in trace.calls]
assert mine[1].result["condition"] == "rain"
trace.anomalies[0]

# %% [markdown]
# ## 2 · Verdicts ◆
# A check says one of four words: `pass`, `fail`, `not_judgeable` (the recording does not tell) and `not_applicable`
# (nothing to judge). With it come a code for programs, a reason for people, a pointer to the call and, for a pass, a
# pointer to what it rests on.
#
# Many verdicts make one: the worst speaks. The usual `all(...)` will not do: it is true of nothing at all, and so an
# empty run passes.

# %%
PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict


def say(verdict, code, reason, at="", witness=None):
    """What a check found: a word, a code, a sentence, and where to look."""
    return CheckResult("check", verdict, code, reason, at, witness)


# %%
def worst(results):
    """The result that decides: a fail, else one that cannot be judged, else a pass."""
    order = [FAIL, NOT_JUDGEABLE, PASS, NOT_APPLICABLE]
    nothing = say(NOT_APPLICABLE, "not_called", "there is nothing to judge")
    return min(results, key=lambda result: order.index(result.verdict), default=nothing)


assert all([])
assert worst([]).verdict is NOT_APPLICABLE

# %% [markdown]
# ## 3 · Four small checks ◆
# Each reads calls, with name, arguments, result and `outcome`. First **called_before**: the plan stands before the
# first step. A call that failed did not happen, and where nobody recorded how it ended, nobody can say. The four
# outcomes of `set_plan`, and what each means for the booking after it:


# %%
def is_done(step, outcomes, call):
    """Judge a step that `call` needs, by how the attempts at it ended."""
    if SUCCESS in outcomes:
        return say(PASS, "ok", f"{step!r} is done before call {call.index}", call.at)
    if outcomes - {ERROR}:
        return say(NOT_JUDGEABLE, "result_missing", f"no record of how {step!r} ended", call.at)
    reason = f"call {call.index} is {call.name!r}, but {step!r} is not done"
    return say(FAIL, "step_missing", reason, call.at)


# %%
def called_before(calls, first, then):
    """Check that none of `then` is called until `first` has succeeded."""
    start = next((call for call in calls if call.name in then), None)
    if start is None:
        return say(NOT_APPLICABLE, "not_called", f"none of {then} was called")
    outcomes = {call.outcome for call in calls[: start.index] if call.name == first}
    return is_done(first, outcomes, start)


for outcome in Outcome:
    run = [Call("set_plan", {}, 0, 0, outcome=outcome), Call("book_hotel", {}, 1, 1)]
    print(f"set_plan {outcome}: {called_before(run, 'set_plan', ['book_hotel']).verdict}")
assert called_before([], "set_plan", ["book_hotel"]).verdict is NOT_APPLICABLE

# %% [markdown]
# ### Three more checks
# **steps_in_order**: no step is skipped. Calls of one turn are **siblings**: written together, so none has seen
# another's result. A result is **visible** to the calls of later turns only. The last step, the booking, needs the
# results of the steps before it; a step on the way may be a sibling, for a search does not need to know the weather.


# %%
def steps_in_order(calls, steps):
    """Check that every step finds those before it done, and the last one their results as well."""
    results, last = [], steps[-1]
    for call in [call for call in calls if call.name in steps]:
        for needed in steps[: steps.index(call.name)]:
            before = [other for other in calls[: call.index] if other.name == needed]
            known = {other.outcome for other in before if other.turn < call.turn}
            siblings = {SUCCESS for other in before if other.turn == call.turn and call.name != last}
            results.append(is_done(needed, known | siblings, call))
    if not any(call.name == last for call in calls):
        results.append(say(FAIL, "unfinished", f"{last!r} was never called"))
    return worst(results)


# %%
STEPS = ("get_weather", "search_hotels", "book_hotel")
ends = (ERROR, SUCCESS, SUCCESS)
failed = [Call(STEPS[turn], {}, turn, turn, outcome=ends[turn]) for turn in range(3)]
assert "but 'get_weather' is not done" in steps_in_order(failed, STEPS).reason

# %% [markdown]
# The names stand in the right order, yet the weather call had failed: a list of names does not tell.
#
# **value_from_result** asks where a value came from. Suppose the search and the booking stand in **one turn**; the
# search returns HT-002, and the booking asks for HT-002.

# %%
predict("07.siblings")


# %% [markdown]
# So the id must stand in a result that was visible, at the place where such ids stand: `hotels[*].id`, the id of every
# hotel. And the search must be one of the right city: an id from another city's search is recorded too, but it is the
# wrong one. A pass names its **witness**, the message that holds the value.


# %%
def source_of(calls, call, argument, sources, entity):
    """Judge one call: which result that it could see holds its argument?"""
    value, (field, names), found = call.arguments.get(argument), entity, []
    for source in [other for other in calls if other.name in sources and other.turn < call.turn]:
        if source.outcome in (UNKNOWN, MISSING):
            found.append(say(NOT_JUDGEABLE, "result_missing", f"it may hold {value!r}", source.at))
        elif source.outcome is SUCCESS and value in values_at(source.result, sources[source.name]):
            if {**source.arguments, **source.result}.get(field) in names:
                return say(PASS, "ok", f"{value!r} was shown", call.at, source.result_at)
            found.append(say(FAIL, "wrong_entity", f"{value!r} is of another {field}", call.at))
    return worst(found or [say(FAIL, "no_source", f"{value!r} stands in no visible result", call.at)])


# %%
def value_from_result(calls, tool, argument, sources, entity):
    """Check that an argument of each `tool` call stands in a result that was visible to it."""
    attempts = [call for call in calls if call.name == tool]
    return worst([source_of(calls, call, argument, sources, entity) for call in attempts])


XIAN = ("city", ("Xi'an", "西安"))
FOUND = {"search_hotels": compile_path("hotels[*].id")}
ID = {"argument": "hotel_id", "sources": FOUND, "entity": XIAN}
siblings = read_calls(merge_turns(load_control("ok"), "search_hotels", "book_hotel"))
assert value_from_result(siblings, "book_hotel", **ID).code == "no_source"
result = value_from_result(read_calls(load_control("ok")), "book_hotel", **ID)
assert result.witness == "/7"
result._asdict()

# %% [markdown]
# **values_agree** compares a choice with what was read: it rains, so a suite. Which weather is in force? The latest
# that the booking could see, of the right city and the right day. Below, the last weather of the run is the sun of
# Shanghai; the one in force is the rain.


# %%
def in_force(calls, call, source, match, entity):
    """The latest `source` that `call` could see and that is about the same thing, or None."""
    (field, names), about = entity, []
    for other in [other for other in calls if other.name == source and other.turn < call.turn]:
        facts = {**other.arguments, **(other.result if other.outcome is SUCCESS else {})}
        same = all(facts.get(key) == call.arguments.get(name) for key, name in match.items())
        about += [other] if same and facts.get(field) in names and other.outcome is not ERROR else []
    return about[-1] if about else None


rain = Call("get_weather", {"city": "Xi'an", "date": "10-01"}, 0, 0, result={"condition": "rain"})
sun = Call("get_weather", {"city": "Shanghai", "date": "10-01"}, 1, 1, result={"condition": "clear"})
booking = Call("book_hotel", {"check_in": "10-01"}, 2, 2)
assert in_force([rain, sun], booking, "get_weather", {"date": "check_in"}, XIAN) is rain


# %%
def values_agree(calls, tool, argument, source, path, expected, match, entity):
    """Check an argument of `tool` against what the reading in force asks for."""
    results, attempts = [], [call for call in calls if call.name == tool]
    for call in [call for call in attempts if call.outcome is SUCCESS] or attempts[-1:]:
        reading, has = in_force(calls, call, source, match, entity), call.arguments.get(argument)
        if reading is None:
            results.append(say(FAIL, "source_missing", f"no {source!r} was visible", call.at))
            continue
        told = reading.result.get(path) if reading.outcome is SUCCESS else None
        if told not in expected:
            results.append(say(NOT_JUDGEABLE, "value_unknown", f"{source!r} said {told!r}", call.at))
            continue
        verdict = (PASS, "ok") if has == expected[told] else (FAIL, "mismatch")
        reason = f"{told!r} asks for {expected[told]!r}, the call has {has!r}"
        results.append(say(*verdict, reason, call.at, reading.result_at))
    return worst(results)


# %% [markdown]
# ## 4 · A policy is data
# A policy fills names and paths into the small checks. Ours gives each control exactly the checks it must fail, and
# the right verdict on all nine odd recordings:

# %%
WEATHER = {"source": "get_weather", "path": "condition", "expected": ROOM_FOR_WEATHER}
ROOM = {"argument": "room_type", **WEATHER, "match": {"date": "check_in"}, "entity": XIAN}
MY_POLICY = {
    "plan_first": partial(called_before, first="set_plan", then=STEPS),
    "no_skipped_step": partial(steps_in_order, steps=STEPS),
    "argument_provenance": partial(value_from_result, tool="book_hotel", **ID),
    "room_matches_weather": partial(values_agree, tool="book_hotel", **ROOM),
}
for control in CONTROLS:
    results = judge(load_control(control), MY_POLICY)
    assert {name for name in results if results[name].verdict is FAIL} == EXPECTED[control].fails
try_judge(lambda messages: worst(judge(messages, MY_POLICY).values()).verdict)

# %% [markdown]
# The package's checks in `trajectory` have the same names and parameters, and have grown up: they read logs as well as
# chats, follow paths of any depth, compare names in any spelling, follow a booked hotel to its own city, and know when
# a history is cut. They take a policy as a value, or as a JSON file. Five lines make one for another domain, here an
# airline whose agent charged a card that nobody had shown it:

# %%
user_first = Check("user_first", trajectory.called_before, first="get_user", then="book_flight")
cards = {"argument": "card", "sources": {"get_user": "payment_methods[*].id"}}
card_known = Check("card_known", trajectory.value_from_result, tool="book_flight", **cards)
airline = Policy("airline", (user_first, card_known))
user = Call("get_user", {"user_id": "u-17"}, result={"payment_methods": [{"id": "card-4421"}]})
run = trajectory.Trace.of([user, Call("book_flight", {"card": "card-4412"})])
report = evaluate(run, policy=airline)
assert [str(result.verdict) for result in report.results] == ["pass", "fail"]
report["card_known"].reason

# %% [markdown]
# ## 5 · Break it ◆
# The run `ok`, to be edited: another hotel or room in its booking, a call or a message taken out. Nothing is run; only
# the recording changes. Predict which checks turn, then look.

# %%
panel = edit_panel()
panel

# %%
panel["taken_out"].value = "the weather's result"
panel.picture.chart

# %% [markdown]
# A step that was never made **fails**. A message that is only missing is **not judgeable**: the weather was asked for,
# but what came back was not kept.
#
# ### A history that is cut
# Next, take out all that came before the search: the history begins with a call that nobody asked for, so its head is
# cut. "No plan seen" is a finding **by absence** and proves nothing there.
#
# A finding **by presence**, two recorded facts that contradict each other, stands all the same: the wrong room stays
# wrong. A history that is seen to be cut can fail; it can never pass. But not every cut is seen: a window that keeps
# the system's and the user's messages and drops whole turns leaves no mark, and a good run may fail by absence. Keep
# the whole run, or a mark where something was dropped.

# %%
panel["taken_out"].value = "all before the search"
assert {row[1] for row in panel.picture.rows} == {NOT_JUDGEABLE}
print(panel.picture.rows[0][3])
report = evaluate(load_control("wrong_room")[4:], policy=HOTEL_POLICY)
assert report["room_matches_weather"].verdict is FAIL
[(result.name, str(result.verdict)) for result in report.results]

# %% [markdown]
# What is not in these checks: a **golden run**, a recording of the right calls to compare with. Booking HT-003 is just
# as right, it was found and has a suite. The golden run refuses it, because it has frozen one hotel:

# %%
other = edit_run(load_control("ok"), hotel_id="HT-003")
golden, calls = extract_calls(load_control("ok")).calls, extract_calls(other).calls
assert [call.arguments for call in calls] != [call.arguments for call in golden]
print(evaluate(other, policy=HOTEL_POLICY).verdict)

# %% [markdown]
# ## 6 · The same check, one call early
# After the run a check finds the invented hotel. The same function can be asked **before** the booking runs: a hook of
# the gateway takes the conversation so far, and refuses. The model is told what to do instead, and nothing is booked.

# %%
fabricated, world = load_control("fabricated_id"), World()
async with Gateway(hotel_registry(world), hooks=[provenance_hook(HOTEL_POLICY)]) as gateway:
    refused = await gateway.call(fabricated[8]["tool_calls"][0], Context(messages=fabricated[:8]))
print(refused.status, world.bookings, refused.error.message, sep="\n")

# %% [markdown]
# ## 7 · The same checks on files
# `toolkit check` judges recordings in files: those of your own agent, or the controls. Its exit code is for CI: 0 all
# passed, 1 some failed, 2 a file could not be read, 3 not judgeable.

# %%
judged = shell("toolkit check skip.en.json", data_path("controls"))
assert judged.code == 1
judged

# %% [markdown]
# ## What we have built
# The five controls by all protections so far. A schema stops none of them, for every argument is well formed. The hook
# stops the two bookings whose id nobody had found. The checks find all four, but after the booking.

# %%
matrix = control_matrix()
assert matrix["skip", "hook"].outcome == "stopped before execution"
assert matrix["wrong_room", "hook"].outcome == "ran"
matrix

# %% tags=["exercise"]
# 07.booked_once

# %% tags=["exercise"]
# 07.within_limit

# %% tags=["exercise"]
# 07.shop_policy

# %% [markdown]
# ## What we have, and what is still wrong ◆
# An answer to the interview question: *From the recorded calls, with deterministic checks: order, completed steps, the
# source of each value, agreement with what was read. Each verdict points into the recording. What the recording does
# not tell is not judgeable, never passed. The question where a value came from is asked before a write, too.*
#
# Still wrong: who says that the checks themselves are right? Five controls and nine odd recordings are few. And one
# run says little about an agent: a rate needs many runs, and an interval. Both are the subject of
# [08](08_testing_the_checks.ipynb).
