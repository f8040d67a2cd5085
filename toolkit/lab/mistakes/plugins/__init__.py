"""A registry that its modules fill when they are imported."""

from __future__ import annotations

from toolkit.registry import Registry

REGISTRY = Registry()
