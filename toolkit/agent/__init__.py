"""The agent: a model decides, the gateway runs, the history keeps everything."""

from toolkit.agent.models import asks_for, client_answering, says, scripted_client

__all__ = ["asks_for", "client_answering", "says", "scripted_client"]
