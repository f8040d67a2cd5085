# %% [markdown]
# # 00 · Look behind the answer
#
# After this lesson you can say what a final answer is worth, have a run judged by its calls, and choose your way
# through the other lessons. Ten minutes, 18 minutes with the two exercises. No key, no network: a scripted agent made
# these runs, and they were recorded. ◆ marks a route of 90 minutes.

# %%
from textwrap import fill

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.lab.control_table import control_panel, control_table, verdicts_of
from toolkit.lab.matrix import control_matrix
from toolkit.lab.run_view import show_run
from toolkit.lessons import check, hint, predict, solution
from toolkit.lessons.conformance.report import conformance
from toolkit.trajectory import evaluate, extract_calls

# %% [markdown]
# ## Two answers ◆
# An agent is a model with tools: it may look up the weather, search hotels and book a room. Of two runs we have the
# **messages**, the whole conversation. The first two, its instructions and what the user wants, are the same in both:

# %%
first, second = load_control("ok"), load_control("skip")
assert first[:2] == second[:2]
print(*(fill(message["content"], 90) for message in first[:2]), sep="\n\n")

# %% [markdown]
# And so is the last, word for word, the **final answer**, which the user reads:

# %%
assert first[-1] == second[-1]
print(fill(first[-1]["content"], 90))

# %% [markdown]
# > **An interview question.** "Your agent says that it has booked. How do you know that it did its job?"
#
# Decide before you read on:

# %%
predict("00.both")

# %% [markdown]
# ## The calls ◆
# The first run, one row for each **tool call**: the arguments that the model wrote, and what the tool gave back. A
# **turn** is one message of the model; the last is the answer and makes no call.

# %%
show_run(first)

# %% [markdown]
# A plan, the weather (rain), a search, and then a suite in a hotel that the search had found. Now the second:

# %%
show_run(second)

# %% [markdown]
# The second agent **never looked at the weather**, and never searched. And yet it does rain that day, and the hotel
# confirmed a suite. It was luck: none of its calls depends on the weather, so on a dry day it books a suite as well.
# It even marked "Check the weather" as done (call 2). What a model writes, be it an answer, a plan or a summary, is a
# **claim**; only what the tools recorded is evidence.
#
# ## A judge that reads calls ◆
# `evaluate` takes the messages and a **policy**, a list of checks. It never reads the final answer, and asks no
# model. Lesson 07 opens this box.

# %%
report = evaluate(second, policy=HOTEL_POLICY)
assert "get_weather" not in [call.name for call in extract_calls(second).calls]
assert (evaluate(first, policy=HOTEL_POLICY).verdict, report.verdict) == ("pass", "fail")

# %% [markdown]
# The first run passes. The second fails three checks of four, each with its reason. **Provenance** asks where a value
# comes from: an id has to stand in a result first.

# %%
for result in report.results:
    print(fill(f"{result.name}: {result.verdict}. {result.reason}", 90, subsequent_indent="    "))

# %% [markdown]
# ## Five runs, four of them bad ◆
# The two belong to five **control trajectories**. `ok` is right. `skip` booked what it guessed. `fabricated_id` tried
# an id that no search had returned, was refused, and said "booked" all the same. `wrong_room` saw rain and booked a
# standard room. `no_plan` made no plan, although its instructions ask for one. Each is judged by its **answer** (does
# it say "booked"?), by its **outcome** (does exactly one booking stand?), and by the four checks.

# %%
predict("00.outcome")

# %%
table = control_table()
assert table.rows[0] == ["answer", "pass", "pass", "pass", "pass", "pass"]
table.chart

# %% [markdown]
# Read it row by row. Judged by the answer, all five runs are equal. The outcome finds one of the four bad ones, the
# booking that was refused. The checks find all four.
#
# ## Break it: another answer ◆
# Give `skip` another last message, "Sorry, nothing is booked." (no truer than the first), and change nothing else.
# Which verdicts move?

# %%
rewritten = [*second[:-1], {"role": "assistant", "content": "Sorry, nothing is booked."}]
before, after = verdicts_of(second), verdicts_of(rewritten)
assert [name for name in before if before[name] != after[name]] == ["answer"]
before["answer"], after["answer"]

# %% [markdown]
# Only the answer's verdict moved. The booking still stands.
#
# ## Look at any of them ◆
# Pick a control and a language: its calls, and which checks fail at each.

# %%
panel = control_panel()
panel

# %% [markdown]
# Moved by code to the run whose booking was refused. Compare call 3 with the last words:

# %%
panel["control"].value = "fabricated_id"
assert panel.picture.rows[3][-1] == "argument_provenance"
panel.picture

# %% [markdown]
# ## What stops them, and what finds them ◆
# The lessons build protections, and each ends with a table like this: the five runs, replayed, by what stands between
# model and tools. Registry: the dict of tools of lesson 01. Gateway: lesson 03. "Ran": nothing stopped the call. In
# the last column the judge reads the run afterwards.

# %%
matrix = control_matrix("registry", "checks")
assert matrix["skip", "checks"].outcome == "found afterwards"
matrix

# %% [markdown]
# ## What each layer catches
# These runs decide badly. But calls go wrong, too: broken JSON, a text for a number, a tool that hangs, a booking
# sent twice. Against this stand three layers, and 97 such cases are put to each, a mark for a case:

# %%
suite = conformance()
assert [len(suite.caught(layer.title)) for layer in suite.implementations] == [24, 60, 97]
suite.chart

# %% [markdown]
# A dict of tools (lesson 01) catches 24 of the 97, contract and check from one source (lesson 02) 60, and the gateway
# (from lesson 03 on) all. **Died**: the whole run ended. **Not asked**: cases about making a schema, which for a dict
# is written by hand.
#
# ## Exercises
# They wait for you, here as in every lesson. A cell that is left as it is counts as not attempted.

# %% tags=["exercise"]
# 00.tools_called

# %% tags=["exercise"]
# 00.failed_checks

# %% [markdown]
# ## What we have, and what is still wrong ◆
# An answer to the interview question: *I do not ask the answer. I keep the messages of every run, and code checks the
# calls: was each step made, does every id come from a result, does the choice fit what was seen. The outcome stands
# beside it, for a run can be wrong on the way and lucky in the end.*
#
# Still wrong: the judge is a black box, comes after the booking, and we have not built a single tool.
#
# ## The way through ◆
# | lesson | you learn to | minutes | ◆ |
# | --- | --- | --- | --- |
# | 00 | look behind the answer | 18 | 10 |
# | [01](01_dict_of_tools.ipynb) | run what a model asks for: a dict of tools, the agent loop | 40 | 11 |
# | [02](02_one_source.ipynb) | take contract and validation from one source | 40 | 9 |
# | [03](03_deadlines_retries_idempotency.ipynb) | end every call: deadlines, retries, idempotency | 45 | 9 |
# | [04](04_pools_breakers_limits.ipynb) | contain a bad tool: pools, breakers, limits | 45 | 4 |
# | [05](05_tools_in_production.ipynb) | hand tools to others: roles, files, sandbox | 45 | 6 |
# | [06](06_before_during_after.ipynb) | ask before a call, score what comes back | 40 | 5 |
# | [07](07_judging_a_trajectory.ipynb) | judge a run by its calls: the black box, opened | 50 | 8 |
# | [08](08_testing_the_checks.ipynb) | test the checks, count many runs | 45 | 5 |
# | [09](09_a_model_that_validates.ipynb) | let a model check calls, and count its errors | 45 | 5 |
# | [10](10_ask_the_log.ipynb) | ask the log: what fails, whose doing, whom to wake | 45 | 6 |
# | [11](11_break_it_on_purpose.ipynb) | break it on purpose: failure lab, bug hunt | 45 | 7 |
# | [12](12_interview_drills.ipynb) | interview drills: cards, timed builds, quizzes | 45 | 5 |
#
# The last column is **the 90-minute route**: of each lesson its opening and what stands under a heading with ◆,
# without exercises. These cells need no others; the others can wait.

# %% [markdown]
# ## Three doors ◆
# - **You have an interview.** Take the route, then the timed builds and the cards of [12](12_interview_drills.ipynb).
#   Come back for the exercises: they are what stays.
# - **Your agent is in production.** [07](07_judging_a_trajectory.ipynb) writes a policy of your own; then
#   `toolkit check my_run.json --policy my_policy.json` in a terminal judges your recordings (without `--policy` it
# asks   for the hotel's steps). Then [05](05_tools_in_production.ipynb) for other people's hands, and
# [10](10_ask_the_log.ipynb) for the log.
# - **You teach a workshop.** No laptop needs a key or the network; `toolkit doctor` says whether it is ready. The
#   minutes above count the exercises.
#
# `toolkit progress` shows what you have done, and what to do next. Next comes [01](01_dict_of_tools.ipynb): you start
# with an empty dict.
