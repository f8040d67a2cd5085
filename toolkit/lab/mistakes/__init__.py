"""Mistakes that are published again and again, in our own words. They are here to be seen failing, not to be used.

Docstrings say what the code claims to do; `tests/lab` proves what it does instead.
"""
