"""What exists, and what uses it.

surfaces    the surfaces and buffers that exist at an event
usage       histories of objects, the objects of an event, the users of an object (ObjectHistory, ResourcesOf, UsersOf)
"""
