"""T5: tools are switched and limited by a file while calls run; a bad file changes nothing."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import threading

import pytest

from toolkit import Context, RateLimit, Registry, Status, ToolkitError, tool
from toolkit.gateway.hot_update import ConfigError, HotUpdate


@pytest.fixture
def hotel(registry):
    @tool(registry, timeout_s=5)
    async def find_room(city: str) -> str:
        """Find a room."""
        await asyncio.sleep(1)
        return city

    @tool(registry)
    async def book_room(city: str) -> str:
        """Book a room."""
        return city

    return registry


@pytest.fixture
def config(tmp_path, hotel):
    """Writes the file and checks it: `config("...toml...")`. `.update` is the updater, `.path` the file."""

    class Config:
        path = tmp_path / "tools.toml"
        update = HotUpdate(hotel, path)

        def __call__(self, text):
            self.path.write_text(text, encoding="utf-8")
            return self.update.check()

    return Config()


@pytest.mark.row("T5")
def test_a_file_sets_what_it_names_and_nothing_else(config, hotel):
    """The rest stays as declared in code."""
    assert config("[tools.find_room]\nattempts = 1\nrate_limit = { calls = 3, per_s = 0.5 }\n")
    policy = hotel["find_room"].policy
    assert (policy.attempts, policy.rate_limit, policy.timeout_s) == (1, RateLimit(3, 0.5), 5)
    assert hotel["book_room"].policy.attempts is None


@pytest.mark.row("T5")
def test_what_a_file_no_longer_names_goes_back(config, hotel):
    """An entry that is taken out leaves nothing behind, be it a limit or a switch."""
    declared = dict(hotel.declared)
    config("[tools.find_room]\nenabled = false\n[tools.book_room]\ntimeout_s = 1\n")
    assert (list(hotel), hotel["book_room"].policy.timeout_s) == (["book_room"], 1)
    config("[tools.book_room]\ntimeout_s = 2\n")
    assert (list(hotel), hotel["book_room"].policy.timeout_s) == (["find_room", "book_room"], 2)
    config("")
    assert dict(hotel.declared) == declared


@pytest.mark.row("T5")
def test_a_file_that_says_the_same_changes_no_version(config, hotel):
    """Schema caches go by the version number, so it moves only when something did."""
    text = "[tools.find_room]\nenabled = false\n"
    assert config(text)
    version = hotel.version
    assert (config(text), hotel.version) == (False, version)


@pytest.mark.row("T5")
def test_a_file_is_one_step(config, hotel):
    """Sixty changes of both tools; a reader in another thread never sees one without the other."""
    torn, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            tools = hotel.snapshot()
            limits = {each.policy.max_calls for each in tools.values()}
            if len(limits) != 1 or len(tools) not in (0, 2):
                torn.append(tools)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(1, 60):
        on = "true" if number % 3 else "false"
        entry = f"max_calls = {number}\nenabled = {on}\n"
        config(f"[tools.find_room]\n{entry}[tools.book_room]\n{entry}")
    stop.set()
    reader.join(10)
    torn = [tools for tools in torn if tools]  # none at all is a state of its own
    assert torn == []


BAD = {
    "no TOML": ("[tools", "cannot be parsed: Expected ']' at the end of a table declaration (at end of document)."),
    "unknown tool": (
        "[tools.find_rooms]\nenabled = false",
        ": tools.find_rooms: there is no such tool. Registered: find_room, book_room.",
    ),
    "unknown setting": ("[tools.find_room]\ntimeout = 1", ": tools.find_room.timeout: Extra inputs are not permitted."),
    "wrong type": (
        '[tools.find_room]\nenabled = "no"',
        ": tools.find_room.enabled: Input should be a valid boolean.",
    ),
    "out of range": (
        "[tools.find_room]\nattempts = 0",
        ": tools.find_room.attempts: Input should be greater than or equal to 1.",
    ),
    "not finite": (
        "[tools.find_room]\ntimeout_s = inf",
        ": tools.find_room.timeout_s: Input should be a finite number.",
    ),
    "another section": ("[server]\nport = 1", ": server: Extra inputs are not permitted."),
}


@pytest.mark.row("T5")
@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_as_a_whole(config, hotel, text, message):
    """The text names file, place and rule; what was in force before stays in force."""
    config("[tools.book_room]\nmax_calls = 7\n")
    before = hotel.version
    with pytest.raises(ConfigError) as raised:
        config("[tools.book_room]\nmax_calls = 9\n" + text)
    start = f"{config.path} " if message.startswith("cannot") else str(config.path)
    assert str(raised.value) == start + message
    assert (hotel.version, hotel["book_room"].policy.max_calls) == (before, 7)
    assert isinstance(raised.value, ToolkitError)


@pytest.mark.row("T5")
@pytest.mark.parametrize("content", [b"\xff\xfe", b"x" * 1_000_001, b"tools = " + b"[" * 5000])
def test_a_file_that_is_no_text_is_refused(config, hotel, content):
    """Binary, endless, nested without end: one clear error."""
    config.path.write_bytes(content)
    with pytest.raises(ConfigError):
        config.update.check()
    assert list(hotel) == ["find_room", "book_room"]


def test_a_missing_file_is_refused(hotel, tmp_path):
    """Also a directory in its place."""
    for path in (tmp_path / "no.toml", tmp_path):
        with pytest.raises(ConfigError, match="cannot be read"):
            HotUpdate(hotel, path).check()


def test_json_says_the_same(hotel, tmp_path):
    """By the file's ending; null means as declared."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": {"find_room": {"timeout_s": 1, "confirm": None, "roles": ["guest"]}}}))
    HotUpdate(hotel, path).check()
    policy = hotel["find_room"].policy
    assert (policy.timeout_s, policy.confirm, policy.roles) == (1, False, frozenset({"guest"}))


@pytest.mark.row("T5")
async def test_a_running_call_finishes_on_the_old_state(config, hotel, gateway_for, raw):
    """Disabled in the middle of a call: that call ends well, the next one is unknown, the one after enabling runs."""
    gateway = gateway_for(hotel)
    running = asyncio.create_task(gateway.call(raw("find_room", city="Xi'an")))
    await asyncio.sleep(0.5)
    config("[tools.find_room]\nenabled = false\n")
    assert (await gateway.call(raw("find_room", city="Xi'an"))).status is Status.UNKNOWN_TOOL
    assert (await running).value == "Xi'an"
    config("")
    assert (await gateway.call(raw("find_room", city="Xi'an"))).ok


@pytest.mark.row("T5")
async def test_roles_from_a_file_close_the_others(config, hotel, gateway_for, raw):
    """Naming roles for one tool closes the tools without, from the next call on."""
    gateway = gateway_for(hotel)
    assert (await gateway.call(raw("book_room", city="Xi'an"))).ok
    config('[tools.find_room]\nroles = ["guest"]\n')
    assert (await gateway.call(raw("book_room", city="Xi'an"))).status is Status.DENIED
    assert (await gateway.call(raw("find_room", city="Xi'an"), Context(role="guest"))).ok


@pytest.mark.row("T5")
def test_a_tool_replaced_in_code_keeps_the_files_limits(config, hotel):
    """The new version becomes what is declared, and the file holds for it at the next check."""
    config("[tools.find_room]\nmax_calls = 3\n")
    hotel.replace(dataclasses.replace(hotel["find_room"], version="2", policy=hotel["book_room"].policy))
    assert config.update.check()
    assert (hotel["find_room"].version, hotel["find_room"].policy.max_calls) == ("2", 3)
    config("")
    assert (hotel["find_room"].version, hotel["find_room"].policy.max_calls) == ("2", None)


def test_a_tool_disabled_in_code_stays_disabled(config, hotel):
    """The file enables what it disabled itself, nothing more."""
    hotel.disable("book_room")
    config("[tools.find_room]\nenabled = false\n")
    config("")
    assert list(hotel) == ["find_room"]


@pytest.mark.row("T5")
async def test_a_watcher_takes_changes_and_tells_of_bad_ones_once(config, hotel, clock):
    """Every second; a file that stays bad is told once, and a good one afterwards is taken."""
    told = []
    config.path.write_text("")
    watcher = asyncio.create_task(config.update.watch(1.0, on_error=told.append))
    await asyncio.sleep(0.5)
    config.path.write_text("[tools.find_room]\nenabled = false\n")
    await asyncio.sleep(1)
    assert list(hotel) == ["book_room"]
    config.path.write_text("[tools")
    await asyncio.sleep(5)
    assert (len(told), list(hotel)) == (1, ["book_room"])
    config.path.write_text("")
    await asyncio.sleep(1)
    assert list(hotel) == ["find_room", "book_room"]
    watcher.cancel()


@pytest.mark.row("T5")
def test_update_refuses_names_that_are_not_registered():
    """A registry changes only what it knows, or nothing at all."""
    from toolkit import ToolDefinitionError

    registry = Registry()
    with pytest.raises(ToolDefinitionError) as raised:
        registry.update([], ["find_room"])
    assert str(raised.value) == "No tool is named 'find_room'. Registered: none."
