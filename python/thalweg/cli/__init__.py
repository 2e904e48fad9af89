"""The command `thalweg`: one file a subcommand."""
