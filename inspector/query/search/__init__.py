"""The events that match a filter.

search      the question (Search), named filters
completion  what the word that is being typed could become, and what that means
syntax      the language: text to tree
masks       its meaning: tree to a mask over all events
predicates  conditions written as calls: changed(ALPHAREF), uses(12), touches(x, y)
fields      what can be compared of an event itself
state       conditions on device state
parameters  conditions on the fields of tokens and the arguments of API calls
"""
