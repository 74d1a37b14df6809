"""Small captures, each with one planted bug, for docs/lessons: `python -m resources.lessons.make` draws them again.

scenes          nine scenes, drawn with their bug or without
stage           what they have in common: camera, sky, ground, panels
slow_driver     a driver that breaks a rule of the interface
make            the table of lessons; records them
"""
