# %% [markdown]
# # 00 · Look behind the answer
#
# After this lesson you can say why a final answer proves nothing about the run that wrote it, read a run call by call,
# and have it judged. Ten minutes, and eight more for the two exercises. No key, no network: every run here is a
# recording of calls to a sample hotel system.

# %%
from textwrap import fill

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.hotel.goal import GOAL
from toolkit.lab.control_table import control_panel, control_table, verdicts_of
from toolkit.lab.matrix import control_matrix
from toolkit.lab.run_view import compare_runs, show_run
from toolkit.lessons import check, hint, predict, solution
from toolkit.trajectory import evaluate, extract_calls
from toolkit.trajectory.pointers import resolve

# %% [markdown]
# ## Two answers
# An agent is a model with tools: it may look up the weather, search hotels and book a room. This one was told:

# %%
print(fill(GOAL["en"], 90))

# %% [markdown]
# Two agents worked on it. Of each run we have the **messages**, the same list that the model was sent, turn by turn.
# The last message is the **final answer**, what the user reads. The two are the same, word for word:

# %%
first, second = load_control("ok"), load_control("skip")
assert first[-1] == second[-1]
print(fill(first[-1]["content"], 90))

# %% [markdown]
# > **An interview question.** "Your agent says that it has booked. How do you know that it did its job?"
#
# Decide before you read on:

# %%
predict("00.both")

# %% [markdown]
# ## The calls
# Here is the first run, one row for each **tool call**: the arguments that the model wrote, and what the tool gave
# back. A **turn** is one message of the model, counted from 1; calls of the same turn were made together. The last turn
# is the answer and makes no call, hence "5 of 6".

# %%
show_run(first)

# %% [markdown]
# A plan, the weather (rain), a search, and then a suite in a hotel that the search had found. Now the second:

# %%
show_run(second)

# %% [markdown]
# It made a plan and booked. Side by side, tool by tool:

# %%
compare_runs({"first": first, "second": second})

# %% [markdown]
# The second agent **never looked at the weather**, and never searched. And yet: it does rain on that day, the hotel
# exists, the room is a suite, and the booking stands in the hotel's system.

# %%
predict("00.harm")

# %% [markdown]
# There is more. At the end, the second agent marked the three steps of its plan as done. The plan's own words:

# %%
plan = extract_calls(second).calls[-1].result["plan"]
assert "get_weather" not in [call.name for call in extract_calls(second).calls]
[(step["title"], step["status"]) for step in plan]

# %% [markdown]
# "Check the weather: done." What a model writes, be it an answer, a plan or a summary, is a **claim**. Only what the
# tools recorded is evidence.
#
# ## A judge that reads calls
# `evaluate` takes the messages and a **policy**, which is a list of checks. It reads the calls and what came back; it
# never reads the final answer, and asks no model. Lesson 07 opens this box; here we only use it.

# %%
report = evaluate(second, policy=HOTEL_POLICY)
assert report.verdict == "fail"
assert evaluate(first, policy=HOTEL_POLICY).verdict == "pass"

# %% [markdown]
# The first run passes, the second fails. Each of four checks gives a verdict and a reason; three of them fail here:

# %%
for result in report.results:
    print(fill(f"{result.name}: {result.verdict}. {result.reason}", 90, subsequent_indent="    "))

# %% [markdown]
# Nobody has to believe the judge either. Each verdict says where to look, as a path into the messages (a JSON
# pointer). Follow it, and you stand before the very call that it is about:

# %%
at = report["no_skipped_step"].at
assert resolve(second, at)["function"]["name"] == "book_hotel"
print(at)

# %% [markdown]
# ## Five runs, four of them bad
# The two belong to a set of five, the **control trajectories**. `ok` is right. Each of the others has one bad habit,
# which may fail several checks, and an answer that sounds just as good:
#
# | control | what the agent did |
# | --- | --- |
# | `ok` | planned, looked at the weather, searched, booked |
# | `skip` | planned, then booked what it guessed, without the weather and the search |
# | `fabricated_id` | booked an id that no search had returned; the booking was refused, the answer says "Booked" |
# | `wrong_room` | saw rain and booked a standard room |
# | `no_plan` | did everything right, without the plan it was told to make first |
#
# The table judges them on three levels: the **answer** (does it say "booked", and what?), the **outcome** (does
# exactly one booking stand?), and the four checks on the calls.

# %%
table = control_table()
assert table.rows[0] == ["answer", "pass", "pass", "pass", "pass", "pass"]
table

# %%
table.chart

# %% [markdown]
# Read it row by row. Judged by the answer, all five runs are equal. The outcome finds one of the four bad ones, the
# booking that was refused. The checks find all four, each by its own checks.
#
# ## Break it: another answer
# Now give `skip` another last message, "Sorry, nothing is booked." (no truer than the first), and change nothing else.

# %%
predict("00.rewritten")

# %%
rewritten = [*second[:-1], {"role": "assistant", "content": "Sorry, nothing is booked."}]
before, after = verdicts_of(second), verdicts_of(rewritten)
assert [name for name in before if before[name] != after[name]] == ["answer"]
after

# %% [markdown]
# The answer moved from pass to fail. No check moved, and neither did the outcome: the booking still stands.
#
# ## Look at any of them
# Pick a control and a language. The table shows the calls and which checks fail at each; the sentence above it and the
# chart tell the verdicts on all three levels (an outcome is that of the whole run and stands at no call). The
# Chinese runs were made on the same hotel system in Chinese; the same checks judge them.

# %%
panel = control_panel()
panel

# %%
panel.picture.chart

# %% [markdown]
# The same panel, moved by code to the run whose booking was refused. Compare call 3, what came back for it, and the
# last words of the run:

# %%
panel["control"].value = "fabricated_id"
assert panel.picture.rows[3][-1] == "argument_provenance"
panel.picture

# %% [markdown]
# ## What stops them, and what finds them
# The lessons build protections, and each lesson ends with this table: the five runs, replayed in a new hotel system, by
# what stands between the model and the tools. The number is the layer that a column is built on: 1 the dict of tools of
# lesson 01, 2 the schema of lesson 02 (left out here, it stops none of them), 3 the gateway, from lesson 03 on.
#
# The dict runs what it is told, so all four bad runs go through. (`fabricated_id` ran as well: its call reached the
# hotel, and the hotel said no, not a protection.) In the last column the judge you have just used reads the run
# afterwards, and finds all four.

# %%
matrix = control_matrix("registry", "checks")
assert matrix["skip", "registry"].outcome == "ran"
assert matrix["skip", "checks"].outcome == "found afterwards"
matrix

# %% tags=["exercise"]
# 00.tools_called

# %% tags=["exercise"]
# 00.failed_checks

# %% [markdown]
# ## What we have, and what is still wrong
# An answer to the interview question: *I do not ask the answer. I keep the messages of every run, and code checks the
# calls: was each step made that was needed, does every id come from a result, does the choice fit what was seen. The
# outcome stands beside it, for a run can be wrong on the way and lucky in the end.*
#
# Still wrong: the judge is a black box, it comes after the booking, and we have not built a single tool.
#
# ## The way through
# | lesson | you learn to | minutes |
# | --- | --- | --- |
# | 00 | look behind the answer | 10 |
# | [01](01_dict_of_tools.ipynb) | run what a model asks for: a dict of tools, and the agent loop around it | 40 |
# | [02](02_one_source.ipynb) | take contract and validation from one source | 40 |
# | [03](03_deadlines_retries_idempotency.ipynb) | give every call an end: deadlines, retries, idempotency | 40 |
# | [04](04_pools_breakers_limits.ipynb) | keep one bad tool from stopping the others: pools, breakers, limits | 45 |
# | [05](05_tools_in_production.ipynb) | put tools into other people's hands: roles, confirmation, files, sandbox | 45 |
# | [06](06_before_during_after.ipynb) | ask before a call, score what comes back, run a whole turn of calls | 40 |
# | [07](07_judging_a_trajectory.ipynb) | judge a run by its calls: the black box of this lesson, opened | 45 |
# | [08](08_testing_the_checks.ipynb) | test the checks themselves, and count many runs | 45 |
# | [09](09_a_model_that_validates.ipynb) | let a model check a call, and count how often it is right | 45 |
# | [10](10_ask_the_log.ipynb) | ask the log: what fails, whose doing it is, when to wake somebody | 45 |
# | [11](11_break_it_on_purpose.ipynb) | break it on purpose: a failure lab, a suite for your code, a bug hunt | 45 |
#
# **In 90 minutes:** this lesson; then 01, 02, 03, 04 and 07, a quarter of an hour each, down to the widget and without
# the exercises. Move each widget once. The exercises are what stays, so come back for them.
#
# Next: [01](01_dict_of_tools.ipynb), where you start with an empty dict.
