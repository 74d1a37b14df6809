"""The parts that panels are built from."""
