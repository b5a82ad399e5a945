"""The contamination probe: does a model already know the names of a vocabulary?

Nothing here assumes how a model guesses. What is true of a vocabulary was drawn by a hash, so a model that has not seen
it cannot score the true pairs better than other pairs of the same names, nor its names better than other seeds' names.
"""
