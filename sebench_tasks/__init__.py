"""SE-Bench as tasks: problems, prompts, conditions, the oracle and the command line."""
