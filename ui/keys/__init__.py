"""The commands of the window and their keys.

commands      the table: names, words, default keys; presets
keymap        the current keys: the user's in place of the table's; what a key means where
overlays      the overlays by section, and their commands
manual        the table as a page shows it: `python -m ui.keys.manual`
"""
