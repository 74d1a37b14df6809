"""THE MEMORY AND THE QUESTIONS.  Imports core.  No Qt."""
