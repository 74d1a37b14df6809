"""The version of DDI Inspector: printed by `--version`, stored in captures as their producer, read by pyproject.toml."""

VERSION = "0.2.0"
