"""THE MOUTH: the driver side of the interface. The only DP2 decoder and encoder, entry points, shader code, rules."""
