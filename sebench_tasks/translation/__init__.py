"""NumPy-form solutions in the words of a vocabulary: the source-to-source translator behind the oracle."""
