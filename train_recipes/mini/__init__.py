"""Small problems in great number: twenty functions, asked for in many words, for models that a laptop can train."""
