"""From a model's response to a verdict. Knows no harness and no problem set."""
