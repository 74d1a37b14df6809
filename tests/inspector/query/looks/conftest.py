"""The capture of tests.inspector.query.looks.surfaces."""

from tests.inspector.query.looks.surfaces import known  # noqa: F401
