"""What Direct3D 8 programs see: pixels and answers of the scripted device against values worked out from the documents."""
