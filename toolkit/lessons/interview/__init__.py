"""The interview track: cards with three answers each, the cell that shows the answer, and a mock interview."""
