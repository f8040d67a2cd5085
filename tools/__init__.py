"""What the developers of this project run: notebooks, rows, the environment of the tests."""
