"""The shape of a draw in space, from any viewpoint.

mesh        its points, triangles, attributes, view frustum and control net, in one of three spaces (Shape)
frustum     what the projection sees, as a box in object space
camera      where one looks from
painting    a picture of a shape: wires, flat or smooth, coloured by an attribute or a texture
paint_kernels  the compiled half of `painting`
picture     such a picture as one question (ShapePicture)
"""
