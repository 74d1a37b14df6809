"""What is in force, and what set it.

places      what state there is: names, slots, and how a value reads
at_event    all values after an event, with writer, value before, and use (StateAt)
history     every write to one value (SlotHistory)
sets        what the driver's state sets hold (StateSets)
dwords      typed values as bits
situation   what a draw does with its state: which half runs, which stages, lights and textures
matters     whether a value matters for a draw, and why
"""
