# %% [markdown]
# # 08 · Test the checks, then count
#
# After this lesson you can say how you know that your checks are right: by mutated runs, by broken checks, by real runs
# with labels. And you can report many runs of an agent as a rate with an interval, with nothing left out of the count.
# 45 minutes. ◆ marks the [90-minute route](00_two_answers.ipynb). No key, no network.

# %%
from collections import Counter
from math import comb

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, EXPECTED, load_control
from toolkit.hotel.many_runs import judge_many
from toolkit.hotel.mutations import OPERATORS, hotel_mutants
from toolkit.hotel.mutations.checkers import controls, known_runs
from toolkit.hotel.recorded import read_labels, recorded_runs, recordings
from toolkit.hotel.run_table import CHECKS, is_as_asked
from toolkit.lab.kill_chart import kill_chart
from toolkit.lab.many_runs_panel import many_panel, temperature_chart
from toolkit.lab.matrix import control_matrix
from toolkit.lab.run_view import show_run
from toolkit.lab.symptoms import symptom_table
from toolkit.lessons import check, hint, predict, solution
from toolkit.trajectory import CheckResult, Verdict, evaluate, extract_calls, statistics
from toolkit.trajectory.draft import Draft
from toolkit.trajectory.mutate import differing, kill_matrix
from toolkit.trajectory.mutate_checks import broken_checks, broken_policy
from toolkit.trajectory.statistics import Tally, tally_checks, wilson_interval

PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict

# %% [markdown]
# ## A check that is broken, and every control is right ◆
# > **An interview question.** "You have an evaluator for your agent. Who evaluates the evaluator?"
#
# Lesson 07 ended with five controls that all got their verdicts. Below is the same policy with one comparison of its
# code replaced by `True`: `no_skipped_step` no longer asks whether a result was **visible** before it was used.

# %%
predict("08.blind")

# %%
blind = next(broken for broken in broken_checks() if broken.kind == "ignore visibility" and "done" in broken.before)
blind_policy = broken_policy(HOTEL_POLICY, blind)
for control in CONTROLS:
    results = evaluate(load_control(control), policy=blind_policy).results
    assert {result.name for result in results if result.verdict is FAIL} == EXPECTED[control].fails
print(blind)

# %% [markdown]
# Every control is right, and the check is broken. Controls show that a check can find a fault, once. They do not show
# that it finds each fault. **The plan**, top function first: break the check in every way, and see which of its broken
# forms no run notices. Its gaps are the parts of this lesson.


# %%
def survivors(broken_forms, runs):
    """The broken forms of a check that no run with a known verdict notices."""
    return [broken for broken in broken_forms if not is_noticed(broken, runs)]


# %% [markdown]
# ## 1 · Mutate a run ◆
# Where do many runs with known verdicts come from? From one good run, by changing **one thing** in it. The rules of a
# check then say what must turn, before any code is asked. A `Draft` is a run taken apart, to be changed. The first edit
# makes search and booking siblings: one turn, so the search's result cannot have been read. Predict which of the four
# checks fail, as a set of names, before you run the cell after the next.

# %%
draft = Draft(load_control("ok"))
draft.join(draft.done("book_hotel"), draft.done("search_hotels"))
siblings = draft.messages()
[(call.turn, call.name) for call in extract_calls(siblings).calls]


# %%
def verdicts(messages, policy=HOTEL_POLICY):
    """The word of each check; messages may be a trace as well."""
    return {result.name: str(result.verdict) for result in evaluate(messages, policy=policy).results}


my_guess = {"no_skipped_step", "argument_provenance"}
assert {name for name, verdict in verdicts(siblings).items() if verdict == "fail"} == my_guess
assert verdicts(siblings, blind_policy)["no_skipped_step"] == "pass"

# %% [markdown]
# The order and the source fail; the weather was seen in time, so the room may stand. And the blind policy says `pass`
# where `fail` was due: this mutant **kills** the broken check that no control had noticed.
#
# ### Lose a result
# A second kind of edit changes only the **recording**. The agent did the same; the recorder lost something.

# %%
predict("08.lost")

# %%
draft = Draft(load_control("ok"))
draft.done("get_weather").answer()
assert "fail" not in verdicts(draft.messages()).values()
verdicts(draft.messages())

# %% [markdown]
# ## 2 · A few thousand mutants
# An `Operator` is an edit, at one or more places, with the verdicts that it must turn. The package declares over a
# hundred, and applies them to every distinct run that passes, in both languages:

# %%
mutants = hotel_mutants()
print(len(OPERATORS), "operators,", len(mutants), "mutants")
assert [mutant.operator for mutant in mutants if differing(mutant, HOTEL_POLICY)] == []

# %% [markdown]
# Not one differs from what was declared. The **kill matrix** shows who noticed what: a row for each operator, a column
# for each check. An empty box is a pass.

# %%
matrix = kill_matrix(mutants, HOTEL_POLICY)
kill_chart(matrix)

# %% [markdown]
# Read it by columns: each check has rows that only it turns, so none is superfluous. And by rows: a third of the
# operators turn nothing. Those matter as much, for a check that fails good runs is switched off by the second week. But
# look at *book other nights*: it turns nothing, though the goal says two nights. We come back to it.
#
# ## 3 · A law for any run
# Some things must hold for every run, not only for those we thought of. Taking a result out of a recording must never
# turn a `fail`, or a `not_judgeable`, into a `pass`: else the way to a good score is a bad recorder.


# %%
def improved(messages, place):
    """Checks that pass only since the message at this place is missing."""
    before, after = verdicts(messages), verdicts(messages[:place] + messages[place + 1 :])
    return [name for name in before if before[name] in ("fail", "not_judgeable") and after[name] == "pass"]


tried = 0
for control in CONTROLS:
    run = load_control(control)
    for place in [place for place, message in enumerate(run) if message["role"] == "tool"]:
        assert improved(run, place) == []
        tried += 1
print(tried, "results taken out, nothing improved")

# %% [markdown]
# The package's tests try the law on histories made at random, and a hundred thousand broken message lists beside it,
# of which none may raise.
#
# ## 4 · Break the checks
# Now the other way round: leave the runs alone and break the **code**. A condition is dropped, a comparison inverted, a
# bound moved, visibility ignored. Each broken form is compiled in memory; nothing on disk changes. A run notices when a
# verdict differs from the known one, or when the broken check raises.


# %%
def is_noticed(broken, runs):
    """True where a run with known verdicts gets another one from the broken check, or makes it raise."""
    policy = broken_policy(HOTEL_POLICY, broken)
    try:
        return any(run.verdicts != verdicts(run.trace, policy) for run in runs)
    except Exception:
        return True


assert not is_noticed(blind, controls())

# %% [markdown]
# First the controls alone: `controls()` are the runs of before with their verdicts, in both languages.

# %%
predict("08.controls")

# %%
broken_forms = broken_checks()
unseen = survivors(broken_forms, controls())
print(Counter(broken.kind for broken in broken_forms))
print(f"{len(broken_forms) - len(unseen)} of {len(broken_forms)} noticed by the controls")
assert len(unseen) > len(broken_forms) / 2

# %% [markdown]
# Two thirds go unnoticed. With the mutants it looks different; here every eighth of those that were left:

# %%
known = [run for run in known_runs() if run.policy is HOTEL_POLICY]
sample = unseen[::8]
left = survivors(sample, known)
print(f"{len(sample) - len(left)} of {len(sample)} noticed by a mutant")
assert len(left) <= 1

# %% [markdown]
# `python -m toolkit.hotel.mutations.checkers` tries all, in a quarter of a minute: 169 of 176. The seven survivors were
# read one by one, and none changes a verdict; `data/mutations/README.md` gives the reason for each. A survivor is a
# question: either a run is missing, or the code says something twice.
#
# ## 5 · Real runs
# Mutants are what we can think of. Forty-five runs of a small real model are what we could not. These and sixty
# simulated runs were labelled twice by reading, by a language model with the rules beside it, the second time
# without the first labels (`data/labels/README.md` says how far that goes). Do the checks agree?

# %%
labels, agree = read_labels(), Counter()
for run in [*recorded_runs("real"), *recorded_runs("simulated")]:
    given = {name: Verdict(word) for name, word in verdicts(run.messages).items()}
    agree.update(given[name] is labels[run.name][name] for name in CHECKS)
agree

# %% [markdown]
# On all 420 verdicts. Now look at the real runs that pass **all four** checks, beside what stands in the hotel's
# store: exactly one suite, in that city, on that day, for two nights.

# %%
predict("08.as_asked")

# %%
real = list(recordings("real"))
passing = [run for run in real if set(verdicts(run["messages"]).values()) == {"pass"}]
print(len(real), "runs,", len(passing), "pass all four,", end=" ")
print(sum(is_as_asked(run["meta"]["bookings"]) for run in passing), "booked what was asked")

# %% [markdown]
# One of them, call by call. It planned, looked, searched, was refused once, and booked a hotel it had found.

# %%
(odd,) = [run for run in passing if run["meta"]["run"] == "real-refused_once-3"]
assert [booking["nights"] for booking in odd["meta"]["bookings"]] == [3]
show_run(odd["messages"])

# %% [markdown]
# **Three nights** instead of two, and the answer names another hotel. Four checks are not all there is to check. The
# kill matrix had said so: *book other nights* turns nothing. So write the check that is missing, and prove it with the
# mutant:


# %%
def nights_as_asked(calls, nights=2):
    """A booking that succeeded is for the nights the user asked for."""
    asked = [call.arguments["nights"] for call in calls if call.name == "book_hotel" and call.outcome == "success"]
    verdict = NOT_APPLICABLE if not asked else PASS if set(asked) == {nights} else FAIL
    return CheckResult("nights_as_asked", verdict, "nights", f"booked for {asked} nights")


# %%
other_nights = [mutant for mutant in mutants if mutant.operator == "book other nights"]
assert {nights_as_asked(extract_calls(mutant.messages).calls).verdict for mutant in other_nights} == {FAIL}
assert nights_as_asked(extract_calls(load_control("ok")).calls).verdict is PASS
nights_as_asked(extract_calls(odd["messages"]).calls).reason

# %% [markdown]
# ## 6 · Many runs ◆
# One run says little about an agent. Here are twenty of the simulated agent. Its **temperature** is a stand-in: it
# scales the probability of each of its faults, and is no model's temperature. Sometimes the recorder loses a result,
# and sometimes the harness breaks off and leaves nothing (`None`).

# %%
reports = judge_many(1, range(20), lost_results=0.5, lost_runs=0.1)
tally = tally_checks(reports)["overall"]
assert tally.attempted == 20
print(tally)
print(f"rate {tally.rate:.2f}, bounds {tally.bounds.low:.2f} to {tally.bounds.high:.2f}")

# %% [markdown]
# Every run attempted stands in exactly one count, and all are always printed: who leaves out what was not judged can
# have any rate. The **rate** is passed of judged. What was not judged may have been anything, so there are **bounds**:
# the rate if all of those had failed, and if all had passed.
#
# ### Chance
# A rate of few runs may be luck. How far may it be off? Wilson's interval, in five lines:


# %%
def wilson(hits, trials, z=1.96):
    """The 95 % interval of a rate."""
    rate, spread = hits / trials, z * z / trials
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * (rate * (1 - rate) / trials + spread / (4 * trials)) ** 0.5
    return max(0, middle - half), min(1, middle + half)


for trials in (5, 20, 100, 1000):
    print(f"{trials:5} of {trials} passed: the rate may be as low as {wilson(trials, trials)[0]:.3f}")
assert abs(wilson(7, 10)[0] - wilson_interval(7, 10).low) < 1e-4

# %% [markdown]
# Twenty of twenty do not show that an agent is better than one that passes 17 of 20. And a user who books every week
# does not ask how often it works, but whether it works **each** time. `pass^k` is the chance that k runs all pass.
# Predict it for an agent that passes nine in ten, and k = 8:

# %%
my_guess = 0.9
all_eight = comb(90, 8) / comb(100, 8)  # of all ways to draw 8 of 100 runs, those without one of the 10 that failed
assert all_eight == statistics.pass_power([Tally(passed=90, failed=10)], 8) < 0.45 < my_guess
print(f"pass^8 = {all_eight:.2f}")

# %%
temperature_chart()

# %% [markdown]
# ## Break it
# Hotter, fewer runs, a worse recorder: watch the interval (the line) and the bounds (the grey bar) part. The summary
# names the **first failing step**, the tool to look at first.

# %%
panel = many_panel()
panel

# %%
panel["lost_results"].value = 1.0
print("recorder loses a result of every run:", panel.picture.rows[-1])
panel.picture.chart

# %% [markdown]
# The agent is the same, and yet its rate fell from 55 % to 38 %: a fail survives the loss of some other result, a pass
# often does not. What could be judged is no fair sample any more. The bounds know, and still hold the 55 %.
#
# ## 7 · From symptom to layer
# When something is wrong with an agent, it shows somewhere else than where it is. The table of this kit, from what one
# sees to the module where one looks first:

# %%
table = symptom_table()
assert len(table.rows) > 12
table

# %% [markdown]
# ## What we have built
# The same protections as before. Mutations add none, they show that the last column deserves its name.

# %%
matrix = control_matrix()
assert matrix["wrong_room", "checks"].outcome == "found afterwards"
matrix

# %% tags=["exercise"]
# 08.kill_blind

# %% tags=["exercise"]
# 08.bounds

# %% tags=["exercise"]
# 08.pass_power

# %% [markdown]
# ## What we have, and what is still wrong ◆
# An answer to the interview question: *Mutated runs with declared verdicts, broken checks that some run must notice,
# laws on random histories, and real runs with labels. What survives is explained in writing. Rates come with an
# interval, with bounds for what was not judged, and with pass^k.*
#
# Still wrong: a check is code, and code asks only what someone thought of. Would a model that reads the run notice
# more? [09](09_a_model_that_validates.ipynb) tries one, and shows why that is not enough.
