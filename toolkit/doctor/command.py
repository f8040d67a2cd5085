"""`toolkit doctor` on the command line."""

from __future__ import annotations

from typing import Annotated

import typer


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Start no kernel.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")] = False,
) -> None:
    """Say what the lessons need and this computer lacks, each with the command that brings it.

    ✓ is there, ✗ is missing, – is absent but optional. Exit codes: 0 everything needed is there, 1 something is not.
    """
    from toolkit.doctor.report import report

    raise typer.Exit(report(quick, as_json))
