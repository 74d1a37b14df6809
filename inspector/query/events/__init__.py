"""Events and the API calls that caused them.

detail      one event: its name, fields, bytes
columns     what a list says of draws at a glance (EventColumn)
texts       the texts of all events, and what kind each is: draw, clear, copy, presentation
alike       which events have equal records, by a hash table
copied      what copies, fills and locks wrote last, where nothing is drawn
spans       ranges of events around one: its frame, the frame up to it, all
findings    the rules that the application or the driver broke (Findings)
addresses   what the addresses in an API call name (Addresses)
verdicts    the outcome of each API call (Verdicts, VerdictsByFunction)
"""
