"""What happened: events and the API calls that caused them.

detail      one event: its name, fields, bytes
texts       the texts of all events, and what kind each is: draw, clear, copy, presentation
spans       stretches of events around one: its frame, the frame up to it, all
findings    what the program or the driver did wrong (Findings)
verdicts    what became of each API call (Verdicts, VerdictsByFunction)
"""
