"""Which problems stay: those that several solvers of their own solve, each seeing only what a model sees."""
