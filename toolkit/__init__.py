"""Tool use, by hand and the way production needs it: a registry, a decorator, a gateway."""
