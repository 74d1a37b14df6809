"""Which DDI Inspector this is: what `--version` says, what captures note as their producer, and what pyproject.toml reads."""

VERSION = "0.2.0"
