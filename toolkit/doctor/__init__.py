"""`toolkit doctor`: is everything there that the lessons need, and if not, which command brings it.

Nothing here is imported at the top but the standard library: the doctor has to run where a package is missing.
"""
