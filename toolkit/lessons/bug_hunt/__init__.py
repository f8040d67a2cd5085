"""The bug hunt: mistakes that are published again and again, one a card. Run it, predict, name the cause, mend it."""
