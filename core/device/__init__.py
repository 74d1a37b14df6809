"""THE BODY: surfaces and buffers, the register vector, the execution of tokens, and the tap that says what was written."""
