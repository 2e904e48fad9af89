"""Other systems' configurations of what is written, as one of Thalweg: a reader and a module of meanings for each
system make a Translation, and one writer makes YAML of it."""
