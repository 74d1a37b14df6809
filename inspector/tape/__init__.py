"""The capture file: schema, append, read, recover; and the recorder, a driver that writes down what it is asked."""
