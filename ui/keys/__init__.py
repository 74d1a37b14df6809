"""What one can tell the window, and by which keys.

commands      the table: names, words, keys as they are at first; presets
keymap        the keys as they are now: the user's in place of the table's; what a key means where
manual        the table as a page shows it: `python -m ui.keys.manual`
"""
