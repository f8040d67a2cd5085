"""Exercise 05.visible: which tools a caller may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect_equal

Tools = Mapping[str, Any]
OPEN: Tools = {"get_weather": None, "book_hotel": None}
DESK: Tools = {"search_hotels": {"guest", "clerk"}, "cancel_all": {"clerk"}, "new_tool": None}


def cases() -> list[tuple[Tools, str | None, list[str], str]]:
    """Tools with their roles, a caller's role, what it may see, and the case in words."""
    return [
        (OPEN, None, ["get_weather", "book_hotel"], "no tool declares roles, so everybody sees everything"),
        (OPEN, "guest", ["get_weather", "book_hotel"], "no tool declares roles, and a guest asks"),
        (DESK, "clerk", ["search_hotels", "cancel_all"], "a clerk; new_tool declares no roles, so it is for nobody"),
        (DESK, "guest", ["search_hotels"], "a guest"),
        (DESK, "cleric", [], "a role that is none of those declared"),
        (DESK, None, [], "a caller without a role, once roles are in use"),
        ({"a": set(), "b": None}, "guest", [], "a tool that declares an empty set is for nobody, and roles are in use"),
        ({}, "guest", [], "no tools at all"),
    ]


def check_visible(visible: Callable[[Tools, str | None], Any]) -> None:
    """Names in order, nothing for those who are not named, and nothing open by oversight."""
    for tools, role, wanted, case in cases():
        expect_equal(list(visible(tools, role)), wanted, case)


VISIBLE = Exercise(
    id="05.visible",
    task=(
        "`tools` maps each name to the roles that may call it, or to None where none were declared. List the names "
        "this caller may see, in order. While no tool declares roles, all are open. Once one does, a tool without "
        "roles is for nobody: somebody forgot it."
    ),
    minutes=5,
    difficulty="easy",
    hints=(
        "First one question about all tools: has any of them declared roles?",
        "`any(roles is not None for roles in tools.values())`. An empty set is a declaration too.",
        "Then a tool is visible where `roles is not None and role in roles`.",
    ),
    stub='''\
def visible(tools: dict[str, set[str] | None], role: str | None) -> list[str]:
    """The names of the tools that this role may see.

    >>> visible({"search": {"guest"}, "cancel": {"clerk"}}, "guest")
    ['search']
    """
    raise NotImplementedError''',
    solution='''\
def visible(tools: dict[str, set[str] | None], role: str | None) -> list[str]:
    """The names of the tools that this role may see."""
    if all(roles is None for roles in tools.values()):
        return list(tools)
    return [name for name, roles in tools.items() if roles is not None and role in roles]''',
    alternatives=(
        """\
def visible(tools, role):
    in_use = any(roles is not None for roles in tools.values())
    return [name for name, roles in tools.items() if not in_use or role in (roles or ())]""",
        """\
def visible(tools, role):
    by_role, undeclared = {}, 0
    for name, roles in tools.items():
        undeclared += roles is None
        for each in roles or ():
            by_role.setdefault(each, []).append(name)
    return list(tools) if undeclared == len(tools) else by_role.get(role, [])""",
    ),
    wrong=(
        WrongAnswer(
            "open unless declared",
            "def visible(tools, role):\n"
            "    return [name for name, roles in tools.items() if roles is None or role in roles]",
            "new_tool declares no roles",
        ),
        WrongAnswer(
            "closed unless declared",
            "def visible(tools, role):\n    return [name for name, roles in tools.items() if roles and role in roles]",
            "no tool declares roles",
        ),
        WrongAnswer(
            "opens all to those without a role",
            "def visible(tools, role):\n"
            "    if role is None or all(roles is None for roles in tools.values()):\n"
            "        return list(tools)\n"
            "    return [name for name, roles in tools.items() if roles and role in roles]",
            "a caller without a role",
        ),
        WrongAnswer(
            "compares by prefix",
            "def visible(tools, role):\n"
            "    if all(roles is None for roles in tools.values()):\n"
            "        return list(tools)\n"
            "    found = []\n"
            "    for name, roles in tools.items():\n"
            "        if roles and role and any(each.startswith(role[:3]) for each in roles):\n"
            "            found.append(name)\n"
            "    return found",
            "none of those declared",
        ),
        WrongAnswer(
            "takes an empty set for no declaration",
            "def visible(tools, role):\n"
            "    if not any(tools.values()):\n"
            "        return list(tools)\n"
            "    return [name for name, roles in tools.items() if roles and role in roles]",
            "declares an empty set",
        ),
    ),
    checker=check_visible,
)
