"""The command line: `toolkit check`, and the other commands, a function each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolkit.doctor.command import doctor
from toolkit.hotel.command import run
from toolkit.lessons.conformance.command import conformance
from toolkit.lessons.progress.command import progress

if TYPE_CHECKING:
    from toolkit.trajectory import Policy
    from toolkit.trajectory.judging import Judged, Unreadable

DEFAULT_POLICY = "hotel"
app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Tool use by hand, and checks that judge an agent by the calls it made.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _commands() -> None:
    """Keep `check` a command of its own also while it is the only one."""


@app.command()
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Recorded runs: .json, .jsonl, folders. None: the controls."),
    ] = None,
    policy: Annotated[str, typer.Option(help="Name of a policy, or a policy file (.json).")] = DEFAULT_POLICY,
    format: Annotated[
        str, typer.Option(help="Format of the recordings: auto, chat, responses, anthropic or log.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a JUnit file, too.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the runs as one HTML file, too.")] = None,
) -> None:
    """Judge recorded runs by the calls they made; without files, show the control trajectories.

    Exit codes: 0 all passed, 1 some failed, 3 some not judgeable or nothing applied, 2 usage or unreadable file.
    """
    if not files:
        if junit or html:
            raise typer.BadParameter("it takes recorded runs; give at least one FILE.", param_hint="--junit / --html")
        raise typer.Exit(_show_controls(as_json))
    raise typer.Exit(_judge(files, policy, format, as_json, {"junit": junit, "html": html}))


def _show_controls(as_json: bool) -> int:
    from toolkit.hotel.control_table import controls_json, judge_controls, render_controls

    rows = judge_controls()
    _print(controls_json(rows) if as_json else render_controls(rows))
    return 0 if all(row.is_as_expected for row in rows) else 1


def _judge(files: list[Path], policy_name: str, format: str, as_json: bool, reports: dict[str, Path | None]) -> int:
    from toolkit.hotel.policies import policy_named
    from toolkit.trajectory.domain import another_domain
    from toolkit.trajectory.formats import FORMATS
    from toolkit.trajectory.judging import exit_code, judge_files
    from toolkit.trajectory.policy import PolicyError
    from toolkit.trajectory.progress import counted
    from toolkit.trajectory.report import render, to_json

    if format not in FORMATS:
        raise typer.BadParameter(f"{format!r} is none of {', '.join(FORMATS)}.", param_hint="--format")
    try:
        policy = policy_named(policy_name)
    except PolicyError as error:
        raise typer.BadParameter(str(error), param_hint="--policy") from None
    outcomes = list(counted(judge_files(files, policy, format)))
    _print(to_json(outcomes, policy) if as_json else render(outcomes, policy))
    if policy_name == DEFAULT_POLICY and (note := another_domain(outcomes, policy)):  # nobody chose it
        typer.echo(note, err=True)
    _write_reports(outcomes, policy, reports)
    return exit_code(outcomes)


def _write_reports(outcomes: list[Judged | Unreadable], policy: Policy, reports: dict[str, Path | None]) -> None:
    from toolkit.trajectory.html_report import to_html
    from toolkit.trajectory.junit import to_junit

    for name, make in (("junit", to_junit), ("html", to_html)):
        path = reports[name]
        try:
            if path is not None:
                path.write_text(make(outcomes, policy), "utf-8")
        except OSError as error:
            raise typer.BadParameter(f"{path}: {error.strerror}.", param_hint=f"--{name}") from None


def _print(found: object) -> None:
    """A dict as JSON, anything else as rich shows it."""
    if isinstance(found, dict):
        json.dump(found, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for part in found if isinstance(found, list) else [found]:
        console.print(part, soft_wrap=isinstance(part, str | Text))


app.command()(run)
app.command()(conformance)
app.command()(progress)
app.command()(doctor)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
