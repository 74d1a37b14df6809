"""Pixels: what drew them, and how they got their colours.

life        a pixel after each frame of the capture (PixelLife)
pixel       pixels as questions name them and as answers show them
history     every fragment, clear, copy and upload at a pixel (PixelHistory)
fates       why a fragment ended as it did, and which event set the deciding state
overwrites  what a clear, copy, upload or flip did to a pixel, in a sentence
writers     the inverse: Writers, Touched, PixelsOf, PrimitiveAt
fragments   the fragments at every pixel of a surface, their number and their fates (FragmentsOn)
picks       of each pixel the last or first fragment with one fate, and how many there were (Picks)
details     what these fragments interpolate: depth, fog, texels of a pixel
missed      where triangles would be that are culled or clipped
missed_kernels  the compiled half of that
overlay     these as a layer of colours over the image (Overlay)
sheet_overlay   the same over a sheet of levels, faces and slices (SheetOverlay)
layers      what overlays paint, and their legends
shading     how a primitive coloured a pixel: stages or shader instructions, texels, fog
cascade     what a texture stage is asked to do, in words
explain     one fragment in full: inputs, shading, tests, blending (Explain)
explain_text    the same as lines of text
explain_facts   the same as named values under titles
"""
