"""Between the harnesses and the sandbox: samples become grading requests, verdicts become scores. Knows no problem set."""
