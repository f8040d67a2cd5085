"""One suite over the three layers and the reader's own code, built from public reports and the fault table."""
