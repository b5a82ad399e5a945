"""What the harnesses and `sebench grade` wrote, read into one form; statistics on it."""
