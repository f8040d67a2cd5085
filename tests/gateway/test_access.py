"""Who may call what: asked first, so that a refused caller learns nothing."""

from __future__ import annotations

from typing import Annotated

import pytest

from toolkit import Context, Status, tool
from toolkit.schema import OnlyFor

GUEST, ADMIN = Context(role="guest"), Context(role="admin")


@pytest.fixture
def hotel(registry):
    """Three tools: one for guests, one for admins, one whose author forgot the roles. Returns what was reached."""
    reached = []

    @tool(registry, roles={"guest", "admin"})
    async def find_room(city: str) -> str:
        """Find a room."""
        reached.append("find_room")
        return city

    @tool(registry, roles={"admin"})
    async def close_hotel(hotel_id: str) -> str:
        """Close a hotel."""
        reached.append("close_hotel")
        return hotel_id

    @tool(registry)
    async def delete_all() -> str:
        """Delete everything."""
        reached.append("delete_all")
        return "gone"

    return reached


@pytest.mark.row("F1", "P70")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("find_rooms", "There is no tool 'find_rooms'. Did you mean find_room? Available: find_room."),
        ("", "There is no tool '(a name that is not text)'. Available: find_room."),
        ("x" * 1000, f"There is no tool '{'x' * 64}'. Available: find_room."),
    ],
)
async def test_an_unknown_tool_is_told_what_there_is(hotel, registry, gateway_for, raw, name, message):
    """The message names the closest tool and only the tools this role may see."""
    result = await gateway_for(registry).call(raw(name), GUEST)
    assert (result.status, result.attempts, result.error.message) == (Status.UNKNOWN_TOOL, 0, message)


@pytest.mark.row("F1")
@pytest.mark.parametrize("name", [None, 7, ["find_room"], {"a": 1}, True])
async def test_a_name_that_is_not_text_is_an_unknown_tool(hotel, registry, gateway_for, name):
    """A number or a list where the name should be ends as `unknown_tool`, too."""
    call = {"id": "c", "function": {"name": name, "arguments": "{}"}}
    result = await gateway_for(registry).call(call, GUEST)
    assert (result.status, result.attempts) == (Status.UNKNOWN_TOOL, 0)
    assert result.error.message == "There is no tool '(a name that is not text)'. Available: find_room."


@pytest.mark.row("F2", "S2")
@pytest.mark.parametrize("arguments", ["{}", '{"hotel_id": 5}', '{"nonsense": 1}', "{", '{"hotel_id": "HT-001"}'])
async def test_a_denied_caller_learns_no_field_names(hotel, registry, gateway_for, arguments):
    """Whatever the arguments, the answer is the same, and holds no schema text."""
    call = {"id": "c", "function": {"name": "close_hotel", "arguments": arguments}}
    result = await gateway_for(registry).call(call, GUEST)
    assert (result.status, result.attempts, hotel) == (Status.DENIED, 0, [])
    assert result.to_content() == (
        '{"error": "This caller may not use close_hotel.", "status": "denied", "next_step": "use another tool"}'
    )


@pytest.mark.row("S1")
@pytest.mark.parametrize("role", [None, "", "stranger", "Guest", "guest "])
@pytest.mark.parametrize("name", ["find_room", "close_hotel", "delete_all"])
async def test_an_undeclared_role_reaches_nothing(hotel, registry, gateway_for, raw, role, name):
    """Once one tool names roles, a role that no tool names may call none of them."""
    result = await gateway_for(registry).call(raw(name, city="Xi'an"), Context(role=role))
    assert (result.status, hotel) == (Status.DENIED, [])


@pytest.mark.row("S1")
async def test_a_tool_without_roles_is_for_nobody_once_roles_are_in_use(hotel, registry, gateway_for, raw):
    """A forgotten declaration closes a tool; it does not open it."""
    gateway = gateway_for(registry)
    for context in (GUEST, ADMIN):
        assert (await gateway.call(raw("delete_all"), context)).status is Status.DENIED
    assert (await gateway.call(raw("find_room", city="Xi'an"), GUEST)).value == "Xi'an"


@pytest.mark.row("S1", "T5")
async def test_roles_are_looked_at_on_every_call(hotel, registry, gateway_for, raw):
    """A tool that is registered while the gateway runs closes the tools without roles from the next call on."""
    registry.remove("find_room")
    registry.remove("close_hotel")
    gateway = gateway_for(registry)
    assert (await gateway.call(raw("delete_all"))).status is Status.SUCCESS

    @tool(registry, roles={"admin"})
    async def audit() -> str:
        """Audit."""
        return "fine"

    assert (await gateway.call(raw("delete_all"))).status is Status.DENIED


@pytest.mark.row("T4")
async def test_a_parameter_for_one_role_is_unknown_to_the_others(registry, gateway_for, raw):
    """An admin sees and sends one parameter more; a guest who sends it is told that there is none."""

    @tool(registry)
    async def find_room(city: str, hidden_too: Annotated[bool, OnlyFor("admin")] = False) -> list[str]:
        """Find a room."""
        return [city, "hidden"] if hidden_too else [city]

    gateway = gateway_for(registry)
    call = raw("find_room", city="Xi'an", hidden_too=True)
    assert (await gateway.call(call, ADMIN)).value == ["Xi'an", "hidden"]
    refused = await gateway.call(call, GUEST)
    assert refused.error.message == ("Invalid arguments for find_room. hidden_too: unknown argument. Accepted: city.")
    properties = [
        registry.openai_tools(role=role)[0]["function"]["parameters"]["properties"] for role in ("admin", "guest")
    ]
    assert [list(each) for each in properties] == [["city", "hidden_too"], ["city"]]


@pytest.mark.row("F1")
async def test_a_disabled_tool_is_unknown(hotel, registry, gateway_for, raw):
    """Disabling takes a tool from models and from calls; enabling brings it back."""
    gateway = gateway_for(registry)
    registry.disable("find_room")
    result = await gateway.call(raw("find_room", city="Xi'an"), GUEST)
    assert result.error.message == "There is no tool 'find_room'. Available: none."
    registry.enable("find_room")
    assert (await gateway.call(raw("find_room", city="Xi'an"), GUEST)).ok


async def test_a_cleaned_name_is_the_tools_own(hotel, registry, gateway_for, raw, records):
    """A prefix or a control token some servers add is taken off, and the result says so."""
    gateway = gateway_for(registry)
    for name in ("functions.find_room", "find_room<|channel|>"):
        result = await gateway.call(raw(name, city="Xi'an"), GUEST)
        assert (result.tool, result.value, result.notes) == ("find_room", "Xi'an", ("name_cleaned",))
    assert [record["tool"] for record in records] == ["find_room", "find_room"]
