"""One subcommand per question."""
