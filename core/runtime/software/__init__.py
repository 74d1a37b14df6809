"""In place of a driver's vertex processing: the runtime transforms, lights and clips itself.

process_vertices  ProcessVertices
sieve             tokens that such a driver is not sent
"""
