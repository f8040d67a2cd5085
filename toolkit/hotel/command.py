"""`toolkit run`: let the simulated agent work on the goal and write down what it did."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from toolkit.agent.audit import AuditLog
from toolkit.endpoint import MODEL, Endpoint, EndpointError, configured_endpoint
from toolkit.hotel.catalogue import Language
from toolkit.hotel.run import run_asked, run_id, run_simulated, save
from toolkit.hotel.simulated import FAULTS, draw_faults
from toolkit.trajectory import extract_calls

_FAULT_HELP = (
    f"A fault of the agent: {', '.join(FAULTS)}. With '=0.3' behind it, a fault that three seeds in ten have. "
    "May be given more than once."
)

_ENDPOINT_HELP = (
    "Ask a real model instead: TOOLKIT_MODEL names it, OPENAI_BASE_URL and OPENAI_API_KEY say where. One run can cost "
    "some thousand tokens."
)


def run(
    fault: Annotated[list[str] | None, typer.Option(metavar="NAME[=P]", help=_FAULT_HELP)] = None,
    seed: Annotated[int, typer.Option(help="Which agent of many. The same seed, the same run.")] = 0,
    language: Annotated[str, typer.Option(help="Language of goal, tools and world: en or zh.")] = "en",
    out: Annotated[Path, typer.Option(help="Where the recording goes.")] = Path("run.json"),
    audit: Annotated[Path | None, typer.Option(help="Also append each message to this log (JSONL).")] = None,
    endpoint: Annotated[bool, typer.Option("--endpoint", help=_ENDPOINT_HELP)] = False,
) -> None:
    """Run the simulated agent on the hotel goal and write the run. No key, no network, unless an endpoint is asked."""
    if endpoint and (fault or seed):
        raise typer.BadParameter("faults and seeds are the simulated agent's.", param_hint="--endpoint")
    asked = _endpoint() if endpoint else None
    try:
        faults = dict(_fault(text) for text in fault or [])
        drawn = draw_faults(seed, faults)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--fault") from None
    if language not in get_args(Language):
        raise typer.BadParameter(f"{language!r} is neither en nor zh.", param_hint="--language")
    spoken = cast(Language, language)
    name = run_id(seed, drawn, spoken) if asked is None else f"endpoint-{language}-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    try:
        with ExitStack() as stack:
            log = stack.enter_context(AuditLog(audit, name)) if audit else None
            if log and log.seq > 0:
                raise typer.BadParameter(f"{audit} already holds run {name}.", param_hint="--audit")
            keep = log.append if log else lambda message: None
            work = run_simulated(seed, faults, spoken, keep) if asked is None else run_asked(asked, name, spoken, keep)
            recording = asyncio.run(work)
        save(recording, out)
    except OSError as error:
        raise typer.BadParameter(f"cannot write: {error}", param_hint="--out, --audit") from None
    typer.echo(summary(recording))
    typer.echo(f"Written to {out}. To judge it: toolkit check {out}")


def _endpoint() -> Endpoint:
    """The endpoint of the environment, or a message that says what to set."""
    try:
        found = configured_endpoint()
    except EndpointError as error:
        raise typer.BadParameter(str(error), param_hint="--endpoint") from None
    if found is None:
        raise typer.BadParameter(f"set {MODEL} to the model to ask for.", param_hint="--endpoint")
    return found


def _fault(text: str) -> tuple[Any, float]:
    name, _, probability = text.partition("=")
    try:
        return name, float(probability or 1)
    except ValueError:
        raise ValueError(f"{probability!r} is no number; write {name}=0.3, or {name} alone.") from None


def summary(recording: dict[str, Any]) -> str:
    """The run in a few lines: who ran, each call and its outcome, what was said and what is booked."""
    meta = recording["meta"]
    lines = [f"Model {meta['model']}"]
    if meta["simulated"]:
        lines = [f"Simulated agent, seed {meta['seed']}, faults: {', '.join(meta['faults']) or 'none'}"]
    lines += [
        f"  turn {call.turn + 1}  {call.name:<14}{call.outcome}" for call in extract_calls(recording["messages"]).calls
    ]
    lines.append(f"Stopped: {meta['stop']} after {meta['turns']} turns")
    lines.append(f"It says: {meta['detail']}")
    booked = [f"{each['booking_id']} {each['hotel_id']} {each['room_type']}" for each in meta["bookings"]]
    lines.append(f"In the store: {', '.join(booked) or 'no booking'}")
    return "\n".join(lines)
