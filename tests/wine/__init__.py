"""Random scenes on another Direct3D 8: Wine's, on Mesa llvmpipe.  By hand; needs wine, mingw and a display (Xvfb)."""
