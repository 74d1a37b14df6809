"""What differs, where it begins to, and who made it so.

compare     two events, draws, frames or captures side by side (Compare)
difference  what a comparison finds
alignment   two lists of tokens beside each other, along what they have in common
subsequence  the longest common subsequence of two lists, in pieces so that it can be cancelled
subsequence_kernels  the compiled half of that
signatures  what an event is, as one number: what the alignment compares
contents    what every surface and buffer holds at a moment, without copying
verify      a hash of all surfaces after every token, draw or frame, and where two runs part (Verify)
digests     those hashes: equal for equal pixels, whatever form the device keeps them in
bisect      the token and the primitive that made a pixel, rectangle or surface wrong (Bisect)
right       what right is: a colour, a picture, a test, another capture
"""
