"""What is in force, and what set it.

places      what state there is: names, slots, and how a value reads
at_event    all values after an event, with writer, value before, and use (StateAt)
history     every write to one value (SlotHistory)
sets        what the driver's state sets hold (StateSets)
dwords      typed values as bits
"""
