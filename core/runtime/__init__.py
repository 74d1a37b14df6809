"""THE CALLER: d3d8.dll's role. Direct3D 8 API calls in, DDI calls out."""
