"""API calls as data: the only way into the runtime.

columns     calls as columns, one row per call
values      how the values in columns are encoded (as apitrace writes them)
interfaces  every method and its arguments, as apitrace spells them
interfaces7  those of DirectDraw and Direct3D 7
interfaces6  those of Direct3D 6 and 5
structs     structures as scripts write them
structs7    those of DirectDraw and Direct3D 7
naming7     what plain numbers of Direct3D 7 calls mean
source      a call of the columns as Python values, and as readable text
"""
