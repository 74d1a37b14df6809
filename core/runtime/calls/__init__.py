"""API calls as data: the only way into the runtime.

columns     calls as columns, one row per call
values      how the values in columns are encoded (as apitrace writes them)
interfaces  every method and its arguments, as apitrace spells them
structs     structures as scripts write them
source      a call of the columns as Python values, and as readable text
"""
