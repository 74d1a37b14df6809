"""What is in force, and who set it.

places      what state there is: names, slots, and how a value reads
at_event    all values after an event, with writer, value before, and use (StateAt)
history     everything that ever happened to one value (SlotHistory)
sets        what the driver's state sets hold (StateSets)
dwords      values as people write them, as bits
"""
