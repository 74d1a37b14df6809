"""What the driver says about itself: GetDriverInfo and GetDriverInfo2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.ddi.calls import DdiCall

if TYPE_CHECKING:
    from core.ddi.driver import EmulatedDriver


def get_driver_info(driver: EmulatedDriver, call: DdiCall) -> None:
    """GetDriverInfo2(type): D3DCAPS8, format count, formats, DirectX version."""
