"""Captures that come with the program, made of scenes by `python -m tests.scenes.make_samples`: a frame for each scene, and a
note with its name."""
