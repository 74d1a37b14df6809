"""Differences, their origin, and the token that caused them.

compare     two events, draws, frames or captures side by side (Compare)
difference  what a comparison finds
alignment   two lists of tokens side by side, along what they have in common
subsequence  the longest common subsequence of two lists, in pieces so that it can be cancelled
subsequence_kernels  the compiled half of that
signatures  what an event is, as one number: what the alignment compares
vertices    which vertices of two draws correspond, and by how much they differ (CompareVertices,
            NextDifferentDraws)
data        what differs behind two events that read the same
matching    which surface of one capture is which of another
contents    what every surface and buffer holds at a moment, without copying
verify      a hash of all surfaces after every token, draw or frame, and where two runs first differ (Verify)
driver_pictures  what a recorded driver drew, against what is drawn here (DriverPictures)
digests     those hashes: equal for equal pixels, whatever form the device keeps them in
bisect      the token and the primitive that made a pixel, rectangle or surface wrong (Bisect)
right       what the expected result is: a colour, an image, a test, another capture
views       two pictures or tokens looked at together: amplified, side by side, wiped, what changed
"""
