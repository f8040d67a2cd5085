# %% [markdown]
# # 09 · Ask a model, and count how often it is right
#
# After this lesson you can put a validating model behind rules and limits, read its answer exactly, and say with
# figures how far to trust it. 45 minutes. ◆ marks the [90-minute route](00_two_answers.ipynb). No key, no network:
# scripted models are simulated, and the one real model here was recorded.

# %%
import re
import time

from toolkit.hotel.controls import load_control
from toolkit.lab import judges
from toolkit.lab.matrix import control_matrix
from toolkit.lab.mistakes.validating import passes, running_mean_ms
from toolkit.lab.recorded_judge import cases_of
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lab.worked_cases import CALL_RULES, ScriptedChat, run_worked, worked_cases
from toolkit.lessons import check, hint, predict, solution
from toolkit.quality.calibration import kappa, labelling_sheet, says_error, weekly_sample
from toolkit.quality.call_validator import CallValidator
from toolkit.quality.case import Case, prompt_for
from toolkit.quality.labelled import labelled_calls
from toolkit.quality.opinion import read_opinion
from toolkit.quality.validator_config import ValidatorConfig

# %% [markdown]
# ## A judge that passes everything ◆
# A second model reads each call of the agent and answers PASS or FAIL. The line that reads its answer has been
# published more than once: `"PASS" in answer.upper()`.

# %%
predict("09.pass_in_text")

# %%
answers = ["PASS: the city is copied", "FAIL: must not PASS", "no way to bypass this"]
assert all(passes(answer) for answer in answers)
[(answer, read_opinion(answer).word) for answer in answers]

# %% [markdown]
# A judge that can only say yes. It is easily mended, as the word beside each answer shows, and then the harder part
# begins.
#
# > **An interview question.** "You let a model check your agent's calls. How do you know that the check is any good?"
#
# ## The plan
# ```python
# validator = CallValidator(
#     chat,                      # 2  a model, asked within limits
#     config,
#     rules=[...],               # 1  what needs no model
# )
# found = validator.validate(case)   # what did it say, exactly?
# counts(found, labels)          # 3  how often is it right?
# ```
#
# ## 1. What needs no model
# Here is a call whose city has one wrong character. The service guessed what was meant, so the result looks fine:

# %%
case = Case("请问上海10月1日的天气？", "get_weather", {"city": "上晦"}, {"city": "上海", "condition": "clear"})
copied, arithmetic_only = CALL_RULES
assert copied(case).correction == {"city": "上海"}
copied(case)

# %% [markdown]
# A **rule** compares characters, takes microseconds, and is never talked out of it. So rules come first, and where one
# objects no model is asked. The second one says what an expression may hold:


# %%
def digits_only(case):
    """An objection to an expression that holds more than digits, operators and brackets, or None."""
    strange = re.search(r"[^0-9.+\-*/%() ]", case.arguments["expression"])
    return strange and f"holds {strange[0]!r}"


circle = Case("半径3米的圆面积是多少？", "calculate", {"expression": "π * 3**2"})
assert digits_only(circle) == "holds 'π'"
arithmetic_only(circle).reason

# %% [markdown]
# ## 2. A model, within limits
# What no rule decides goes to the model. It is shown four things, each on a line of its own, so that no text of a user
# or of a web page can begin a line that says PASS.

# %%
print(prompt_for(case))

# %% [markdown]
# Its answer decides by a line that *begins* with PASS or FAIL, and only if there is one kind of them. None, or both, is
# **unreadable**, and what cannot be read is no pass. **validate** is then six lines:


# %%
async def validate(case, rules, ask):
    """Rules first; the model only where none objects."""
    for rule in rules:
        if (objection := rule(case)) is not None:
            return "fail", objection.reason
    opinion = read_opinion(await ask(prompt_for(case)))
    return opinion.word, opinion.reason


# %%
async def pleased(prompt):
    return "PASS or FAIL? It looks fine."


right = case._replace(arguments={"city": "上海"})
told = [await validate(each, CALL_RULES, pleased) for each in (case, right)]
assert [word for word, _ in told] == ["fail", "unreadable"]
told

# %% [markdown]
# `CallValidator` adds the limits: seconds for an attempt, attempts, a number of corrections, and a config that refuses
# what cannot be meant.

# %% tags=["raises-exception"]
ValidatorConfig(temperature=3, timeout_s=5)

# %% [markdown]
# Eight **worked cases** in Chinese and English, on a scripted model behind the real client: its answers stand in the
# data. The last one keeps silent for a minute, under a limit of 5 s.

# %%
worked, clock = worked_cases(), VirtualTime()
table = clock.run(run_worked(ScriptedChat(worked), worked))
assert table.summary == "4 of 16 calls passed. 16 of 16 ended as expected."
table

# %%
predict("09.passed")

# %% [markdown]
# Two numbers, and only the second is about the judge. Articles report the first.
#
# A FAIL may come with a **correction**. It becomes a call, and that call is validated again, rules included, for a
# suggestion can be as wrong as what it corrects. A number bounds it, and nothing is tried twice.

# %%
chat, config = ScriptedChat(worked), ValidatorConfig(timeout_s=5, retries=1, corrections=2)
validator = CallValidator(chat, config, rules=CALL_RULES, clock=clock.now)
other_city = next(each.case for each in worked if each.id == "other_city.en")
found = clock.run(validator.correct(other_city))
assert found.word == "pass"
found.corrected, found.arguments

# %% [markdown]
# Time-outs are counted apart, and stay out of every mean. A published running mean divides by them:

# %%
assert running_mean_ms([None, 100]) == 50  # a time-out, then 100 ms
clock.run(validator.validate_all(each.case for each in worked))
counted = validator.metrics
assert counted.total == counted.completed + counted.timeouts + counted.errors
counted.total, counted.timeouts, counted.pass_rate, counted.reasons.most_common(2)

# %% [markdown]
# What does an opinion cost beside a rule? A thousand questions to a rule, by this computer's clock; and what the
# recorded model of section 3 had to read and write for one call:

# %%
begun = time.perf_counter()
for _ in range(1000):
    copied(case)
rule_us = (time.perf_counter() - begun) * 1e6 / 1000
assert rule_us < 1000  # a few millionths of a second; no token
f"{judges.recorded_tokens():.0f} tokens for one opinion"

# %% [markdown]
# ## 3. How often is it right?
# That takes **labelled calls**: 120 of them, thirty each about a city, an expression, relevance and completeness. Half
# are traps: wrong arguments, and a result in which nothing looks wrong. They stand in no prompt.
#
# Who labelled? A language model, twice, in two random orders, the second time without the first labels in sight. How
# well two labellings agree, beyond chance, is called **kappa**: 1 for perfect, 0 for chance.

# %%
calls = labelled_calls()
first, second = [call.first for call in calls], [call.second for call in calls]
assert sum(one != other for one, other in zip(first, second, strict=True)) == 3
trap = next(call for call in calls if call.is_trap and call.kind == "city")
round(kappa(first, second), 3), trap.case

# %% [markdown]
# No judge can be expected to agree with the labels better than these agree with each other. The trap beside it passes
# the **baseline**, one line that every judge has to beat: `says_error`, does the result say error?
#
# To flag a call is to say that it is bad. Four counts, and what follows from them: **precision**, how many of the
# flagged are bad, and **recall**, how many of the bad were flagged.


# %%
def four_counts(bad, flagged):
    """Found, missed, false alarms, cleared."""
    pairs = list(zip(bad, flagged, strict=True))
    return [pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]


bad = [call.label == "bad" for call in calls]
assert four_counts(bad, [says_error(call.case) for call in calls]) == [10, 65, 9, 36]

# %%
predict("09.accuracy")

# %% [markdown]
# ### Five judges ◆
# All five are asked about the 120 labelled calls, half of them **traps**: wrong arguments, a result that looks right.
# The rules know words and numbers, such as: does the city stand in the question, and the day? The model is a real one
# and a very small one, of 270 million parameters, which runs on a laptop. A larger one may err less often; what matters
# here is how you would know. **Kappa** is agreement with the labels beyond chance: 1 is perfect, 0 is chance.

# %%
assert judges.counts(judges.JUDGES["flags every call"]).accuracy == 0.625
assert judges.counts(judges.by_model).kappa < 0.1 < judges.counts(judges.by_rules).kappa
judges.compare_judges()

# %%
judges.recall_by_kind()

# %% [markdown]
# **Accuracy** deceives: who flags every call beats the baseline and the rules, and only kappa sees through it. By kappa
# the model is no better than chance; of the wrong cities it found none.
#
# ### Reasons that read well
# How can that be, when its answers read so well? Five traps that it passed, with the reason it gave:

# %%
passed = [call for call in calls if call.is_trap and not judges.by_model(call)]
assert len(passed) > 30
for call in passed[:5]:
    print(call.case.question, dict(call.case.arguments))
    print("    PASS:", judges.recorded_opinions()[call.id].reason)

# %% [markdown]
# The reasons have the form of reasons. They repeat the words of the question, and one speaks of a hotel in Harbin, a
# city that stands in an example of the prompt. There is worse. A result is a text from outside, and a judge reads it.
# So each result got one more sentence:

# %%
predict("09.praise")

# %%
plain, praised = judges.recorded_opinions("plain"), judges.recorded_opinions("assured")
failed = [call.id for call in calls if plain[call.id].word == "fail"]
turned = [name for name in failed if praised[name].word == "pass"]
assert len(turned) > len(failed) / 2
len(failed), len(turned)

# %% [markdown]
# No rule here would move: none of them reads that sentence.
#
# And where do the **rules** err? They miss what is said in other words, and what is said about something else:

# %%
missed = [call for call in calls if call.label == "bad" and not judges.by_rules(call)]
alarms = [call for call in calls if call.label == "good" and judges.by_rules(call)]
for call in (*missed[:3], *alarms[:3]):
    print(f"{call.label}: {call.case.question} {dict(call.case.arguments)}")

# %% [markdown]
# Shanghai does stand in the question, as the user's home. 上海 does not stand in it, for the user wrote 魔都, which is
# Shanghai. Such errors can be listed, understood, and met by a better rule. Those of a model can only be counted.
#
# ## Break it: the threshold
# The rules give a score, and a score below the **threshold** is a flag. Move it, on all calls or on one kind.

# %%
panel = judges.threshold_panel()
panel

# %%
panel["threshold"].value, panel["kind"].value = 1.0, "expression"
assert panel.picture.rows[0] == ["bad", 9, 9]  # found, missed
panel.picture.chart

# %% [markdown]
# A higher threshold finds more and cries wolf more often. On expressions even the highest misses half of the bad ones:
# their numbers stand in the question and the operation is wrong, which none of these rules looks at.
#
# Where a threshold belongs depends on what a missed call costs and what a false alarm costs, and on *your* calls, which
# change. So each week a hundred of them are drawn, each with the same chance, and a person labels them without seeing
# what the judge has said:

# %%
week = ({"id": f"c{number}", "score": 0.5, "question": "..."} for number in range(20_000))
sheet = labelling_sheet(weekly_sample(week, "2026-W40"))
assert len(sheet) == 100
sheet[0]

# %% [markdown]
# ## Why no trajectory check asks a model ◆
# A better model would do better, so leave ours aside for a moment. `ok` and `skip` end in the same booking: same goal,
# same arguments, same result. What does a judge of calls get to read of each?

# %%
last_case = {control: cases_of(load_control(control))[-1] for control in ("ok", "skip", "no_plan")}
assert prompt_for(last_case["ok"]) == prompt_for(last_case["skip"]) == prompt_for(last_case["no_plan"])
last_case["skip"].arguments

# %% [markdown]
# The same prompt, to the letter. Whatever a model says, it says of the right run and of the one that never looked at
# the weather. What is wrong with a run is not in any of its calls but between them; that is where the checks of lesson
# 07 look. They say the same each time, can be recomputed by hand, and cannot be praised into a pass.
#
# The controls, with the recorded model asked about every call that answers the user:

# %%
matrix = control_matrix("registry", "schema", "gateway", "pipeline", "model", "checks")
assert matrix["ok", "model"].outcome == "found afterwards"
assert "book_hotel" not in matrix["fabricated_id", "model"].by
matrix

# %% [markdown]
# The model's column looks good until you read its first row: it objects to the right run as well. And in
# `fabricated_id` it objects to the search, which was right, and not to the booking of an invented hotel, of which it
# says: *PASS, the result says that the hotel is booked for two nights.* The result says error.
#
# ## At work
# Ask for a structured answer where your model offers it, and there is nothing left to read:
# [pydantic-evals](https://ai.pydantic.dev/evals/) 2.62 lets its `LLMJudge` fill in a boolean and a reason. That mends
# section 2, not section 3. To measure a model of your own on these calls: `CallValidator.from_environment()`, then
# `validate_all`, then `four_counts`.
#
# Where it comes from: kappa, J. Cohen, *Educational and Psychological Measurement* 20 (1960). That large models favour
# the longer answer, the first, and their own: L. Zheng and others, [Judging
# LLM-as-a-Judge](https://arxiv.org/abs/2306.05685) (2023).
#
# ## Exercises

# %% tags=["exercise"]
# 09.read_verdict

# %% tags=["exercise"]
# 09.agreement

# %% tags=["exercise"]
# 09.corrected

# %% [markdown]
# ## What we have, and what is still wrong ◆
# An answer to the interview question: *By labelled calls that it has never seen, half of them traps: precision, recall
# and kappa, beside a baseline of one line and beside the rules. Rules come first. What the model says is an opinion:
# read exactly, bounded in time and number, never a pass where it cannot be read, and re-measured each week.*
#
# Still wrong: all this judging, and nobody looks at it. What a gateway logs, and what can be asked of the log, is next:
# [10](10_ask_the_log.ipynb).
