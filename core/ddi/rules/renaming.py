"""Addresses of renamed buffers (DX8 DDI, "Handling Renaming")."""

from __future__ import annotations


def renamed_address(vid_mem: int, heap_offset: int, start: int, new_heap_offset: int) -> int:
    """fpNewVidMem: pvVirtAddr is found from the present fpVidMem, then the new offset is mapped."""
    mapped_at = vid_mem - (heap_offset - start)
    return mapped_at + (new_heap_offset - start)
