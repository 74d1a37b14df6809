"""Tables over the whole capture: SQL, statistics, timing.

statistics  sums per capture, frame or draw (Statistics)
timing      how long our own replay takes, draw by draw (Timing)
sql         SQL, read-only and with a time limit (Sql)
functions   SQLite's own functions, within limits of time
derived     the tables that SQL finds besides the tape's own
"""
