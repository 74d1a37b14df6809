"""The driver side of the interface.

calls    what crosses the seam: one DdiCall per driver entry
stream   command buffers: the only DP2 decoder and encoder, shader code, vertex declarations
driver   the emulated driver: its entry points, what it reports, presentation, DXGI
rules    what the interface requires of applications and drivers, checked in calls, streams and answers
"""
