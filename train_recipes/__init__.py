"""Recipes that train the checkpoints under comparison, on TRL."""
