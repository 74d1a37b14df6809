"""The questions, each a frozen dataclass with run(capture) -> Answer."""
