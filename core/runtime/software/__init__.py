"""Software vertex processing by the runtime: transforms, lights and clips in place of the driver.

process_vertices  ProcessVertices
sieve             tokens that such a driver is not sent
"""
