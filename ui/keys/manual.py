"""The manual's table of keys."""

from __future__ import annotations

from ui.keys.commands import COMMANDS, GROUPS

NAMES = {"Return": "Enter", "Del": "Delete", "PgDown": "Page Down", "PgUp": "Page Up", "Menu": "the menu key"}


def page() -> str:
    """Markdown: a row per command that has keys, by group."""
    lines = ["| keys | do |", "|---|---|"]
    for group in GROUPS:
        lines.append(f"| **{group}** | |")
        for command in COMMANDS:
            if command.group == group and command.keys:
                keys = dict.fromkeys(NAMES.get(key, key.replace("Return", "Enter")) for key in command.keys)
                lines.append(f"| {', '.join(f'`{key}`' for key in keys)} | {command.words} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
