"""One file per dock.  Panels never import each other: they share the focus."""
