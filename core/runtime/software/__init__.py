"""In place of a driver's vertex processing: the runtime transforms, lights and clips itself.

draws             draws on behalf of a driver that processes no vertices
process_vertices  ProcessVertices
sieve             tokens that such a driver is not sent
"""
