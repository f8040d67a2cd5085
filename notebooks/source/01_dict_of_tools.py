# %% [markdown]
# # 01 · Build a dict of tools, and the loop around it
#
# After this lesson you can say what a tool contract is, write the smallest closed loop by hand (declare, model asks,
# parse, call, answer), and show where it breaks.
#
# About 40 minutes, 20 of them for three exercises. ◆ marks the [90-minute route](00_two_answers.ipynb). No key, no
# network: the models in here are simulated and say so.

# %%
import json
from datetime import date as Day
from functools import partial

from ipywidgets import Dropdown, Text

from toolkit import Registry, ToolError
from toolkit.agent import asks_for, says, scripted_client
from toolkit.hotel import World, hotel_registry
from toolkit.hotel.goal import opening
from toolkit.hotel.simulated import simulated_client
from toolkit.lab.call_panel import show_call
from toolkit.lab.matrix import control_matrix
from toolkit.lab.panel import Panel
from toolkit.lab.run_view import compare_runs, show_run
from toolkit.lab.ten_calls import book_hotel, compare_ways, search_hotels, with_errors_told
from toolkit.lessons import check, hint, predict, solution

# %% [markdown]
# ## A call that nobody hears ◆
#
# A traveller wants a room in Xi'an, a suite if it rains. The model asks for the weather, and a handler of the kind that
# is published again and again takes the call: read the name, look the tool up, run it.
#
# (The client is the official one, of `openai`. The model behind it is a tape: it says what we put on it.)

# %%
tape = scripted_client([asks_for(("get_weather", {"city": "Xi'an", "date": "2026-10-01"}))])
completion = await tape.chat.completions.create(model="tape", messages=opening())
call = completion.choices[0].message.tool_calls[0].model_dump()

world = World()
handlers = {"get_weather": world.weather}
name = call.get("name")
reply = handlers[name](**call["arguments"]) if name in handlers else f"Tool {name} is not registered."
assert reply == "Tool None is not registered."
reply

# %% [markdown]
# The tool is there, and still every call is "not registered". What did come?

# %%
print(json.dumps(call, indent=2))
assert "name" not in call
assert isinstance(call["function"]["arguments"], str)

# %% [markdown]
# Name and arguments stand one level down, under `function`. The arguments are **a text** that should hold JSON. And
# there is an `id`, which the answer has to repeat.
#
# > **Interview question.** *Write tool use by hand, without a framework: from the declaration to the final answer. Then
# > tell me what breaks.*
#
# ## The plan ◆
#
# The loop is nine lines. It has two gaps with a name: **ask** gets the model's next turn, **answer** runs one call.


# %%
async def run_loop(client, model, tools, messages, max_turns=10):
    """Let the model ask for tools until it answers. The history grows in place."""
    for _ in range(max_turns):
        turn = await ask(client, model, tools, messages)
        messages.append(turn)
        if not turn.get("tool_calls"):
            return turn["content"]
        for call in turn["tool_calls"]:
            messages.append(answer(tools, call))
    return None


# %% [markdown]
# ## The contract comes first ◆
#
# Before there is any code there is a **contract**: a name, a description, and a JSON Schema of the parameters. It is
# all a model ever learns about a tool, so it is written for a reader who cannot look inside.

# %%
WEATHER = {
    "name": "get_weather",
    "description": "Look up the forecast of a city for one day, before choosing what depends on it.",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City, copied from the user's message."},
            "date": {"type": "string", "description": "The day, as YYYY-MM-DD."},
        },
        "required": ["city", "date"],
    },
}

# %% [markdown]
# Then the function that keeps it. JSON has no dates, so a day arrives as text and is read here. A **tool** is both:
# three parts for the model and a function for us, kept in a dict by name.


# %%
def get_weather(world, /, city, date):
    """Look up the forecast in this hotel world."""
    return world.weather(city, Day.fromisoformat(date))


# %%
def register(tools, *, name, description, parameters, func):
    """Put a tool into the dict."""
    tools[name] = {"name": name, "description": description, "parameters": parameters, "func": func}


# %% [markdown]
# Two more contracts of this form come with the sample hotel (lesson 02 shows from where). Their functions are two lines
# each, like `get_weather`, and were imported above. The hotel declares five: two for a plan, the weather, and then
# these two, hence `[3:]`. All three, acting on one hotel world:

# %%
SEARCH, BOOK = [entry["function"] for entry in hotel_registry(World()).openai_tools()[3:]]


def hotel_tools(world):
    """A new dict of three tools."""
    tools = {}
    register(tools, **WEATHER, func=partial(get_weather, world))
    register(tools, **SEARCH, func=partial(search_hotels, world))
    register(tools, **BOOK, func=partial(book_hotel, world))
    return tools


tools = hotel_tools(world)
list(tools)

# %% [markdown]
# ## Declare and ask ◆
#
# What of this goes out to the model? Everything but the function, wrapped as the API wants it. **ask**, the first gap,
# sends it along with the history, and turns the reply into a plain dict at once: a history is a list of plain dicts.


# %%
def declare(tools):
    """The list for `tools=` of a request."""
    contracts = [{key: part for key, part in tool.items() if key != "func"} for tool in tools.values()]
    return [{"type": "function", "function": contract} for contract in contracts]


assert declare(tools)[0] == {"type": "function", "function": WEATHER}


# %%
async def ask(client, model, tools, messages):
    """The model's next turn."""
    completion = await client.chat.completions.create(model=model, messages=messages, tools=declare(tools))
    return completion.choices[0].message.model_dump(exclude_none=True)


predict("01.who_runs")

# %% [markdown]
# Choose before you run the next cell: a model that wants to book at once.

# %%
STAY = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}
turn = await ask(scripted_client([asks_for(("book_hotel", STAY))]), "tape", tools, opening())
assert turn["tool_calls"][0]["function"]["name"] == "book_hotel"
world.bookings

# %% [markdown]
# No booking. A turn is a message: a model writes a name and arguments, and what runs, runs here.
#
# ## Parse, call, answer ◆
#
# The second gap. **dispatch** is the heart of every tool loop: look up, parse, call. **answer** sends the value back as
# text. Which text? `str` is near at hand, but what it makes of a Python value is not JSON. A model reads both; whoever
# looks the run up later (a log, the checks of lesson 07) can parse only one.


# %%
def dispatch(tools, name, arguments):
    """Run a tool on arguments that came as JSON text."""
    return tools[name]["func"](**json.loads(arguments))


value = dispatch(tools, "get_weather", '{"city": "Xi\'an", "date": "2026-10-01"}')
print(f"str:        {value}\njson.dumps: {json.dumps(value)}")
assert json.loads(json.dumps(value)) == value


# %%
def answer(tools, call):
    """One tool message for one call."""
    value = dispatch(tools, call["function"]["name"], call["function"]["arguments"])
    return {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(value, ensure_ascii=False)}


message = answer(tools, turn["tool_calls"][0])
assert message["tool_call_id"] == turn["tool_calls"][0]["id"]
assert len(world.bookings) == 1

# %% [markdown]
# ## Close the loop ◆
#
# No gap is left. A tape of four turns, in which the model looks at the weather, searches, books and answers:

# %%
turns = [
    asks_for(("get_weather", {"city": "Xi'an", "date": "2026-10-01"})),
    asks_for(("search_hotels", {"city": "Xi'an", "check_in": "2026-10-01"})),
    asks_for(("book_hotel", STAY)),
    says("Booked: a suite at Sofitel at the Bell Tower from 2026-10-01 for 2 nights."),
]
world.reset()
messages = opening()
await run_loop(scripted_client(turns), "tape", tools, messages)
assert [booking["total"] for booking in world.bookings] == [800]
show_run(messages)

# %% [markdown]
# That is tool use. Any model behind an `openai` client takes the tape's place: another client, another model's name,
# and not a line of the loop changes.
#
# ## What the history is for
#
# One line looks as if it could go: `messages.append(turn)`. The results are in the history without it. **Predict**,
# then run: a simulated model that is no tape, but reads the messages and decides, gets the history up to the weather
# twice, once without the assistant's turn. (It has the habit `no_plan`, because our dict has no tool for a plan.)

# %%
predict("01.forget")

# %%
reader = simulated_client(faults={"no_plan": 1.0})
whole = messages[:4]
without = [message for message in whole if message["role"] != "assistant"]
with_it = await ask(reader, "simulated", tools, whole)
without_it = await ask(reader, "simulated", tools, without)
asked_for = [turn["tool_calls"][0]["function"]["name"] for turn in (with_it, without_it)]
assert asked_for == ["search_hotels", "get_weather"]
asked_for

# %% [markdown]
# Without its own turn the model starts over, and over. The API keeps nothing between two requests: what you do not send
# back has not happened. (Many servers refuse such a history outright.)
#
# ## Break it
#
# Now what models really send. A name that is nearly right, and an argument left out: `required` stands in the schema,
# but nobody has read it.

# %% tags=["raises-exception"]
dispatch(tools, "get_wether", '{"city": "Xi\'an", "date": "2026-10-01"}')

# %% tags=["raises-exception"]
dispatch(tools, "get_weather", '{"city": "Xi\'an"}')

# %% [markdown]
# Both end the run. Worse are the calls that do not. A tool that adds up nights, declared with two integers:

# %%
INTEGERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
ADD = {"name": "add_nights", "description": "Add two numbers of nights.", "parameters": INTEGERS}
register(tools, **ADD, func=lambda a, b: a + b)
predict("01.text")

# %%
nights = dispatch(tools, "add_nights", '{"a": "5", "b": "2"}')
assert nights == "52"
nights

# %% [markdown]
# Fifty-two nights, and no error anywhere. **The schema is a promise by the model, and nothing here holds it to that.**
#
# Next, a plain refusal. One turn asks for two things, and HT-001 has no suite:

# %%
history = opening()
weather = ("get_weather", {"city": "Xi'an", "date": "2026-10-01"})
both = asks_for(weather, ("book_hotel", {**STAY, "hotel_id": "HT-001"}))
try:
    await run_loop(scripted_client([both, says("Booked.")]), "tape", tools, history)
except ToolError as error:
    print("The run is over:", error)
answered = [message["tool_call_id"] for message in history if message["role"] == "tool"]
assert [call["id"] for call in history[2]["tool_calls"]] == [*answered, "call_1_1"]

# %% [markdown]
# Read the message: it was written for the model, and even says what to book instead. The model never sees it. The run
# is dead, and its history holds a call without an answer, which many servers refuse too.
#
# ## Register on purpose
#
# A second team brings its own `search_hotels`. The dict takes it without a word, and the first tool is gone. Scanning
# the module for functions, as some frameworks do, is no better: every function in it becomes a tool.

# %%
register(tools, **SEARCH, func=lambda city, check_in: {"hotels": ["last year's"]})
assert dispatch(tools, "search_hotels", '{"city": "Xi\'an", "check_in": ""}') == {"hotels": ["last year's"]}
assert len(tools) == 4
assert {"run_loop", "open", "World"} <= {name for name, found in globals().items() if callable(found)}

# %% [markdown]
# `Registry` of this package is the same dict with a door: a name is taken once, and it has to be one that models
# accept. Whoever means to swap a tool says so.

# %% tags=["raises-exception"]
registry = Registry()
for tool in hotel_tools(world).values():
    registry.register(**tool)
assert registry.openai_tools() == declare(hotel_tools(world))
registry.register(**SEARCH, func=print)

# %% [markdown]
# ## Ten calls
#
# Ten calls as models send them, each to a fresh hotel: through your dict, and through one that tells every error to the
# model instead of raising it (you write that one below).
#
# **right**: the value that was meant. **told**: nothing done, and the model reads an error. **wrong**: something else
# was done. **died**: the run is over. Three of the ten say plainly what they mean and should end **right**: the one
# with nothing wrong, the number as text, the other spelling. Seven can only be refused and should be **told**. The sum
# counts the calls that end as they should.


# %%
ten = compare_ways(mine=lambda world: partial(dispatch, hotel_tools(world)), errors_told=with_errors_told)
assert ten.summary.endswith("mine 1, errors told 6")
ten

# %%
ten.chart

# %% [markdown]
# Telling errors keeps the run alive, and ends six calls as it should. Two more are told that should have run. And two
# run in both that should not have: `true` books one night, and of a key sent twice the second value counts.
#
# ## Send calls of your own
#
# One call, two ways: the bare dict, and the one that tells every error. Read what the model reads.

# %%
name = Dropdown(options=["get_weather", "get_wether", "search_hotels", "book_hotel"])
arguments = Text('{"city": "Xi\'an"}', layout={"width": "95%"})
panel = Panel("Send a call", show_call, {"name": name, "arguments": arguments})
panel

# %%
panel["name"].value = "book_hotel"
panel["arguments"].value = json.dumps({**STAY, "nights": True})
assert [row[2] for row in panel.picture.rows] == [1, 1]
panel.picture

# %% [markdown]
# ## What the control runs say
#
# Suppose every call were perfect: right name, right types, nothing left out. Here are two runs of the simulated agent
# through our loop; the second has one more bad habit and never looks at the weather. The same suite, the same last
# words: the dict ran what it was asked to run. Below them stands the table that ends each lesson: five recorded control
# runs, sent through what we have built so far.

# %%
runs = {"looks": opening(), "does not look": opening()}
for history, habits in zip(runs.values(), ({}, {"skip_weather": 1.0}), strict=True):
    agent = simulated_client(faults={"no_plan": 1.0, **habits})
    await run_loop(agent, "simulated", hotel_tools(World()), history)
assert runs["looks"][-1] == runs["does not look"][-1]
compare_runs(runs)

# %%
matrix = control_matrix("registry")
assert {cell.outcome for cell in matrix.cells.values()} == {"ran"}
matrix

# %% [markdown]
# Four of the five are bad, each in its own way. A dict of tools stops none. (`fabricated_id` ran as well: the hotel
# itself said no, and the answer claimed success all the same.)
#
# ## Your turn
#
# Three exercises. A cell that is left as it is counts as not attempted; the last one is the interview question.

# %% tags=["exercise"]
# 01.cancel_contract

# %% tags=["exercise"]
# 01.answer_call

# %% tags=["exercise"]
# 01.tool_loop

# %% [markdown]
# ## What we have, and what is still wrong ◆
#
# **We have** a contract (name, description, JSON Schema), a function beside it, and a loop that closes: declare, ask,
# parse, call, answer. `toolkit.registry.Registry` is this dict; `toolkit.agent.run_agent` is this loop, grown up.
#
# **Still wrong:**
# - the schema is written by hand next to the function, and nothing keeps the two together;
# - nobody holds a call to the schema, so `"5"` and `true` walk through;
# - a slow tool blocks everything, a failed one is not tried again, and a booking may happen twice;
# - a run that never looked at the weather books like one that did.
#
# **Next:** [02](02_one_source.ipynb) takes the first two. One source gives both the contract and the check.
