"""A small synthesizer of rules for the arena: boards from frames, laws from evidence, goals from guesses, plans from all of them. See ../induce.py."""
