"""`toolkit run`: let the simulated agent work on the goal and write down what it did."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from toolkit.agent.audit import AuditLog
from toolkit.hotel.catalogue import Language
from toolkit.hotel.run import run_id, run_simulated, save
from toolkit.hotel.simulated import FAULTS, draw_faults
from toolkit.trajectory import extract_calls

_FAULT_HELP = (
    f"A fault of the agent: {', '.join(FAULTS)}. With '=0.3' behind it, a fault that three seeds in ten have. "
    "May be given more than once."
)


def run(
    fault: Annotated[list[str] | None, typer.Option(metavar="NAME[=P]", help=_FAULT_HELP)] = None,
    seed: Annotated[int, typer.Option(help="Which agent of many. The same seed, the same run.")] = 0,
    language: Annotated[str, typer.Option(help="Language of goal, tools and world: en or zh.")] = "en",
    out: Annotated[Path, typer.Option(help="Where the recording goes.")] = Path("run.json"),
    audit: Annotated[Path | None, typer.Option(help="Also append each message to this log (JSONL).")] = None,
) -> None:
    """Run the simulated agent on the hotel goal and write the run. No key, no network."""
    try:
        faults = dict(_fault(text) for text in fault or [])
        drawn = draw_faults(seed, faults)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--fault") from None
    if language not in get_args(Language):
        raise typer.BadParameter(f"{language!r} is neither en nor zh.", param_hint="--language")
    name = run_id(seed, drawn, cast(Language, language))
    try:
        with ExitStack() as stack:
            log = stack.enter_context(AuditLog(audit, name)) if audit else None
            if log and log.seq > 0:
                raise typer.BadParameter(f"{audit} already holds run {name}.", param_hint="--audit")
            keep = log.append if log else lambda message: None
            recording = asyncio.run(run_simulated(seed, faults, cast(Language, language), keep))
        save(recording, out)
    except OSError as error:
        raise typer.BadParameter(f"cannot write: {error}", param_hint="--out, --audit") from None
    typer.echo(summary(recording))
    typer.echo(f"Written to {out}. To judge it: toolkit check {out}")


def _fault(text: str) -> tuple[Any, float]:
    name, _, probability = text.partition("=")
    try:
        return name, float(probability or 1)
    except ValueError:
        raise ValueError(f"{probability!r} is no number; write {name}=0.3, or {name} alone.") from None


def summary(recording: dict[str, Any]) -> str:
    """The run in a few lines: who ran, each call and its outcome, what was said and what is booked."""
    meta = recording["meta"]
    lines = [f"Simulated agent, seed {meta['seed']}, faults: {', '.join(meta['faults']) or 'none'}"]
    lines += [
        f"  turn {call.turn + 1}  {call.name:<14}{call.outcome}" for call in extract_calls(recording["messages"]).calls
    ]
    lines.append(f"Stopped: {meta['stop']} after {meta['turns']} turns")
    lines.append(f"It says: {meta['detail']}")
    booked = [f"{each['booking_id']} {each['hotel_id']} {each['room_type']}" for each in meta["bookings"]]
    lines.append(f"In the store: {', '.join(booked) or 'no booking'}")
    return "\n".join(lines)
