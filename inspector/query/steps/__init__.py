"""The computation of a vertex or a pixel, step by step.

run         the list of steps that all of them answer with
walking     through a run: breakpoints, stages, the steps that write a register
levers      the states that decide what a step does, and edits of them (Levers)
vertex      a vertex through its shader (StepVertex)
fixed_function  a vertex through the fixed pipeline: transform, lights, texture coordinates, fog
pixel       a pixel from its interpolated inputs to the blended colour (StepPixel)
quad        a fragment's values in the 2 x 2 pixels around it (QuadAt)
spread      a value over a whole primitive, as a picture (SpreadOf)
here        the run of the pixel that one looks at, whatever the event
corners     the corners of a primitive, and how much each counts at a pixel
origins     where a value comes from: steps, vertices, texels, states, buffers (OriginsOf)
"""
