"""A fresh DirectDraw object."""

from __future__ import annotations

import pytest

from tests.core.runtime.directdraw.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()
