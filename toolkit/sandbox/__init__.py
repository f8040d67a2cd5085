"""What a model wrote is never run in this program: arithmetic is read node by node, snippets run in a sandbox."""

from toolkit.sandbox.arithmetic import calculate

__all__ = ["calculate"]
