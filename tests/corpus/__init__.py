"""Files as each version wrote them: what a version has written, every later one opens.

`FOLDER/` is named by the version: small.ddicap (with an API call, a picture, a note and a what-if), small.ddirec, settings.ini.
A release adds its own: `python -m tests.corpus.make FOLDER` writes them.  0.1-first are those of the commits in which the
formats began: 91c2748 (.ddicap), b31fea1 (.ddirec), 5e207dd (settings).  Nothing here is ever written anew.
"""
