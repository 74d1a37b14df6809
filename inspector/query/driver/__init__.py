"""A driver's capabilities and actions.

caps        what it reports, and whether that makes it a DirectX 8 driver (DriverCaps)
buffers     locks that wait or rename (Stalls, Renames)
patches     patches it keeps under handles (Patches)
dxgi        resources of DXGI: priority, residency, rotated identities, what is scanned out (DxgiResources)
presentation    what was submitted, queued, refused and displayed (Presentation)
"""
