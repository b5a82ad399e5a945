"""Between harnesses and sandbox: samples become grading requests, verdicts become scores. Knows no problem set."""
