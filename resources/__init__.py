"""What ships beside the code: the built-in capture, the scripts that draw it, icons."""
