"""The agent: a model decides, the gateway runs, the history keeps everything."""

from toolkit.agent.audit import AuditLog
from toolkit.agent.loop import Run, run_agent
from toolkit.agent.models import asks_for, client_answering, says, scripted_client
from toolkit.agent.replies import ModelError

__all__ = [
    "AuditLog",
    "ModelError",
    "Run",
    "asks_for",
    "client_answering",
    "run_agent",
    "says",
    "scripted_client",
]
