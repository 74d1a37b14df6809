"""Device state in force, and the events that set it.

places      what state there is: names, slots, and how a value reads
at_event    all values after an event, with writer, value before, and use (StateAt)
history     every write to one value (SlotHistory)
sets        what the driver's state sets hold (StateSets)
dwords      typed values as bits
situation   what a draw does with its state: which half runs, which stages, lights and textures
matters     whether a value matters for a draw, and why
flow        the stages that a draw goes through, with the state that matters in each (StateFlow)
flow_words  what each stage does, in a few words
readings    what matrices do, in words
spheres     lights and the material on a sphere, fog as a curve (LightSphere, FogCurve)
"""
