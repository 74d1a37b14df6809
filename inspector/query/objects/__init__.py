"""Objects and their users.

surfaces    the surfaces and buffers that exist at an event
textures    every texture that draws sample, once, by its contents (UsedTextures)
holdings    memory over time; when objects are used (MemoryOverTime, UseStrips)
usage       histories of objects, the objects of an event, the users of an object (ObjectHistory, ResourcesOf, UsersOf)
"""
